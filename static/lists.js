// Lists that one filters. It comes after site.js and uses what that has.

// A form that chooses what to show; its state is in the address.
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

// The list of components.
for (const form of all("[data-filter]")) {
  const fits = (has, wanted) => !wanted || has.split(" ").includes(wanted);
  choosing(form, ".entry", (target, entries) => {
    const { q, area, state, verdict, provider } = Object.fromEntries(new FormData(form));
    const terms = q.normalize("NFKC").toLowerCase().split(/\s+/);
    for (const entry of entries) {
      const { words, entryState, entryVerdict, entryProviders } = entry.dataset;
      entry.hidden = !(terms.every((term) => words.includes(term)) && fits(entry.closest(".area").dataset.areaId, area)
        && fits(entryState, state) && fits(entryVerdict, verdict) && fits(entryProviders, provider));
    }
    for (const area of all("section.area")) area.hidden = !area.querySelector(".entry:not([hidden])");
  });
}

// The comparison: two providers, some columns, only what differs.
for (const form of all("[data-compare]")) {
  choosing(form, ".comparison tbody tr", (target, rows) => {
    const { a, b, differs } = form.elements;
    const columns = all("[name=column]", form);
    if (target?.name === "column") a.value = b.value = "";
    else if (a && target !== differs) {
      const two = [a.value, b.value];
      for (const box of columns) box.checked = two.includes("") || a.value === b.value || two.includes(box.value);
    }
    for (const cell of all(".comparison [data-column]")) {
      cell.hidden = columns.some((box) => !box.checked && box.value === cell.dataset.column);
    }
    for (const row of rows) {
      row.hidden = differs.checked && new Set(all("td:not([hidden])", row).map((cell) => cell.dataset.gist)).size < 2;
    }
  });
}
