// Shows an explanation on the page: a line for each component, the unhealthy ones first, then what the rows don't show by themselves.
{
  // The number of area colours; areas beyond it start again with the first colour.
  const COLOURS = 12;
  // Up to this many unrecognized names are shown without expanding the list.
  const FEW = 12;
  // The number of unhealthy objects that are shown without expanding the line of their component.
  const SICK = 3;
  // The number of lines of a log of a component that are shown before it is opened, and of the characters of a line.
  const LINES = 10, LONGEST_LINE = 240;
  // The maximum length of a link in characters, as chat programs accept it.
  const LINK = 8000;
  // A `file:` URL of a folder does not open its index page.
  const page = location.protocol === "file:" ? "index.html" : "";

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const code = (textContent) => make("code", { textContent });
  /** Converts the text of a fact to nodes, with text between backticks as code. */
  const prose = (text) => text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? code(part) : part));
  /** Replaces the `{…}` placeholders of a text with nodes. */
  const fill = (words, values) => words.split(/\{(\w+)\}/).flatMap((piece, at) => (at % 2 ? values[piece] : [piece]));
  const times = (n) => (n > 1 ? ` × ${n}` : "");
  const once = (values) => [...new Set(values)];
  const isSick = ({ health }) => health && !health.healthy;
  /** Whether a row is not an object, but a line of text with a message or the source of a log. */
  const isLine = ({ kind }) => kind === "Message" || kind === "LogSource";

  const object = ({ namespace, kind, name }) => isLine({ kind }) ? name : [namespace, (kind ? `${kind.toLowerCase()}/` : "") + name].filter(Boolean).join(" ");
  /** Returns the text of a row as printed; for an object in YAML or JSON, its namespace, kind and name. */
  const printed = (row) => (/^(?:- )?(?:[{[]|"?name"?\s*:)/i.test(row.text) ? object(row) : row.text);

  /** Returns the name without generated suffixes: `web` of the Pod `web-7d4b9c8f6d-x2k9p`. See `without_generated_suffixes` in src/listing/generated.rs. */
  function plain({ kind, name }) {
    const without = (name, part) => {
      const [, before, last] = /^(.*)-([^-]*)$/s.exec(name) ?? [];
      return before !== undefined && new RegExp(`^(?:${ksys.guide.parts[part].whole})$`).test(last) ? before : name;
    };
    if (kind === "ReplicaSet") return without(name, "template");
    if (kind && kind !== "Pod") return name;
    const base = without(name, "random");
    return base === name ? name : without(base, "template");
  }

  /** Returns the object of a row without a component. */
  const unknownObject = (row) => [row.kind, plain(row)].join(" ").trim();

  /** Returns the functions that show, copy and share a result. `settings` returns the addresses of the explain data. */
  ksys.result = (root, settings) => {
    const find = (selector) => root.querySelector(selector);
    const [status, table, badges, filters, search] = [".explain-status", "#explain-results", ".explain-badges", ".explain-filters", ".explain-search"].map(find);
    const { separator } = root.dataset, says = table.dataset;
    const options = find("select").options;
    // The lines of the table and of the lists with the filters that they belong to, and the filter that is chosen.
    let lines = [], chosen = "all";

    const list = (items) => items.flatMap((item, at) => (at ? [separator, item] : [item]));
    const badge = (name, value) => badges.content.querySelector(`[data-${name}="${value}"]`).cloneNode(true);
    const known = (id) => ksys.guide.components.find((component) => component.id === id);
    const link = ({ id, name }, section) => make("a", { href: `${settings().components}${id}/${page}${section ? `#${section}` : ""}`, textContent: name });
    /** Returns the sentence that names the component of an input without rows. */
    const about = (id) => fill(status.dataset.about, { component: [link(known(id))] });
    const links = (ids) => list(ids.map((id) => known(id) ? link(known(id)) : id));
    /** Returns the mark of a component's area, as shown next to links on other pages. */
    const mark = ({ area }) => {
      const [textContent] = ksys.guide.areas[area] ?? [];
      if (!textContent) return [];
      const span = make("span", { className: "mark", textContent, ariaHidden: "true" });
      span.dataset.area = area % COLOURS + 1;
      return [span];
    };
    const cluster = (id) => {
      const { dataset, textContent } = [...options].find(({ value }) => value === id);
      return make("a", { href: dataset.href + page, textContent });
    };

    /** Returns the provider of the cluster and the reasons for the guess. */
    function answer({ provider: id, asked, names, marks, others }) {
      const says = status.dataset;
      const given = id && [make("b", {}, cluster(id))];
      if (asked) return fill(says.asked, { provider: given });
      if (marks.length) return fill(says.marks, { provider: given, marks: list(marks.map((mark) => code(mark.trim()))) });
      if (names.length) return fill(says.names, { provider: given, names: list(names.map(code)) });
      return given ?? (others.length ? fill(says.maybe, { providers: list(others.map(cluster)) }) : [says.no]);
    }

    /** Returns what is wrong with an object: its status, or how many of its replicas are ready. */
    function condition({ status, ready, desired, updated, restarts }) {
      if (status !== null && status !== "Running") return status;
      // It is running and ready, but was restarted again and again.
      if (status !== null && ready === desired) return fill(says.restarts, { n: `${restarts}` }).join("");
      if (updated !== null && ready >= desired) return sections().say("updated", { updated, desired });
      return ready === null ? status : fill(says.ready, { ready: `${ready}`, desired: `${desired}` }).join("");
    }

    /** Returns the texts of the parts about versions, requests and Nodes. */
    const sections = () => ksys.sections(ksys.guide.words, separator, (id) => known(id).name);

    /** Returns what to do about an unhealthy object: the reason, the symptom that fits unless it was `told` for another object, and the next command. */
    function advice({ health, symptom, command }, told) {
      const { words } = ksys.guide, isNew = symptom && !told.has(symptom.symptom);
      told.add(symptom?.symptom);
      const items = [
        [words.reason, health?.reason && [health.reason]],
        [words.symptom, isNew && prose(symptom.symptom)],
        [words.todo, isNew && prose(symptom.action)],
        [words.command, command && [code(command)]],
      ].filter(([, text]) => text);
      return items.length ? [make("dl", {}, ...items.map(([dt, dd]) => make("div", {}, make("dt", { textContent: dt }), make("dd", {}, ...dd))))] : [];
    }

    /** Fills the part about requests or Nodes: sentences, then tables. */
    function part(name, found) {
      const section = find(`#explain-${name}`), cell = (tag) => (text, at, texts) => make(tag, { className: at < texts ? "" : "number" }, ...prose(text));
      section.hidden = !found;
      const table = ({ titles, rows, texts }) => make("div", { className: "table", tabIndex: 0, role: "group", ariaLabel: section.firstChild.textContent }, make("table", {},
        make("thead", {}, make("tr", {}, ...titles.map((title, at) => Object.assign(cell("th")(title, at, texts), { scope: "col" })))),
        make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((text, at) => cell("td")(text, at, texts)))))));
      const lines = (texts = []) => texts.map((text) => make("p", {}, ...prose(text)));
      section.lastChild.replaceChildren(...found ? [...lines(found.lines), ...found.tables.map(table), ...lines(found.more), ...found.rules ? [make("p", {}, make("a", { href: ksys.guide.rules, rel: "external noreferrer", textContent: found.rules }))] : []] : []);
    }

    /** Returns the reason why a DaemonSet has no Pods. */
    const idleReason = (selector) => selector
      ? fill(says.idleSelector, { labels: [make("code", {}, ...selector.split(/(?<=,)/).flatMap((label) => [label, make("wbr")]))] })
      : [says.idleUnknown];

    /** Returns the verdicts for rows; with the kinds of objects if they differ. */
    function verdicts(rows, provider) {
      const kinds = ({ kind, owner }) => kind ?? ksys.guide.components[owner.component].listing[owner.entries[0]][0].replace("StaticPod", "Pod");
      const groups = Map.groupBy(rows, ({ owner }) => ksys.answer(owner, provider).verdict);
      groups.delete(undefined);
      return [...groups].map(([verdict, rows]) =>
        make("p", {}, ...groups.size > 1 ? [make("span", { textContent: once(rows.map(kinds)).join(separator) })] : [], badge("verdict", verdict)));
    }

    /** Returns rows as printed, below the header of their table. */
    function printedRows(rows, headers) {
      let last;
      const nodes = rows.flatMap((row) => {
        const header = headers[row.line - 1], isNew = header && header !== last;
        last = header;
        const text = printed(row), status = isSick(row) && row.health.status, [before, ...after] = status ? text.split(status) : [text];
        const marked = after.length ? [before, make("b", { textContent: status }), after.join(status)] : [text];
        return [...isNew ? [make("span", { className: "quiet", textContent: `${header}\n` })] : [], ...marked, "\n"];
      });
      return make("pre", { tabIndex: 0 }, ...nodes);
    }

    /** Returns the description of a row: that of its object, or that it can be a copy. */
    const described = ({ copy, what }) => copy ? says.elsewhere : what;

    /** Returns the rows of a component with what applies to them: by section of its page. */
    function details(rows, { provider }, headers) {
      if (!rows[0].owner) return [printedRows(rows, headers)];
      const parts = Map.groupBy(rows, ({ owner }) => [owner.section, described(owner)].join());
      return [...parts.values()].flatMap((rows, at) => {
        const [{ owner }] = rows, component = ksys.guide.components[owner.component];
        const answers = rows.map(({ owner }) => ksys.answer(owner, provider));
        const facts = [
          // The facts about the owner can be about another provider.
          ...at || rows.every(({ owner }) => ksys.isElsewhere(owner, provider)) ? [] : [[says.installedBy, component.installed_by]],
          ...once(answers.map((answer) => answer.recreation ?? answer.restoredBy)).map((text) => [says.restoredBy, text]),
          ...once(answers.map(({ impact }) => impact)).map((text) => [says.impact, text]),
        ].filter(([, text]) => text);
        const title = owner.section ? [link({ ...component, name: described(owner) || component.name }, owner.section)] : prose(described(owner));
        // The verdict of the others is in the line of the component.
        const own = parts.size > 1 && owner.section ? verdicts(rows, provider) : [];
        return [
          ...title.join("") ? [make("div", { className: "explain-part" }, make("p", {}, ...title), ...own)] : [],
          ...facts.length ? [make("dl", {}, ...facts.map(([dt, dd]) => make("div", {}, make("dt", { textContent: dt }), make("dd", {}, ...prose(dd)))))] : [],
          printedRows(rows, headers),
        ];
      });
    }

    /** Returns the line of a component, or of an object without a component. */
    function line(rows, found, headers) {
      const [{ owner }] = rows, component = owner && ksys.guide.components[owner.component];
      const sick = rows.filter(isSick), reasons = found.idle.filter(({ line }) => rows.some((row) => row.line === line)).map(({ selector }) => selector);
      const outdated = component && found.outdated.find(({ component: id }) => id === component.id);
      const parts = Map.groupBy(rows, ({ owner }) => owner && [owner.section, described(owner)].join()), only = owner && parts.size === 1;
      const name = make("th", { scope: "row" }, ...component ? [...mark(component), link(component, only && owner.section)] : [code(unknownObject(rows[0]))]);
      if (outdated) name.append(" ", badge("state", outdated.state));
      const what = make("td", {}, make("p", {}, ...component ? prose((only && !owner.copy && !isLine(rows[0]) && owner.what) || component.summary) : [says.unknown]));
      if (only && owner.copy) what.append(make("p", { className: "quiet", textContent: says.elsewhere }));
      if (outdated?.replaced_by.length) what.append(make("p", {}, ...fill(says.replacedBy, { names: links(outdated.replaced_by) })));
      const versions = component ? found.versions.filter((version) => version.component === component.id) : [];
      if (versions.length) {
        const isOld = versions.some(({ supported }) => supported === false);
        const text = `${ksys.guide.words.version}${ksys.guide.words.colon}${versions.map(sections().version).join(separator)}`;
        what.append(make("p", { className: isOld ? "explain-old" : "quiet", textContent: text }));
      }
      what.append(...once(reasons).map((selector) => make("p", { className: "quiet" }, ...idleReason(selector))));
      if (sick.length) {
        const told = new Set(), last = ({ last_restart: last }) => (last ? ` (${last})` : "");
        const items = sick.slice(0, SICK).map((row) => make("li", {}, code(object(row)), " ", make("b", { textContent: condition(row.health) }),
          ...row.health.restarts ? [" ", make("span", { className: "quiet", textContent: fill(says.restarts, { n: `${row.health.restarts}` }).join("") + last(row.health) })] : [],
          ...advice(row, told)));
        if (sick.length > SICK) items.push(make("li", { className: "quiet", textContent: fill(says.more, { n: `${sick.length - SICK}` }).join("") }));
        what.append(make("ul", { className: "explain-sick" }, ...items));
        if (component) what.append(make("p", {}, link({ ...component, name: says.check }, "symptoms")));
      }
      // One of the messages with the same meaning in a line.
      const isFirst = (row, at, all) => all.findIndex((other) => other.line === row.line && other.owner.what === row.owner.what) === at;
      const texts = owner ? rows.filter(isLine).filter(isFirst) : [], told = new Set();
      if (texts.length) {
        const items = texts.slice(0, LINES).map((row) => make("li", {}, code(row.text.slice(0, LONGEST_LINE)), ...row.owner.what ? [make("p", {}, ...prose(row.owner.what))] : [], ...advice(row, told)));
        if (texts.length > LINES) items.push(make("li", { className: "quiet", textContent: fill(says.more, { n: `${texts.length - LINES}` }).join("") }));
        what.append(make("ul", { className: "explain-lines" }, ...items));
      }
      const button = make("button", { type: "button", ariaExpanded: "false" }, make("span", { className: "explain-word", textContent: says.objects }), ` ${rows.length}`);
      const general = rows.filter(({ owner }) => owner && !owner.section);
      const may = make("td", {}, ...owner ? verdicts(general.length ? general : rows, found.guess.provider) : []);
      const element = make("tr", {}, name, what, make("td", {}, button), may);
      if (component) element.dataset.component = component.id;
      const self = {
        element,
        tags: ["all", ...sick.length ? ["unhealthy"] : [], ...outdated ? ["outdated"] : [], ...reasons.length ? ["idle"] : [], ...owner ? [] : ["unknown"]],
        // Where it stands: a component is idle if all of its rows are.
        group: sick.length ? "unhealthy" : reasons.length === rows.length ? "idle" : "components",
        text: [element.textContent, ...rows.map(({ name }) => name)].join(" ").toLowerCase(),
      };
      button.onclick = () => {
        if (!self.detail) {
          self.detail = make("tr", { className: "explain-detail" }, make("td", { colSpan: 4 }, ...details(rows, found.guess, headers)));
          self.detail.hidden = true;
          element.after(self.detail);
        }
        self.detail.hidden = !self.detail.hidden;
        button.ariaExpanded = `${!self.detail.hidden}`;
      };
      return self;
    }

    const entry = (name, ...text) => make("li", { className: "entry" }, make("p", { className: "entry-name" }, ...name), make("p", {}, ...text));

    /** Returns the findings of a kind as list items. */
    const items = {
      outdated: ({ outdated }) => outdated.map(({ component, state, replaced_by }) =>
        entry([link(known(component)), " ", badge("state", state)], ...replaced_by.length ? fill(says.replacedBy, { names: links(replaced_by) }) : [])),
      missing: ({ missing }) => missing.map(({ role, components }) => {
        const names = components.length > 1 ? fill(says.oneOf, { names: links(components) }) : links(components);
        return role ? entry([ksys.guide.roles[role]], ...names) : entry(names, known(components[0]).summary);
      }),
      idle({ idle, rows }) {
        const names = new Map(rows.map(({ line, name }) => [line, name]));
        return [...Map.groupBy(idle, ({ selector }) => selector)].map(([selector, idle]) => entry(idleReason(selector), ...list(idle.map(({ line }) => names.get(line)))));
      },
      hidden: ({ hidden }) => hidden.map((id) => make("li", {}, link(known(id)))),
      unknown({ rows }) {
        const { repository } = settings(), objects = Map.groupBy(rows.filter(({ owner }) => !owner), unknownObject);
        return [...objects].map(([object, rows]) => {
          const names = new Set(rows.map(({ name }) => name));
          const title = says.title.replace("{name}", () => object);
          const issue = `${repository.replace(/\/$/, "")}/issues/new?${new URLSearchParams({ title, body: `${says.body}\n\n    ${object}\n` })}`;
          const propose = make("a", { href: issue, rel: "external noreferrer", target: "_blank", textContent: says.contribute, ariaLabel: `${says.contribute}: ${object}` });
          return entry([code(object), times(names.size)], ...repository && ksys.couldBeComponent(rows[0]) ? [propose] : []);
        });
      },
    };

    /** Shows the lines of the chosen filter that contain the words of the search. */
    function apply() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const { element, detail, tags, text } of lines) {
        element.hidden = !tags.includes(chosen) || !words.every((word) => text.includes(word));
        if (detail) detail.hidden = element.hidden || element.querySelector("button").ariaExpanded !== "true";
      }
      for (const group of [...table.tBodies, ...root.querySelectorAll(".explain-report > section")]) {
        if (/^explain-(cost|scale)$/.test(group.id)) continue;
        group.hidden = !group.querySelector(":scope > tr:not(.explain-group, [hidden]), :is(.entries, .inline-list) > li:not([hidden])");
      }
      table.hidden = [...table.tBodies].every(({ hidden }) => hidden);
      for (const button of filters.querySelectorAll("button")) button.ariaPressed = `${button.value === chosen}`;
    }
    search.oninput = apply;

    /** Shows a result. */
    function show(found, text) {
      const labels = JSON.parse(filters.dataset.labels);
      let header = "";
      // The header of the table that each line of the input belongs to.
      const headers = ksys.kubectl.clean(text).split("\n").map((line) => {
        if (/^\W*NAME(SPACE)?\s+[A-Z]/.test(line)) header = line.trim();
        else if (!line.trim()) header = "";
        return header;
      });
      const sickUnknown = new Set(found.rows.filter((row) => !row.owner && isSick(row)).map(unknownObject));
      const groups = Map.groupBy(found.rows.filter((row) => row.owner || sickUnknown.has(unknownObject(row))), (row) => row.owner?.component ?? unknownObject(row));
      lines = [...groups.values()].map((rows) => line(rows, found, headers));
      table.append(...["unhealthy", "components", "idle"].flatMap((group) => {
        const own = lines.filter((line) => line.group === group).map(({ element }) => element);
        return own.length ? [make("tbody", {}, make("tr", { className: "explain-group" }, make("th", { scope: "rowgroup", colSpan: 4, textContent: labels[group] })), ...own)] : [];
      }));
      for (const name of ["missing", "unknown", "hidden"]) {
        const section = find(`#explain-${name}`), own = items[name](found);
        section.querySelector("ul").replaceChildren(...own);
        const number = section.querySelector(".explain-number");
        if (number) number.textContent = own.length;
        lines.push(...own.map((element) => ({ element, tags: ["all", name], text: element.textContent.toLowerCase() })));
      }
      part("cost", sections().cost(found));
      part("scale", sections().scaleDown(found));
      find("#explain-unknown details").open = find("#explain-unknown ul").childElementCount <= FEW;
      find("#explain-hidden p").replaceChildren(...found.guess.provider ? fill(says.hiddenNote, { provider: [cluster(found.guess.provider)] }) : []);
      const counts = Object.keys(labels).filter((tag) => tag !== "components").map((tag) => [tag, lines.filter((line) => tag === "all" ? line.element.dataset.component : line.tags.includes(tag)).length]);
      // Objects of the unknown that are unhealthy have a line in the table, too.
      const numbers = counts.map(([tag, count]) => [tag, tag === "unknown" ? count - sickUnknown.size : count]).filter(([tag, count]) => tag === "all" || count);
      if (!numbers.some(([tag]) => tag === chosen)) chosen = "all";
      filters.replaceChildren(...numbers.map(([value, count]) => {
        const button = make("button", { type: "button", value }, make("b", { textContent: count }), ` ${labels[value]}`);
        button.onclick = () => {
          chosen = value;
          for (const details of root.querySelectorAll(".explain-report > section details")) details.open ||= chosen !== "all";
          apply();
        };
        return button;
      }));
      apply();
    }

    /** Removes the result. */
    function clear() {
      for (const body of [...table.tBodies]) body.remove();
      lines = [];
    }

    /** Escapes a text for Markdown; text between backticks stays code. */
    const escaped = (text) => text.split(/(`[^`]+`)/).map((part, at) => part.replace(at % 2 ? /\|/g : /[\\|*_<[\]`]/g, "\\$&")).join("");

    /** Returns a result as Markdown: a table with one line for each object, the unhealthy ones first, then the other findings. */
    function markdown(found) {
      const { rows, guess } = found, titles = [says.row, says.what, says.verdict];
      const objects = [...Map.groupBy(rows, (row) => [row.namespace, row.kind, row.owner?.component, row.owner?.object ?? plain(row)].join()).values()];
      const lines = objects.sort((a, b) => b.some(isSick) - a.some(isSick)).map((all) => {
        const [row] = all, { owner } = row, sick = all.find(isSick);
        const todo = isLine(row) && row.symptom ? `<br>${ksys.guide.words.todo}${ksys.guide.words.colon}${escaped(row.symptom.action)}` : "";
        const name = `\`${object(sick ?? row)}\`${times(all.length)}${sick ? ` **${condition(sick.health)}**` : ""}`;
        if (!owner) return [name, says.unknown, ""];
        const component = ksys.guide.components[owner.component];
        const { verdict } = ksys.answer(owner, guess.provider);
        const what = `[${escaped(component.name)}](${link(component, owner.section).href}) ${escaped(described(owner) || component.summary)}${todo}`;
        return [name, what, verdict ? badge("verdict", verdict).textContent : ""];
      });
      const row = (cells) => `| ${cells.join(" | ")} |\n`;
      const text = (element) => escaped(element.textContent);
      const others = ["outdated", "missing", "idle", "hidden"].map((name) => {
        const own = items[name](found).map((item) => `- ${[...item.children].map(text).filter(Boolean).join(" – ")}\n`);
        return own.length ? `\n**${escaped(says[name])}**\n\n${own.join("")}` : "";
      });
      const troubles = rows.filter(isSick).map((row) => {
        const { words } = ksys.guide, { symptom } = row;
        const items = [[words.reason, row.health.reason && escaped(row.health.reason)], [words.symptom, symptom && escaped(symptom.symptom)], [words.todo, symptom && escaped(symptom.action)],
          [words.command, row.command && `\`${row.command}\``]];
        return `- \`${object(row)}\` **${condition(row.health)}**\n${items.filter(([, text]) => text).map(([key, text]) => `  - ${key}${words.colon}${text}\n`).join("")}`;
      });
      const wrong = troubles.length ? `\n**${escaped(JSON.parse(filters.dataset.labels).unhealthy)}**\n\n${troubles.join("")}` : "";
      const parts = [["cost", sections().cost(found)], ["scale", sections().scaleDown(found)]].map(([name, part]) => part
        ? `\n**${text(find(`#explain-${name} h2`))}**\n\n${[...part.lines, ...part.more ?? []].map((line) => `- ${escaped(line)}\n`).join("")}` : "").join("");
      return `${[...status.children].map(text).join(" · ")}\n\n${[titles, titles.map(() => "---"), ...lines].map(row).join("")}${wrong}${others.join("")}${parts}`;
    }

    /** Returns a link that contains the provider and the objects of a listing, without generated suffixes of names. */
    function share({ rows, guess }) {
      const names = new Map(rows.map(({ namespace, kind, name, owner }) => {
        const of = owner && ksys.guide.components[owner.component].listing[owner.entries[0]]?.[0];
        // The name of a static Pod ends in the name of its Node, which is replaced.
        const object = of === "StaticPod" ? ["Pod", `${owner.object}-node`] : of ? [of, owner.object] : [owner?.copy?.kind ?? kind, plain({ kind, name })];
        return [[namespace, ...object].map((word) => encodeURIComponent(word ?? "")).join("/"), owner];
      }));
      const address = () => [`${location.href.split("#")[0]}#${guess.provider ?? ""}`, ...names.keys()].join(";");
      let { length } = address();
      // Unrecognized objects are dropped first, from the end.
      const all = [...names].reverse();
      for (const [name] of [...all.filter(([, owner]) => !owner), ...all.filter(([, owner]) => owner)]) {
        if (length <= LINK) break;
        names.delete(name);
        length -= name.length + 1;
      }
      return address();
    }

    return { show, clear, markdown, share, answer, about };
  };
}
