// The search box: results while the user types, below the box or on the results page.
{
  const { words } = ksys;
  // The number of results below the box, and at a time on the results page.
  const SHORT = 7, LONG = 20;
  // The next language is searched if there are fewer results, or if more words have none: each language costs tens of kilobytes.
  const ENOUGH = 3, LOST = 1;
  // The length of the longest katakana term in characters, with the long vowel marks that the index omits.
  const MAX_TERM = 12;
  // Milliseconds from the last keystroke until the search begins, and until a message asks the user to wait.
  const PAUSE = 90, WAIT = 400;

  const form = document.querySelector("[data-search]");
  const input = form.querySelector("input");
  const list = document.querySelector("#search-results");
  const status = document.querySelector(".search-status");
  const panel = form.querySelector(".search-panel");
  const more = document.querySelector(".search-more");
  const { root, results } = form.dataset;
  const says = JSON.parse(form.dataset.words);
  const languages = form.dataset.languages.split("|").map((entry) => entry.split(" "));
  // A `file:` URL of a folder does not open its index page.
  const page = location.protocol === "file:" ? "index.html" : "";
  const address = (q) => `${results}${page}?${new URLSearchParams({ q })}`;
  const { area, provider } = form.elements;

  let asked, running, facts = [], hits = [], shown = 0, turn = 0, pause, facets;

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const span = (name, ...children) => make("span", { className: name }, ...children);

  /** Searches in all languages, the language of the page first. */
  async function find(query) {
    const all = [];
    let meant, answers;
    for (const [lang, ...name] of languages) {
      const index = await ksys.open(root, lang);
      const found = await index.search(query, cluster.provider);
      meant ??= found.meant;
      answers ??= await index.answers(query, found.hits, cluster.provider);
      const own = all.slice();
      for (const hit of found.hits) {
        // The same page in another language is skipped, unless it covers more of the query, in another section.
        const same = own.find(({ document }) => document === hit.document);
        if (same && hit.coverage <= own[0].coverage) continue;
        all.push({ ...hit, index, terms: found.terms, lang: lang === languages[0][0] ? "" : lang, name: name.join(" ") });
      }
      if (all.length >= ENOUGH && found.lost <= LOST) break;
    }
    return { all, meant, answers };
  }

  const fits = ({ document }) => {
    const [of, ...at] = facets.documents[document];
    return (!area.value || facets.areas[of]?.id === area.value) && (!provider.value || at.some((number) => facets.providers[number].id === provider.value));
  };

  /** Shows the hits of what is in the box. Returns the promise of the search that is under way, if it is the same. */
  function run(again) {
    const query = input.value.trim();
    if (query !== asked || again === true) running = ask(query);
    return running;
  }

  async function ask(query) {
    asked = query;
    const mine = ++turn;
    const wait = setTimeout(() => { if (mine === turn) say(says.wait); }, WAIT);
    try {
      const found = query ? await find(query) : { all: [], answers: [] };
      if (mine !== turn) return;
      if (more) await choose();
      hits = more && facets ? found.all.filter(fits) : found.all;
      shown = 0;
      facts = found.answers;
      const n = hits.length;
      await show();
      if (mine === turn) say(!query ? "" : n ? (found.meant ? says.meant : "") + (n === 1 ? says.one : says.count) : says.none);
    } catch {
      if (mine !== turn) return;
      asked = list.textContent = "";
      say(says.failed);
    } finally {
      clearTimeout(wait);
    }
  }

  function say(text) {
    status.textContent = text.replace("{n}", hits.length).replace("{q}", () => asked);
    open(text);
  }

  /** Shows the first results, or appends the next ones. */
  async function show() {
    const mine = turn;
    const part = hits.slice(shown, shown + (more ? LONG : SHORT));
    const read = await Promise.all(part.map((hit) => hit.index.read(hit)));
    if (mine !== turn) return;
    const items = part.flatMap((hit, at) => {
      const before = hits[shown + at - 1];
      const head = hit.lang && hit.lang !== before?.lang ? [make(more ? "li" : "div", { className: "search-language", textContent: hit.name, lang: hit.lang })] : [];
      return [...head, item(hit, read[at], shown + at)];
    });
    list.replaceChildren(...shown ? list.children : facts.map(answer), ...items);
    shown += part.length;
    if (more) more.hidden = shown >= hits.length;
    else form.querySelector(".search-all a").href = address(asked);
    point(-1);
  }

  /** A fact that answers the query, above the hits. */
  function answer([title, text, url, checked], number) {
    const link = make("a", { className: "hit answer", href: root + (page ? url.replace(/(?=#|$)/, page) : url) },
      span("hit-title", title),
      span("hit-area", ...checked ? [make("time", { dateTime: checked, textContent: checked })] : []),
      ...text.split("\n").map((line) => span("hit-text", line)));
    return option(link, `answer-${number}`);
  }

  const option = (link, id) => more ? make("li", {}, link) : Object.assign(link, { id, role: "option", tabIndex: -1, ariaSelected: false });

  function item({ lang, printed, terms }, { url, title, area, lang: written, summary = "", verdicts = [], section = [] }, number) {
    const [anchor = "", heading] = section;
    const { 2: kind, 3: name } = printed?.entries[0] ?? [];
    const at = verdicts.some(([of]) => of === anchor) ? anchor : "";
    const link = make("a", { className: "hit", href: root + url + page + (anchor ? `#${encodeURIComponent(anchor)}` : "") },
      span("hit-title", ...marked(title, terms), ...heading ? [span("hit-section", ...marked(heading, terms))] : []),
      span("hit-area", area?.[0] ?? ""),
      ...kind ? [span("hit-printed", make("code", { textContent: `${kind} ${name}` }))] : [],
      span("hit-verdicts", ...verdicts.filter(([of]) => of === at).map(([, kinds, id, label]) => {
        const verdict = span("verdict", label);
        verdict.dataset.verdict = id;
        return span("hit-verdict", kinds, verdict);
      })),
      span("hit-text", ...marked(summary, terms)));
    if (area) {
      const mark = make("span", { className: "mark", textContent: area[2], ariaHidden: true });
      mark.dataset.area = area[1];
      link.firstChild.prepend(mark);
    }
    if (lang || written) link.lang = link.hreflang = written || lang;
    return option(link, `hit-${number}`);
  }

  function marked(text, terms) {
    let done = 0;
    const parts = ranges(text, terms).flatMap(([from, to]) => {
      const before = text.slice(done, from);
      done = to;
      return [before, make("mark", { textContent: text.slice(from, to) })];
    });
    return [...parts, text.slice(done)];
  }

  /** Returns the positions of the terms in a text as pairs of offsets. */
  function ranges(text, terms) {
    // Normalized letter by letter, to map offsets back to the text.
    const back = [];
    let normal = "", at = 0;
    for (const letter of text) {
      for (const plain of words.normal(letter)) {
        back.push(...Array(plain.length).fill(at));
        normal += plain;
      }
      at += letter.length;
    }
    back.push(at);
    const found = [];
    for (const { kind, text: run, at } of words.pieces(normal)) {
      if (kind === "word") {
        if (words.terms(run).some(([term]) => terms.has(term))) found.push([at, at + run.length]);
        continue;
      }
      for (let from = 0; from < run.length; from++) {
        let to = Math.min(run.length, from + MAX_TERM);
        while (to > from && !terms.has(words.shortened(run.slice(from, to)))) to--;
        if (to > from) {
          found.push([at + from, at + to]);
          from = to - 1;
        }
      }
    }
    return found.map(([from, to]) => [back[from], back[to]]);
  }

  // The list below the box follows the combobox pattern: the focus stays in the box.
  let active = -1;
  function point(to) {
    const options = list.querySelectorAll("[role=option]");
    active = to < 0 || !options.length ? -1 : to % options.length;
    options.forEach((option, at) => { option.ariaSelected = at === active; });
    if (active < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", options[active].id);
      options[active].scrollIntoView({ block: "nearest" });
    }
    return options;
  }
  function open(yes) {
    if (more) return;
    panel.hidden = !yes;
    input.ariaExpanded = !panel.hidden;
  }
  if (!more) {
    Object.assign(input, { role: "combobox", ariaAutoComplete: "list" });
    input.setAttribute("aria-controls", list.id);
    list.role = "listbox";
    open();
    input.onkeydown = (event) => {
      const { key, isComposing } = event;
      const down = key === "ArrowDown", up = key === "ArrowUp";
      if (isComposing) return;
      if (key === "Escape") {
        if (panel.hidden) input.value = asked = "";
        open();
        point(-1);
      } else if (down || up) {
        open(asked);
        const count = list.querySelectorAll("[role=option]").length;
        point(down ? active + 1 : (active < 1 ? count : active) - 1);
      } else if (key === "Enter" && active >= 0) list.querySelectorAll("[role=option]")[active].click();
      else return;
      event.preventDefault();
    };
    form.onfocusout = ({ relatedTarget }) => { if (!form.contains(relatedTarget)) open(); };
    input.onfocus = () => open(asked);
    list.onmousedown = (event) => event.preventDefault();
  }
  form.onsubmit = async (event) => {
    event.preventDefault();
    const query = input.value.trim();
    if (more || !query) return run();
    // An exact name, flag or row leads to its page, anything else to all results.
    clearTimeout(pause);
    await run();
    const exact = query === asked && (hits[0]?.whole || hits[0]?.printed?.row.whole) && list.querySelector(".hit:not(.answer)");
    location.href = exact ? exact.href : address(query);
  };

  /** On the results page: fills the filters once, and writes their state to the address. */
  async function choose() {
    if (!facets) {
      facets = await (await ksys.open(root, languages[0][0])).file("facets");
      for (const [field, all] of [[area, facets.areas], [provider, facets.providers]]) {
        field.append(...all.map(({ id, label, name }) => make("option", { value: id, textContent: label ?? name })));
        field.value = given.get(field.name) ?? "";
        if (!field.value) field.value = "";
      }
    }
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
    history.replaceState(null, "", (state.size ? `?${state}` : location.pathname) + location.hash);
  }
  const given = new URLSearchParams(location.search);
  if (more) {
    input.value ||= given.get("q") ?? "";
    area.onchange = provider.onchange = () => run(true);
    more.onclick = async () => {
      const from = shown;
      await show();
      list.querySelectorAll("a")[from].focus();
    };
  }

  input.oninput = () => {
    clearTimeout(pause);
    pause = setTimeout(run, PAUSE);
  };
  run();
}
