// Every page works without this script. All strings come from the page.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const words = { ...document.querySelector("template[data-copy]").dataset };
// Addresses are relative to the page that was loaded, which need not be the one that is shown later.
for (const name of ["diagram", "extras", "extrasStyle"]) words[name] = new URL(words[name], location).href;
let storage = {};
try { storage = localStorage; } catch {}
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
// Runs a function now and after each update by `ksys-docs serve`.
const keep = (enhance) => {
  enhance();
  document.addEventListener("ksys:update", enhance);
};

// The colour scheme: the system's, light or dark.
const { dataset: look } = document.documentElement;
const paint = () => { for (const choice of all("[data-theme-switch]")) choice.value = look.theme ?? "auto"; };
paint();
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-theme-switch]")) return;
  look.theme = storage.theme = target.value;
  paint();
});

// The reader's cluster: the provider and the release chosen in the header, or by `?provider=` and `?release=` in the address. What applies to it is first.
// Without a choice, everything is equal.
const query = new URLSearchParams(location.search);
const cluster = Object.fromEntries(["provider", "release"].map((name) => [name, query.get(name) ?? storage[name] ?? ""]));
const releases = document.querySelector("[data-my=release]")?.dataset.names.split(" ") ?? [];
if (!releases.includes(cluster.release)) cluster.release = "";
if (!all("[data-my=provider] option").some(({ value }) => value === cluster.provider)) cluster.provider = "";
for (const choice of all("[data-my=release]")) choice.append(...releases.map((name) => new Option(name, name)));
const choose = () => { for (const choice of all("[data-my]")) choice.value = cluster[choice.dataset.my]; };
document.addEventListener("change", ({ target }) => {
  const name = target.dataset.my;
  if (!name) return;
  storage[name] = target.value;
  const address = new URL(location);
  address.searchParams.delete(name);
  history.replaceState(null, "", address);
  location.reload();
});
// The position of the release that a version such as `1.25.9-gke.400` belongs to, the newest first; -1 if it isn't the version of a release.
const age = (version = "") => releases.indexOf(/^\d+\.\d+/.exec(version)?.[0] ?? version);
const own = age(cluster.release);
// The reader's release is before the first version, or after the last one.
const isOutside = ({ since, until, removed }) => age(since) >= 0 && age(since) < own || age(until) > own || age(removed) >= own;
keep(() => {
  choose();
  if (own >= 0) showRelease();
  if (cluster.provider) showProvider(cluster.provider);
});
function showRelease() {
  const [notYet, active, deprecated, removed, outside] = words.releases.replaceAll("{v}", cluster.release).split("|");
  for (const claim of all("main :is(.claim, tr):is([data-since], [data-until], [data-removed])")) claim.toggleAttribute("data-outside", isOutside(claim.dataset));
  // In the comparison, what doesn't apply is below what does.
  for (const cell of all("table.comparison td:has(.claim)")) {
    const claims = all(".claim", cell), others = claims.filter((claim) => claim.matches("[data-outside]"));
    cell.querySelector(".ended")?.remove();
    cell.append(...claims);
    if (!others.length) continue;
    const group = make("div", { className: "ended" });
    group.append(make("p", { textContent: outside }), ...others);
    cell.append(group);
  }
  const { dataset } = document.querySelector("main > [data-component]") ?? {};
  if (!dataset || document.querySelector(".kicker > .own-state")) return;
  const before = (version) => age(version) >= own;
  const state = age(dataset.since) >= 0 && age(dataset.since) < own ? notYet : before(dataset.removed) ? removed : before(dataset.deprecated) ? deprecated : dataset.since && active;
  if (state) document.querySelector(".kicker").append(make("b", { className: "own-state", textContent: state }));
}
function showProvider(provider) {
  const of = (name) => all(`[${name}~="${CSS.escape(provider)}"]`);
  for (const entry of of("data-provider").filter((entry) => entry.matches(".claims > *")).reverse()) entry.parentNode.prepend(entry);
  for (const group of of("data-providers").reverse()) group.parentNode.tHead.after(group);
  const plate = document.querySelector(".plate:not(:has(> .removal))");
  const answer = plate && of("data-provider").find((entry) => entry.matches(".plate .removal"));
  if (!answer) return;
  plate.prepend(answer.cloneNode(true));
  // What is stated for the provider replaces what is stated for all.
  const stated = all("dt", answer).map((label) => label.textContent);
  const general = all(".plate-facts > div", plate).filter((fact) => stated.includes(fact.firstChild.textContent));
  for (const replaced of [...all(":scope > [data-object]", plate), ...general]) replaced.hidden = true;
}

