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
  form.oninput = (event) => {
    apply(event);
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim() && name !== "column") query.set(name, value.trim());
    history.replaceState(null, "", `${location.pathname}${query.size ? "?" : ""}${query}${location.hash}`);
  };
  form.onreset = () => setTimeout(() => form.oninput({}));
  form.onsubmit = () => false;
  keep((event) => apply({ target: event && form.elements.differs }));
}

// The searchable text of an entry: its name, id, summary and sections, and the other words from its data attribute.
function wordsOf(entry) {
  const links = all("a", entry).flatMap((link) => [link.textContent, link.getAttribute("href")]);
  return [entry.dataset.words, ...links, entry.querySelector(".entry-summary").firstChild?.data, entry.querySelector(".entry-fields")?.textContent].join(" ").normalize("NFKC").toLowerCase();
}

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

// The components, presences and forms in a cell of the comparison, without prose.
const gist = (cell) => all(".claim", cell).map((claim) => [".claim-name", ".presence", ".form"].map((part) => claim.querySelector(part)?.textContent)).join(";");

// The comparison: two providers, a selection of columns, or only the rows that differ.
for (const form of all("[data-compare]")) {
  choosing(form, ".comparison tbody tr", (target, rows) => {
    const { a, b, differs } = form.elements;
    const columns = all("[name=column]", form);
    if (target?.name === "column") a.value = b.value = "";
    else if (a && target !== differs) {
      const two = [a.value, b.value];
      for (const box of columns) box.checked = two.includes("") || a.value === b.value || two.includes(box.value);
    }
    const table = document.querySelector(".comparison");
    // The first column has the labels of the rows.
    for (const { cells } of table.rows) columns.forEach((box, at) => { cells[at + 1].hidden = !box.checked; });
    if (a) table.classList.toggle("two", columns.filter((box) => box.checked).length < 3);
    for (const row of rows) row.hidden = differs.checked && new Set(all("td:not([hidden])", row).map(gist)).size < 2;
  });
}
