// Filters for lists. Loaded after site.js, whose functions it uses.

// A form that filters the items of a list; its state is in the address.
function choosing(form, selector, show) {
  const output = form.querySelector("output");
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = all("[name]", form).find((field) => field.name === name);
    if (field?.type === "checkbox") field.checked = true;
    else if (field) field.value = value;
  }
  const apply = ({ target }) => {
    const items = all(selector);
    show(target, items);
    const n = items.filter((item) => !item.hidden).length;
    output.textContent = (n ? output.dataset.count : output.dataset.empty).replace("{n}", n).replace("{total}", items.length);
  };
  form.oninput = async (event) => {
    apply(event);
    if (await completeAreas()) apply(event);
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim() && name !== "column") query.set(name, value.trim());
    history.replaceState(null, "", `${location.pathname}${query.size ? "?" : ""}${query}${location.hash}`);
  };
  form.onreset = () => setTimeout(() => form.oninput({}));
  form.onsubmit = () => false;
  keep((event) => apply({ target: event && form.elements.differs }));
  // A choice from the address.
  if (location.search) form.oninput({});
}

// The searchable text of an entry: its name, id, summary and sections, and the other words from its data attribute.
function wordsOf(entry) {
  const links = all("a", entry).flatMap((link) => [link.textContent, link.getAttribute("href")]);
  return [entry.dataset.words, ...links, entry.querySelector(".entry-summary")?.firstChild?.data, entry.querySelector(".entry-fields")?.textContent].join(" ").normalize("NFKC").toLowerCase();
}

// Replaces the names of components by whole entries, from the pages of their areas, when the reader filters the list of all components. Returns whether it did.
let completed;
document.addEventListener("ksys:update", () => { completed = undefined; });
const completeAreas = () => completed ??= (async () => {
  const areas = location.protocol === "file:" ? [] : all(".area[data-full]");
  const replaced = await Promise.all(areas.map(async (area) => {
    const response = await fetch(area.dataset.full).catch(() => ({}));
    if (!response.ok) return false;
    const list = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".entries");
    // The page of an area is in a folder of this page.
    for (const link of all("[href^='../']", list)) link.setAttribute("href", link.getAttribute("href").slice(3));
    area.querySelector(".entries").replaceWith(document.adoptNode(list));
    area.querySelector(".entry-names").remove();
    return true;
  }));
  return replaced.some(Boolean);
})();

// The lists of components, providers and concepts.
for (const form of all("[data-filter]")) {
  const fits = (has = "", wanted) => !wanted || has.split(" ").includes(wanted);
  choosing(form, ".entry", (target, entries) => {
    const { q, area, state, verdict, provider, ...fields } = Object.fromEntries(new FormData(form));
    const terms = q.normalize("NFKC").toLowerCase().split(/\s+/);
    for (const entry of entries) {
      const { entryState, entryVerdict, entryProviders, entryFields } = entry.dataset;
      const words = q.trim() && wordsOf(entry);
      entry.hidden = !(terms.every((term) => words.includes(term)) && fits(entry.closest(".area")?.dataset.areaId, area)
        && fits(entryState, state) && fits(entryVerdict, verdict) && fits(entryProviders, provider)
        && Object.entries(fields).every(([name, value]) => fits(entryFields, value && `${name}:${value}`)));
    }
    for (const area of all("section.area")) area.hidden = !area.querySelector(".entry:not([hidden])");
  });
}