// The menu of narrow windows: a dialog with the parts of the header and the navigation that don't fit.
for (const opener of all("button.menu-open")) {
  opener.onclick = () => {
    const close = make("button", { type: "button", className: "menu-close", textContent: words.close });
    const head = make("header", { textContent: words.menu });
    const menu = make("dialog", { className: "menu-dialog", ariaLabel: words.menu });
    head.append(close);
    menu.append(head, ...all(".site-header :is(.menu, .languages, .own-choice, .theme), .frame > .sections").map((part) => part.cloneNode(true)));
    // An id must be unique on the page.
    for (const part of menu.children) part.removeAttribute("id");
    for (const fold of all(".fold", menu)) fold.open = true;
    // Links to the current page and clicks outside close it.
    menu.onclick = ({ target }) => { if (target === menu || target === close || target.closest("a")) menu.close(); };
    menu.onclose = () => {
      menu.remove();
      opener.focus();
    };
    document.body.append(menu);
    paint();
    choose();
    menu.showModal();
  };
}

// On the home page the search box is in the text. When it is scrolled out of view, the header links to it.
keep(() => {
  for (const link of all("a.find")) {
    new IntersectionObserver(([{ isIntersecting }]) => link.classList.toggle("out", !isIntersecting)).observe(document.querySelector(link.hash));
  }
});

// A listing of several lines that is pasted into the search box is passed to the page that explains it in the session storage of the tab, and is not sent anywhere.
document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text"), address = event.target.form?.dataset.explainAt;
  if (!address || !text.trim().includes("\n")) return;
  try { sessionStorage["ksys:listing"] = text; } catch { return; }
  event.preventDefault();
  location.href = address;
});

// Links to other languages keep the section and the query.
document.addEventListener("click", ({ target }) => {
  const link = target.closest(".languages a");
  if (link) Object.assign(link, { search: location.search, hash: location.hash });
});

// The script of the search is loaded when the user is about to search.
for (const form of all("[data-search]")) {
  const input = form.querySelector("input");
  const load = () => {
    const { script, style } = form.dataset;
    if (style) document.head.append(make("link", { rel: "stylesheet", href: style }));
    if (script) {
      const element = make("script", { src: script, onerror: () => { form.onsubmit = null; } });
      // Enter may be pressed before the script, which replaces this, is ready.
      form.onsubmit = (event) => {
        event.preventDefault();
        Object.assign(element, { onload: () => form.requestSubmit(), onerror: () => form.submit() });
      };
      document.head.append(element);
    }
    delete form.dataset.script;
    delete form.dataset.style;
  };
  input.addEventListener("focus", load);
  form.addEventListener("pointerenter", load);
  if (document.activeElement === input || form.matches(".filter")) load();
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

// Tabs: a label is selected in all groups that have it, and on the next pages.
function chooseTab(label, otherwise = -1, groups = all("[data-tabs]")) {
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
        chooseTab(panel.dataset.tab);
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
    chooseTab(shown, 0, [group]);
  }
});

// Shows for two seconds that a button has copied something.
const showCopied = (button, label) => {
  button.textContent = words.copied;
  setTimeout(() => { button.textContent = label; }, 2000);
};

// Copies commands without prompts and output.
keep(() => {
  for (const figure of navigator.clipboard ? all("figure.code:not(:has(.copy))") : []) {
    const copy = make("button", { type: "button", className: "copy", textContent: words.copy });
    copy.onclick = async () => {
      const text = figure.querySelector("code").cloneNode(true);
      for (const part of all(".prompt, .output", text)) part.textContent = part.matches(".output") ? "\0" : "";
      await navigator.clipboard.writeText(text.textContent.replace(/\n*\0[\0\n]*/g, "\n").replace(/^\n+/, ""));
      showCopied(copy, words.copy);
    };
    figure.append(copy);
  }
});

// Copies the commands in the answer.
keep(() => {
  for (const code of navigator.clipboard ? all(".plate dd code:not(:has(+ .copy-code))").filter((code) => code.textContent.includes(" ")) : []) {
    const copy = make("button", { type: "button", className: "copy-code", textContent: words.copy, ariaLabel: `${words.copy}: ${code.textContent}` });
    copy.onclick = async () => {
      await navigator.clipboard.writeText(code.textContent);
      showCopied(copy, words.copy);
    };
    code.after(copy);
  }
});

// Copies the Markdown of the page. Where that is not permitted, it is opened. The clipboard gets a promise, because some browsers accept only what is
// written during the click.
document.addEventListener("click", async ({ target }) => {
  const label = target.dataset.copyPage;
  if (!label) return;
  const { href } = document.querySelector('link[type="text/markdown"]');
  const read = async () => {
    const response = await fetch(href);
    if (!response.ok) throw response;
    return new Blob([await response.text()], { type: "text/plain" });
  };
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]);
    showCopied(target, label);
  } catch {
    location.href = href;
  }
});

