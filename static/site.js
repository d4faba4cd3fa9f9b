// Every page works without this; all words come from the page.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const words = document.querySelector("template[data-copy]").dataset;
let storage = {};
try { storage = localStorage; } catch {}
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
// Again when `ksys-docs serve` has changed the page.
const keep = (enhance) => {
  enhance();
  document.addEventListener("ksys:update", enhance);
};

// Colours: what the system says, or light, or dark.
for (const choice of all("[data-theme-switch]")) {
  const { dataset } = document.documentElement;
  choice.value = dataset.theme ?? "auto";
  choice.onchange = () => { dataset.theme = storage.theme = choice.value; };
}

// The other language, at the same section and with the same choices.
document.addEventListener("click", ({ target }) => {
  const link = target.closest(".languages a");
  if (link) Object.assign(link, { search: location.search, hash: location.hash });
});

// The search: its script comes when somebody is about to search.
for (const form of all("[data-search]")) {
  const input = form.querySelector("input");
  const load = () => {
    const { script } = form.dataset;
    if (script) document.head.append(make("script", { src: script }));
    delete form.dataset.script;
  };
  input.addEventListener("focus", load);
  form.addEventListener("pointerenter", load);
  if (document.activeElement === input || form.matches("main *")) load();
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    const slash = key === "/" && !ctrlKey && !metaKey && !altKey;
    const k = key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;
    if (!(slash || k) || target.isContentEditable || target.closest("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

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

// Tabs: the same label is chosen everywhere, and on the next page.
function choose(label, otherwise = -1, groups = all("[data-tabs]")) {
  for (const group of groups) {
    const panels = all(":scope > .tab", group);
    const found = panels.findIndex((panel) => panel.dataset.tab === label);
    const chosen = found < 0 ? otherwise : found;
    if (chosen >= 0) [...group.firstChild.children].forEach((tab, index) => {
      panels[index].hidden = index !== chosen;
      tab.ariaSelected = index === chosen;
      tab.tabIndex = index === chosen ? 0 : -1;
    });
  }
}
let number = 0;
keep(() => {
  for (const group of all("[data-tabs]")) {
    const panels = all(":scope > .tab", group);
    const old = group.querySelector(".tab-list");
    if (old?.textContent === panels.map((panel) => panel.role ? panel.dataset.tab : "\0").join("")) continue;
    const shown = panels.find((panel) => panel.role && !panel.hidden)?.dataset.tab ?? storage.tab;
    old?.remove();
    const list = make("div", { className: "tab-list", role: "tablist" });
    const tabs = panels.map((panel) => {
      const tab = make("button", { type: "button", role: "tab", id: `tab-${number++}`, textContent: panel.dataset.tab });
      panel.role = "tabpanel";
      panel.setAttribute("aria-labelledby", tab.id);
      tab.onclick = () => {
        const { top } = tab.getBoundingClientRect();
        choose(panel.dataset.tab);
        scrollBy(0, tab.getBoundingClientRect().top - top);
        storage.tab = panel.dataset.tab;
      };
      return tab;
    });
    list.append(...tabs);
    list.onkeydown = ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const next = step && tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length);
      next?.focus();
      next?.click();
    };
    group.prepend(list);
    group.classList.add("ready");
    choose(shown, 0, [group]);
  }
});

// Copy what was typed, not what was printed.
keep(() => {
  for (const figure of navigator.clipboard ? all("figure.code:not(:has(.copy))") : []) {
    const copy = make("button", { type: "button", className: "copy", textContent: words.copy });
    copy.onclick = async () => {
      const text = figure.querySelector("code").cloneNode(true);
      for (const part of all(".prompt, .output", text)) part.textContent = part.matches(".output") ? "\0" : "";
      await navigator.clipboard.writeText(text.textContent.replace(/\n*\0[\0\n]*/g, "\n").replace(/^\n+/, ""));
      copy.textContent = words.copied;
      setTimeout(() => { copy.textContent = words.copy; }, 2000);
    };
    figure.append(copy);
  }
});

// The system at another release: the part of the page that shows it, and the way to the other languages.
const parts = ["[data-swap]", ".languages ul"];
const rebase = (root, base) => {
  for (const link of all("[href]", root)) {
    const to = link.getAttribute("href");
    if (!to.startsWith("#")) link.setAttribute("href", new URL(to, base).href);
  }
};
async function swap(url) {
  try {
    const page = new DOMParser().parseFromString(await (await fetch(url)).text(), "text/html");
    const at = all(".versions a").indexOf(document.activeElement);
    // Relative links would change their meaning with the address.
    rebase(document, location.href);
    rebase(page, url);
    for (const part of parts) document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    document.title = page.title;
    all(".versions a")[at]?.focus();
    return true;
  } catch {
    location.href = url;
  }
}
let shown = location.pathname;
document.addEventListener("click", async (event) => {
  const link = event.target.closest(".versions a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { href } = link;
  if (await swap(href)) history.pushState(null, "", href);
  shown = location.pathname;
});
onpopstate = () => {
  // Anchors on the same page are the browser's own business.
  if (location.pathname !== shown && document.querySelector(".versions")) swap(location.href);
  shown = location.pathname;
};

// A drawing that fills the window closes like a dialog.
document.addEventListener("keydown", (event) => {
  const large = event.key === "Escape" && document.querySelector(".diagram-stage:target .diagram-close");
  if (large) large.click();
});

// Where one is: the page among its neighbours, the section that is being read.
const here = document.querySelector(".sections [aria-current]");
if (here) here.closest("nav").scrollTop = here.offsetTop - innerHeight / 2;
const mark = () => {
  const links = all(".contents a").map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]);
  const current = links.findLast(([heading]) => heading?.getBoundingClientRect().top < innerHeight / 4);
  for (const link of links) link[1].ariaCurrent = link === current || null;
};
document.onscroll = mark;
keep(mark);
