// What the pages do beyond being read. Every page works without it; all words come from the page.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const words = document.getElementById("words")?.dataset ?? {};
const store = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch {} },
};
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const element = (name, properties) => Object.assign(document.createElement(name), properties);

// Colours: what the system says, or light, or dark.
for (const choice of all("[data-theme-switch]")) {
  const root = document.documentElement;
  choice.value = root.dataset.theme ?? "auto";
  choice.addEventListener("change", () => {
    const theme = choice.value === "auto" ? "" : choice.value;
    theme ? (root.dataset.theme = theme) : delete root.dataset.theme;
    store.set("theme", theme);
  });
}

// The other language, at the same section.
for (const link of all(".languages a")) {
  link.addEventListener("click", () => { link.hash = location.hash; });
}

// A form whose state is in the address, so that it can be sent to somebody.
function remembered(form, apply) {
  const fields = [...form.elements].filter((field) => field.name);
  const asked = new URLSearchParams(location.search);
  for (const field of fields) {
    const values = asked.getAll(field.name);
    if (field.type !== "checkbox") field.value = values[0] ?? field.value;
    else if (values.length) field.checked = values.includes(field.value);
    if (field.value === "" && values[0] && field.options) field.selectedIndex = 0;
  }
  const update = () => {
    const query = new URLSearchParams(location.search);
    for (const field of fields) query.delete(field.name);
    for (const field of fields) {
      const on = field.type === "checkbox" ? field.checked && !everyOther(field) : field.value.trim();
      if (on) query.append(field.name, field.value.trim());
    }
    history.replaceState(null, "", `${query.size ? `?${query}` : location.pathname}${location.hash}`);
    apply();
  };
  // All columns shown is nothing to remember.
  const everyOther = (field) => field.defaultChecked && fields.every((other) => other.name !== field.name || other.checked);
  form.addEventListener("input", update);
  form.addEventListener("reset", () => setTimeout(update));
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}

// The list of components.
for (const form of all("form[data-filter]")) {
  const entries = all(".entry[data-words]");
  const output = form.querySelector("output");
  const value = (name) => form.elements[name]?.value ?? "";
  remembered(form, () => {
    const terms = value("q").normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of entries) {
      const data = entry.dataset;
      const fits = terms.every((term) => data.words.includes(term))
        && (!value("area") || entry.closest("[data-area-id]").dataset.areaId === value("area"))
        && (!value("state") || data.entryState === value("state"))
        && (!value("verdict") || data.entryVerdict === value("verdict"))
        && (!value("provider") || data.entryProviders.split(" ").includes(value("provider")));
      entry.hidden = !fits;
      shown += fits;
    }
    for (const area of all("section.area")) area.hidden = !area.querySelector(".entry:not([hidden])");
    output.textContent = shown ? fill(output.dataset.count, { n: shown, total: entries.length }) : output.dataset.empty;
  });
}

// The comparison: two providers, some columns, only what differs.
for (const form of all("form[data-compare]")) {
  const rows = all("table.comparison tbody tr");
  const output = form.querySelector("output");
  const { a, b } = form.elements;
  const columns = all("[name=column]", form);
  form.addEventListener("input", ({ target }) => {
    const two = a?.value && b?.value && a.value !== b.value;
    if (target === a || target === b) for (const box of columns) box.checked = !two || box.value === a.value || box.value === b.value;
    else if (target.name === "column") a.value = b.value = "";
  });
  remembered(form, () => {
    const hidden = new Set(columns.filter((box) => !box.checked).map((box) => box.value));
    for (const cell of all("table.comparison [data-column]")) cell.hidden = hidden.has(cell.dataset.column);
    let shown = 0;
    for (const row of rows) {
      const gists = new Set(all("td:not([hidden])", row).map((cell) => cell.dataset.gist));
      row.hidden = form.elements.differs.checked && gists.size < 2;
      shown += !row.hidden;
    }
    output.textContent = fill(output.dataset.count, { n: shown, total: rows.length });
  });
}

// Tabs: the same label is chosen everywhere, and on the next page.
const groups = all("[data-tabs]").map((group, number) => {
  const panels = all(":scope > .tab", group);
  const list = element("div", { className: "tab-list" });
  list.setAttribute("role", "tablist");
  const tabs = panels.map((panel, index) => {
    const tab = element("button", { type: "button", id: `tab-${number}-${index}`, innerHTML: panel.querySelector(".tab-label").innerHTML });
    tab.setAttribute("role", "tab");
    panel.id ||= `panel-${number}-${index}`;
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => choose(panel.dataset.tab, tab));
    list.append(tab);
    return tab;
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length);
    next.focus();
    next.click();
  });
  group.prepend(list);
  group.classList.add("ready");
  return { panels, tabs };
});
function show({ panels, tabs }, index) {
  panels.forEach((panel, i) => { panel.hidden = i !== index; });
  tabs.forEach((tab, i) => { tab.setAttribute("aria-selected", i === index); tab.tabIndex = i === index ? 0 : -1; });
}
function choose(label, pressed) {
  const before = pressed?.getBoundingClientRect().top;
  for (const group of groups) {
    const index = group.panels.findIndex((panel) => panel.dataset.tab === label);
    if (index >= 0) show(group, index);
  }
  if (pressed) {
    scrollBy(0, pressed.getBoundingClientRect().top - before);
    store.set("tab", label);
  }
}
for (const group of groups) show(group, 0);
if (groups.length) choose(store.get("tab"));

// Copy code: what was typed, not what was printed.
for (const code of navigator.clipboard ? all("figure.code code") : []) {
  const button = element("button", { type: "button", className: "copy", textContent: words.copy });
  button.addEventListener("click", async () => {
    const copy = code.cloneNode(true);
    for (const prompt of all(".prompt", copy)) prompt.remove();
    for (const output of all(".output", copy)) output.textContent = "\0";
    await navigator.clipboard.writeText(copy.textContent.replace(/\n*\0[\0\n]*/g, "\n").replace(/^\n+/, ""));
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  code.closest("figure").append(button);
}

// Terms explain themselves to fingers and keyboards, too.
for (const term of all("abbr[title]")) {
  term.dataset.meaning = term.title;
  term.addEventListener("pointerenter", (event) => { if (event.pointerType === "touch") term.removeAttribute("title"); });
}

// The section that is being read.
const links = new Map(all(".contents a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
if (headings.length) {
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    for (const [id, link] of links) id === current?.id ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  };
  let waiting = false;
  addEventListener("scroll", () => { waiting ||= requestAnimationFrame(() => { waiting = false; mark(); }); }, { passive: true });
  mark();
}
