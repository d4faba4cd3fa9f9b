// The page that explains a listing that the user pastes, types, drops or opens. The listing never leaves the page, whose Content Security Policy forbids
// connections; the explain data is loaded as a script.
for (const root of document.querySelectorAll("[data-explain]")) {
  // Milliseconds: from the last keystroke until the input is explained; until a message asks the user to wait; for which "copied" is shown.
  const PAUSE = 150, WAIT = 400, COPIED = 2000;
  // Rows that are rendered at a time. With the style sheet, the browser lays out only the visible ones.
  const ROWS = 100;
  // The maximum length of a link in characters, as chat programs accept it, and of a file in bytes.
  const LINK = 8000, FILE = 2 ** 24;
  // The number of area colours; areas beyond it start again with the first colour.
  const COLOURS = 12;
  // Up to this many unrecognized names are shown without expanding the list.
  const FEW = 12;

  const find = (selector) => root.querySelector(selector);
  const [input, provider, file] = ["textarea", "select", "[type=file]"].map(find);
  const [status, report, table] = [".explain-status", ".explain-report", "#explain-results"].map(find);
  const [parts, copied, badges] = [".explain-parts", "output", ".explain-badges"].map(find);
  const { separator } = root.dataset;
  // A `file:` URL of a folder does not open its index page.
  const page = location.protocol === "file:" ? "index.html" : "";

  let settings = JSON.parse(root.dataset.explain);
  let loading, shown, turn = 0, pause, saying;

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const code = (textContent) => make("code", { textContent });
  /** Converts the text of a fact to nodes, with text between backticks as code. */
  const prose = (text) => text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? code(part) : part));
  const list = (items) => items.flatMap((item, at) => (at ? [separator, item] : [item]));
  /** Replaces the `{…}` placeholders of a text with nodes. */
  const fill = (words, values) => words.split(/\{(\w+)\}/).flatMap((piece, at) => (at % 2 ? values[piece] : [piece]));
  const badge = (name, value) => badges.content.querySelector(`[data-${name}="${value}"]`).cloneNode(true);

  const times = (n) => (n > 1 ? ` × ${n}` : "");
  const known = (id) => ksys.guide.components.find((component) => component.id === id);
  const link = ({ id, name }, section) => make("a", { href: `${settings.components}${id}/${page}${section ? `#${section}` : ""}`, textContent: name });
  /** Returns the mark of a component's area, as shown next to links on other pages. */
  const mark = ({ area }) => {
    const [textContent] = ksys.guide.areas[area] ?? [];
    if (!textContent) return [];
    const span = make("span", { className: "mark", textContent, ariaHidden: "true" });
    span.dataset.area = area % COLOURS + 1;
    return [span];
  };
  const links = (ids) => list(ids.map((id) => known(id) ? link(known(id)) : id));
  const cluster = (id) => {
    const { dataset, textContent } = [...provider.options].find(({ value }) => value === id);
    return make("a", { href: dataset.href + page, textContent });
  };

  /** Loads the explain data on first use. */
  const load = () => loading ??= new Promise((onload, onerror) => document.head.append(make("script", { src: settings.guide, onload, onerror })));

  /** Explains the text in the box; resolves when the report is shown. */
  async function run() {
    clearTimeout(pause);
    const mine = ++turn;
    if (!input.value.trim()) return show();
    const wait = setTimeout(() => say([status.dataset.wait]), WAIT);
    try {
      await load();
      if (mine === turn) show(ksys.explain(input.value, provider.value || null));
    } catch (error) {
      loading = null;
      console.error(error);
      if (mine !== turn) return;
      show();
      say([status.dataset.failed]);
    } finally {
      clearTimeout(wait);
    }
  }

  /** Shows status lines, unless they are unchanged: screen readers announce every replacement. */
  function say(...lines) {
    const fresh = status.cloneNode();
    fresh.append(...lines.map((line) => make("p", {}, ...line)));
    if (!fresh.isEqualNode(status)) status.replaceChildren(...fresh.children);
  }

  function show(found) {
    shown = found?.rows.length ? found : null;
    report.hidden = !shown;
    for (const body of [...table.tBodies]) body.remove();
    if (!shown) return say(...found ? [[status.dataset.nothing]] : []);
    const all = found.rows.length;
    say(answer(found.guess), fill(status.dataset.count, { known: [`${found.rows.filter(({ owner }) => owner).length}`], all: [`${all}`] }));
    const told = new Set();
    const add = (from) => table.append(make("tbody", {}, ...found.rows.slice(from, from + ROWS).map((_, at) => row(found, from + at, told))));
    add(0);
    beyond(found);
    // The first rows are visible while the others are rendered.
    (async (mine) => {
      for (let from = ROWS; from < all; from += ROWS) {
        await new Promise((next) => setTimeout(next));
        if (mine !== turn) return;
        add(from);
      }
    })(turn);
  }

  /** Returns the provider of the cluster and the reasons for the guess. */
  function answer({ provider: id, asked, names, marks, others }) {
    const says = status.dataset;
    const given = id && [make("b", {}, cluster(id))];
    if (asked) return fill(says.asked, { provider: given });
    if (marks.length) return fill(says.marks, { provider: given, marks: list(marks.map((mark) => code(mark.trim()))) });
    if (names.length) return fill(says.names, { provider: given, names: list(names.map(code)) });
    return given ?? (others.length ? fill(says.maybe, { providers: list(others.map(cluster)) }) : [says.no]);
  }

  const object = ({ namespace, kind, name }) => [namespace, (kind ? `${kind.toLowerCase()}/` : "") + name].filter(Boolean).join(" ");
  /** Returns the text of a row as printed; for an object in YAML or JSON, its namespace, kind and name. */
  const printed = (row) => (/^(?:- )?(?:[{[]|"?name"?\s*:)/i.test(row.text) ? object(row) : row.text);

  /** Returns a key for the meaning of a row. Consecutive rows with the same key share one explanation, below the last one. */
  const meaning = (row) => row && (row.owner ? [row.owner.component, row.owner.section, row.owner.what, row.owner.controller].join() : "-");

  function row({ rows, guess }, at, told) {
    const { owner } = rows[at];
    const ends = meaning(rows[at + 1]) !== meaning(rows[at]);
    const line = make("tr", { className: ends ? "" : "goes-on" }, make("th", { scope: "row" }, code(printed(rows[at]))));
    const what = make("td"), may = make("td");
    line.append(what, may);
    const component = owner && ksys.guide.components[owner.component];
    if (owner) line.dataset.component = component.id;
    const name = owner ? component.name : table.dataset.unknown;
    if (!ends) {
      what.append(make("span", { className: "hidden", textContent: name }));
      return line;
    }
    what.className = `listing-what${owner ? "" : " quiet"}`;
    may.className = "listing-verdict";
    if (!owner) {
      what.append(name);
      return line;
    }
    what.append(...mark(component), link(component, owner.section), " ", make("span", {}, ...prose(owner.what || component.summary)));
    const answer = ksys.answer(owner, guess.provider);
    if (answer.verdict) may.append(badge("verdict", answer.verdict));
    // Details are shown only for the first row with the same answer, the installer only for the first row of a component.
    const isNew = (key) => !told.has(key) && told.add(key);
    const labels = table.dataset, part = `${owner.component} ${owner.section}`;
    const installer = isNew(part) ? [[labels.installedBy, component.installed_by]] : [];
    const details = isNew(`${part} ${owner.controller}`) ? [[labels.restoredBy, answer.recreation ?? answer.restoredBy], [labels.impact, answer.impact]] : [];
    const shown = [...installer, ...details].filter(([, text]) => text);
    if (shown.length) what.append(make("dl", {}, ...shown.map(([dt, dd]) => make("div", {}, make("dt", { textContent: dt }), make("dd", {}, ...prose(dd))))));
    return line;
  }

  /** Shows the parts of the report that are not about a single row. */
  function beyond({ rows, guess, outdated, missing, idle, hidden }) {
    parts.replaceChildren();
    const entry = (name, ...text) => make("li", { className: "entry" }, make("p", { className: "entry-name" }, ...name), make("p", {}, ...text));
    const part = (name, entries) => {
      const section = find(`#explain-${name}`);
      const items = entries(section.dataset);
      section.hidden = !items.length;
      section.querySelector("ul").replaceChildren(...items);
      const number = section.querySelector(".explain-number");
      if (number) number.textContent = items.length;
      if (items.length) parts.append(make("li", {}, make("a", { href: `#${section.id}`, textContent: section.querySelector("h2").textContent })));
      return section;
    };
    part("outdated", (says) => outdated.map(({ component, state, replaced_by }) =>
      entry([link(known(component)), " ", badge("state", state)], ...replaced_by.length ? fill(says.replacedBy, { names: links(replaced_by) }) : [])));
    part("missing", (says) => missing.map(({ role, components }) => {
      const names = components.length > 1 ? fill(says.oneOf, { names: links(components) }) : links(components);
      return role ? entry([ksys.guide.roles[role]], ...names) : entry(names, known(components[0]).summary);
    }));
    part("idle", (says) => {
      const lines = new Map(rows.map((row) => [row.line, row]));
      const reasons = Map.groupBy(idle, ({ selector }) => selector);
      return [...reasons].map(([selector, idle]) => {
        const names = idle.map(({ line }) => {
          const { name, owner } = lines.get(line);
          return owner ? Object.assign(link(ksys.guide.components[owner.component], owner.section), { textContent: name }) : name;
        });
        return entry(selector ? fill(says.selector, { labels: [make("code", {}, ...selector.split(/(?<=,)/).flatMap((label) => [label, make("wbr")]))] }) : [says.unknown], ...list(names));
      });
    });
    const sight = part("hidden", () => hidden.map((id) => make("li", {}, link(known(id)))));
    sight.querySelector("p").replaceChildren(...guess.provider ? fill(sight.dataset.note, { provider: [cluster(guess.provider)] }) : []);

    const unknown = Map.groupBy(rows.filter(({ owner }) => !owner), (row) => [row.kind, plain(row)].join(" ").trim());
    part("unknown", (says) => [...unknown].map(([object, rows]) => {
      const names = new Set(rows.map(({ name }) => name));
      const title = says.title.replace("{name}", () => object);
      const issue = `${settings.repository.replace(/\/$/, "")}/issues/new?${new URLSearchParams({ title, body: `${says.body}\n\n    ${object}\n` })}`;
      const propose = make("a", { href: issue, rel: "external noreferrer", target: "_blank", textContent: says.contribute, ariaLabel: `${says.contribute}: ${object}` });
      return entry([code(object), times(names.size)], ...settings.repository ? [propose] : []);
    })).querySelector("details").open = unknown.size <= FEW;
  }

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

  /* ---- Copy and share ---- */

  /** Escapes a text for Markdown; text between backticks stays code. */
  const escaped = (text) => text.split(/(`[^`]+`)/).map((part, at) => part.replace(at % 2 ? /\|/g : /[\\|*_<[\]`]/g, "\\$&")).join("");

  /** Returns the report as Markdown: a table with one line for each object, then the parts that are not about a single row. */
  function markdown({ rows, guess }) {
    const titles = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent);
    const objects = Map.groupBy(rows, (row) => [row.namespace, row.kind, row.owner?.component, row.owner?.object ?? plain(row)].join());
    const lines = [...objects.values()].map((all) => {
      const [row] = all, { owner } = row;
      const name = `\`${object(row)}\`${times(all.length)}`;
      if (!owner) return [name, table.dataset.unknown, ""];
      const component = ksys.guide.components[owner.component];
      const { verdict } = ksys.answer(owner, guess.provider);
      const what = `[${escaped(component.name)}](${link(component, owner.section).href}) ${escaped(owner.what || component.summary)}`;
      return [name, what, verdict ? badge("verdict", verdict).textContent : ""];
    });
    const row = (cells) => `| ${cells.join(" | ")} |\n`;
    const text = (element) => escaped(element.textContent);
    const sections = [...report.querySelectorAll("section:not([hidden], #explain-unknown)")].map((section) => {
      const items = [...section.querySelectorAll("li")].map((item) => `- ${[...item.children].map(text).filter(Boolean).join(" – ")}\n`);
      return `\n**${text(section.querySelector("h2"))}**\n\n${items.join("")}`;
    });
    return `${[...status.children].map(text).join(" · ")}\n\n${[titles, titles.map(() => "---"), ...lines].map(row).join("")}${sections.join("")}`;
  }

  /** Returns a link that contains the provider and the objects of a listing, without generated suffixes of names. */
  function share({ rows, guess }) {
    const names = new Map(rows.map(({ namespace, kind, name, owner }) => {
      const of = owner && ksys.guide.components[owner.component].listing[owner.entries[0]][0];
      // The name of a static Pod ends in the name of its Node, which is replaced.
      const object = of === "StaticPod" ? ["Pod", `${owner.object}-node`] : of ? [of, owner.object] : [kind, plain({ kind, name })];
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

  /** Explains the objects in the fragment of such a link. */
  async function restore() {
    const [id, ...names] = location.hash.slice(1).split(";");
    if (!names.length) return;
    try {
      input.value = names.map((name) => {
        const [namespace, kind, ...rest] = name.split("/").map(decodeURIComponent);
        return `${namespace && `${namespace} `}${kind && `${kind}/`}${rest.join("/")}\n`;
      }).join("");
    } catch {
      return;
    }
    provider.value = "";
    await run();
    // The names alone may not be enough to detect the provider.
    const known = [...provider.options].some(({ value }) => value === id);
    if (!known || shown?.guess.provider === id) return;
    provider.value = id;
    run();
  }

  /* ---- Actions ---- */

  async function copy(text) {
    await navigator.clipboard.writeText(text);
    copied.textContent = copied.dataset.copied;
    clearTimeout(saying);
    saying = setTimeout(() => { copied.textContent = ""; }, COPIED);
  }

  async function open(files) {
    const texts = [...files].map(async (file) => {
      const bytes = new Uint8Array(await file.slice(0, FILE).arrayBuffer());
      // PowerShell redirects output to files in UTF-16.
      return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16" : "utf-8").decode(bytes);
    });
    put((await Promise.all(texts)).join("\n"));
  }

  function put(text) {
    input.value = text;
    input.scrollTo(0, 0);
    run();
  }

  const actions = {
    example: () => put(find(".explain-example").content.textContent),
    clear() {
      provider.value = "";
      put("");
      input.focus();
    },
    copy: () => copy(markdown(shown)),
    share: () => copy(share(shown)),
  };
  for (const button of root.querySelectorAll("[data-do]")) button.onclick = () => actions[button.dataset.do]();
  find(".explain-copies").hidden = !navigator.clipboard;
  input.onfocus = () => { load().catch(() => { loading = null; }); };
  input.oninput = ({ inputType }) => {
    clearTimeout(pause);
    pause = setTimeout(run, /Paste|Drop/.test(inputType) ? 0 : PAUSE);
  };
  provider.onchange = run;
  file.onchange = () => {
    open(file.files);
    // Otherwise opening the same file again would not be a change.
    file.value = "";
  };

  // A file can be dropped anywhere on the page.
  const has = (event) => event.dataTransfer.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) root.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    root.classList.remove("dropping");
    if (!has(event)) return;
    event.preventDefault();
    open(event.dataTransfer.files);
  });

  // When `ksys-docs serve` has updated the explain data, the listing is explained again.
  document.addEventListener("ksys:update", () => {
    const before = settings.guide;
    settings = JSON.parse(root.dataset.explain);
    if (settings.guide === before || !loading) return;
    loading = null;
    run();
  });
  window.addEventListener("hashchange", restore);
  restore();
  // Browsers restore the text of the box after a reload.
  if (input.value && !turn) run();
}
