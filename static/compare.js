// The comparison: the chosen providers in the chosen order, as many as fit, and the details of a role. The choice is in the address. Loaded after site.js.
for (const form of all("[data-compare]")) {
  // The least width of a column in pixels, and that of the column of roles.
  const COLUMN = 112, ROLES = 160;
  const table = document.querySelector(".comparison"), rows = [...table.tBodies[0].rows];
  const output = form.querySelector("output"), pages = form.querySelector(".compare-pages"), { differs } = form.elements;
  const boxes = all("[name=column]", form), every = all("thead [data-column]", table).map((head) => head.dataset.column);
  // The chosen providers in order; none stands for all, the reader's own first.
  let chosen = (query.get("columns") ?? "").split(",").filter((id) => every.includes(id)), first = 0;
  const shownColumns = () => chosen.length ? chosen : [...every].sort((a, b) => (b === cluster.provider) - (a === cluster.provider));
  differs.checked = query.has("differs");

  const cells = (row) => new Map([...row.cells].slice(1).map((cell) => [cell.dataset.column, cell]));
  // The components and presences in a cell.
  const gist = (cell) => all(".claim", cell).map((claim) => [".claim-name", ".presence"].map((part) => claim.querySelector(part)?.textContent)).join(";");

  function show() {
    // On a phone, the providers of a role are next to each other and can be swiped.
    const columns = shownColumns();
    const isTable = getComputedStyle(table.tHead).position !== "absolute";
    const fit = isTable ? Math.max(1, Math.floor((table.parentNode.clientWidth - ROLES) / COLUMN)) : columns.length;
    first = Math.max(0, Math.min(first, columns.length - fit));
    const visible = columns.slice(first, first + fit);
    table.dataset.shown = "";
    for (const row of [table.tHead.rows[0], ...rows]) {
      const of = cells(row);
      // Moving all cells takes half a second on a phone, and most readers keep the order.
      if (columns.some((id, at) => row.cells[at + 1].dataset.column !== id)) row.append(...columns.map((id) => of.get(id)));
      row.scrollLeft = 0;
      for (const [id, cell] of of) {
        cell.hidden = !visible.includes(id);
        cell.classList.toggle("mine", id === cluster.provider);
      }
      row.hidden = row.parentNode !== table.tHead && differs.checked && new Set(columns.map((id) => gist(of.get(id)))).size < 2;
    }
    // In an open row, the providers have the same order.
    for (const list of all(".role-claims", table)) {
      const of = new Map([...list.children].map((entry) => [entry.dataset.provider, entry]));
      for (const [id, entry] of of) entry.hidden = !columns.includes(id);
      list.append(...columns.map((id) => of.get(id)));
      const detail = list.closest("tr"), row = detail.previousElementSibling;
      detail.hidden = row.hidden || row.querySelector(".role-details").ariaExpanded !== "true";
    }
    for (const box of boxes) box.checked = chosen.includes(box.value);
    if (pages) {
      pages.hidden = columns.length <= fit;
      for (const button of all("button", pages)) button.disabled = button.dataset.by < 0 ? !first : first + fit >= columns.length;
    }
    const shown = rows.filter((row) => !row.hidden).length;
    output.textContent = output.dataset.count.replace("{n}", shown).replace("{total}", rows.length);
  }

  function keepChoice() {
    const query = new URLSearchParams(location.search);
    query.delete("columns");
    query.delete("differs");
    const choice = [...chosen.length ? [`columns=${chosen}`] : [], ...differs.checked ? ["differs"] : [], ...query.size ? [query] : []].join("&");
    history.replaceState(null, "", `${location.pathname}${choice && "?"}${choice}${location.hash}`);
    show();
  }

  form.onsubmit = () => false;
  form.oninput = ({ target: box }) => {
    if (box.name === "column") {
      chosen = box.checked ? [...chosen, box.value] : chosen.filter((id) => id !== box.value);
      first = 0;
    }
    keepChoice();
  };
  for (const button of all("button", form)) button.onclick = () => { first += Number(button.dataset.by); show(); };
  // On a phone, where the head of the table is out of sight, each cell has the name of its provider.
  for (const head of all("thead [data-column]", table)) {
    for (const cell of all(`td[data-column="${head.dataset.column}"]`, table)) cell.prepend(make("p", { className: "cell-provider", textContent: head.textContent, ariaHidden: "true" }));
  }
  // A column moves to the left.
  for (const head of all("thead [data-column]", table)) {
    const move = make("button", { type: "button", className: "compare-move", textContent: "←", title: form.dataset.move, ariaLabel: `${form.dataset.move}: ${head.textContent}` });
    move.onclick = () => {
      chosen = shownColumns();
      const at = chosen.indexOf(head.dataset.column);
      if (at > 0) chosen.splice(at - 1, 2, chosen[at], chosen[at - 1]);
      keepChoice();
      move.focus();
    };
    head.append(" ", move);
  }
  // The claims of a role with their evidence are on its page. Where it can't be requested, as on a disk, the link opens it.
  async function details(link) {
    const text = await (await fetch(link.href)).text();
    const claims = new DOMParser().parseFromString(text, "text/html").querySelector(".role-claims");
    for (const element of all("[id]", claims)) element.removeAttribute("id");
    for (const target of all("a", claims)) target.href = new URL(target.getAttribute("href"), link.href);
    const row = make("tr", { className: "role-open" }), cell = make("td", { colSpan: every.length + 1 });
    cell.append(claims);
    row.append(cell);
    link.closest("tr").after(row);
  }
  for (const link of all(".role-details", table)) {
    let loaded;
    link.ariaExpanded = "false";
    link.onclick = async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      try {
        await (loaded ??= details(link));
        link.ariaExpanded = `${link.ariaExpanded === "false"}`;
        show();
      } catch {
        location.href = link.href;
      }
    };
  }
  addEventListener("resize", show);
  keep(show);
}