// A click on the anchor of a heading copies the link and shows a confirmation.
const said = make("p", { className: "hidden", role: "status" });
document.body.append(said);
document.addEventListener("click", async ({ target }) => {
  const anchor = target.closest(".heading-anchor");
  if (!anchor || !navigator.clipboard) return;
  await navigator.clipboard.writeText(anchor.href);
  anchor.dataset.said = said.textContent = words.linkCopied;
  setTimeout(() => {
    delete anchor.dataset.said;
    said.textContent = "";
  }, 2000);
});

// Long tables are sorted by a click on a header, first ascending, then descending. Tables with spanning cells keep their order.
const LONG = 8;
const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
keep(() => {
  for (const table of all(".table > table:not(.comparison):not(:has([rowspan], [colspan], thead a, .sort))")) {
    const { tHead, tBodies: [body, another] } = table;
    if (!tHead || another || body.rows.length < LONG) continue;
    for (const head of tHead.rows[0].cells) {
      const text = head.textContent;
      const button = make("button", { type: "button", className: "sort", title: words.sort.replace("{x}", text) });
      button.append(...head.childNodes);
      button.onclick = () => {
        const down = head.ariaSort === "ascending";
        for (const other of tHead.rows[0].cells) other.ariaSort = null;
        head.ariaSort = down ? "descending" : "ascending";
        const key = (row) => row.cells[head.cellIndex].textContent.trim();
        body.append(...[...body.rows].sort((a, b) => compare(key(a), key(b)) * (down ? -1 : 1)));
      };
      head.append(button);
    }
  }
});

// Images open in full size on a click.
keep(() => {
  for (const image of all(".prose img:not(a img, .enlarge img)")) {
    const button = make("button", { type: "button", className: "enlarge", title: words.enlarge });
    image.before(button);
    button.append(image);
    button.onclick = () => {
      const large = make("dialog", { className: "enlarged", ariaLabel: image.alt });
      large.append(make("button", { type: "button", className: "menu-close", textContent: words.close }), image.cloneNode());
      large.onclick = () => large.close();
      large.onclose = () => large.remove();
      document.body.append(large);
      large.showModal();
    };
  }
});

// Scripts that are loaded when they are used: for diagrams, and for previews, reports and help. Their styles are in one file.
const loaded = {};
const load = (tag, address) => new Promise((onload) => document.head.append(make(tag, { ...address, onload, onerror: onload })));
const loadScript = (name) => loaded[name] ??= (async () => {
  globalThis.ksys ??= {};
  await (loaded.style ??= load("link", { rel: "stylesheet", href: words.extrasStyle }));
  await load("script", { src: words[name] });
})();
const draw = () => loadScript("diagram");
for (const type of ["pointerover", "focusin"]) document.addEventListener(type, ({ target }) => {
  if (target.closest?.(".diagram a")) draw();
  if (target.closest?.("main :is(a, .claim)")) loadScript("extras");
});
document.addEventListener("click", async (event) => {
  const opener = event.target.closest(".diagram-open");
  if (!opener) return;
  event.preventDefault();
  await draw();
  ksys.enlarge(opener.closest(".diagram-stage"));
});
document.addEventListener("keydown", async (event) => {
  if (event.key !== "?" || loaded.extras || event.target.closest("input, textarea, select")) return;
  await loadScript("extras");
  event.target.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
});
// Escape closes a diagram that fills the window: one that was opened with its link.
document.addEventListener("keydown", (event) => {
  const large = event.key === "Escape" && document.querySelector(".diagram-stage:target .diagram-close");
  if (large) large.click();
});

// The position of the page in the navigation, and of the current section in the table of contents.
document.addEventListener("click", ({ target }) => {
  if (!target.closest(".frame > .sections .section > summary")) return;
  // After the area has unfolded. The area of the current page is always open.
  setTimeout(() => {
    const open = all(".frame > .sections .section[open]:not(:has([aria-current]))").map((area) => area.dataset.areaId);
    try { sessionStorage.open = open.join(" "); } catch {}
  });
});
const here = document.querySelector(".sections [aria-current]");
if (here) here.closest("nav").scrollTop = here.offsetTop - innerHeight / 2;
const mark = () => {
  for (const nav of all(".contents, .part-bar")) markIn(nav);
};
const markIn = (nav) => {
  const links = all("a", nav).map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]);
  const current = links.findLast(([heading]) => heading?.getBoundingClientRect().top < innerHeight / 3);
  for (const link of links) link[1].ariaCurrent = link === current || null;
};
document.onscroll = mark;
keep(mark);
