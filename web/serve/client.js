// Live reload: the part of `ksys-docs serve` that runs in the page. The server inserts it into each page that a browser opens; `build` does not.
//
// An update patches the open document, so the scroll position, the focus, open details, selected tabs and typed text are preserved.
// There are three trees: the page as the server last sent it (`pristine`), as it sends it now (`fresh`), and the document (`live`), which scripts
// and the user have modified since. Only the differences between the first two are applied to the third.
{
  const html = document.documentElement;
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  // Values that persist in the tab across reloads.
  let storage = { getItem: () => null, setItem() {} };
  try { storage = sessionStorage; } catch {}
  const memory = {
    get: (key) => storage.getItem(key),
    /** Stores a value; returns whether it will persist. */
    set(key, value) {
      try { storage.setItem(key, value); } catch {}
      return memory.get(key) === value;
    },
  };

  /* ---- The pristine tree ---- */

  // The live node of each pristine node. Scripts may remove live nodes.
  const twins = new WeakMap();
  function pair(node, live) {
    twins.set(node, live);
    for (let a = node.firstChild, b = live.firstChild; a && b; a = a.nextSibling, b = b.nextSibling) pair(a, b);
  }

  // This is the first deferred script: the page is parsed, and no script has modified it yet. The copy is in a separate document, where it loads nothing.
  html.normalize();
  const pristine = document.implementation.createHTMLDocument("").importNode(html, true);
  pair(pristine, html);
  const { pathname } = location;

  // Removes what is not part of the page: this script, and the attributes that static/theme.js sets.
  for (const script of all('script[src^="/.live/"]', pristine)) script.remove();
  pristine.classList.remove("script");
  if (!pristine.className) pristine.removeAttribute("class");
  pristine.removeAttribute("data-theme");

  // A policy applies from the first load on, in the version that the server has extended for this script, so it is not compared.
  const withoutPolicy = (root) => {
    for (const element of all('meta[http-equiv="Content-Security-Policy"]', root)) element.remove();
  };
  withoutPolicy(pristine);

  // The content of a noscript element is text where scripts run, but elements for the parser below. It is not visible, so it is not compared.
  for (const element of all("noscript", pristine)) element.textContent = "";
  const parse = (text) => {
    const page = text.replace(/(<noscript\b[^>]*>)[^]*?(<\/noscript)/gi, "$1$2");
    const fresh = new DOMParser().parseFromString(page, "text/html").documentElement;
    fresh.normalize();
    withoutPolicy(fresh);
    return fresh;
  };

  /* ---- Alignment of children ---- */

  // The keys by which children are matched, the most specific first. White space between elements is not distinctive and has no key.
  const KEYS = [
    (node) => (node.id ? `${node.nodeName}#${node.id}` : null),
    (node) => node.outerHTML ?? (node.data.trim() ? `${node.nodeName} ${node.data}` : null),
    (node) => (node.attributes?.length ? node.cloneNode(false).outerHTML : null),
    (node) => {
      // The first class identifies the component, the others its state. A tab list that a script inserted must not match a table.
      const says = (name) => node.getAttribute?.(name) ?? "";
      const what = /^(?:HEAD|BODY)$/.test(node.nodeName) ? "" : says("class").split(" ")[0];
      return [node.nodeName, what, says("rel"), says("name"), says("type")].join(" ");
    },
  ];
  // The maximum number of cells of the table for the longest common subsequence.
  const MOST = 250_000;

  /** Returns the longest common subsequence of two lists of keys as pairs of positions; an approximation for long lists. Null equals no key. */
  function common(a, b) {
    const pairs = [];
    if (a.length * b.length > MOST) {
      let from = 0;
      b.forEach((key, j) => {
        const i = key === null ? -1 : a.indexOf(key, from);
        if (i < 0) return;
        pairs.push([i, j]);
        from = i + 1;
      });
      return pairs;
    }
    // The length of the longest common subsequence from each pair of positions on.
    const width = b.length + 1;
    const longest = new Uint16Array((a.length + 1) * width);
    const same = (i, j) => a[i] !== null && a[i] === b[j];
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        const at = i * width + j;
        longest[at] = same(i, j) ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1]);
      }
    }
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (same(i, j)) pairs.push([i++, j++]);
      else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
      else j++;
    }
    return pairs;
  }

  /** Matches nodes of `fresh` with nodes of `old`, in order, and adds them to `pairs`. */
  function align(old, fresh, pairs, level = 0) {
    let from = 0, oldEnd = old.length, freshEnd = fresh.length;
    while (from < oldEnd && from < freshEnd && old[from].isEqualNode(fresh[from])) {
      pairs.set(fresh[from], old[from]);
      from++;
    }
    while (oldEnd > from && freshEnd > from && old[oldEnd - 1].isEqualNode(fresh[freshEnd - 1])) pairs.set(fresh[--freshEnd], old[--oldEnd]);
    if (from === oldEnd || from === freshEnd || level === KEYS.length) return;
    const a = old.slice(from, oldEnd), b = fresh.slice(from, freshEnd);
    let [i, j] = [0, 0];
    for (const [nextA, nextB] of [...common(a.map(KEYS[level]), b.map(KEYS[level])), [a.length, b.length]]) {
      align(a.slice(i, nextA), b.slice(j, nextB), pairs, level + 1);
      if (nextA < a.length) pairs.set(b[nextB], a[nextA]);
      [i, j] = [nextA + 1, nextB + 1];
    }
  }

  /* ---- Patches: each is applied to the pristine tree and to the document ---- */
  // These functions return false if the document is not as expected; then the parent element is replaced.

  /** Clones a node for the pristine tree and for the document. */
  function grow(fresh) {
    const node = fresh.cloneNode(true);
    const live = document.importNode(fresh, true);
    pair(node, live);
    return [node, live];
  }

  function patch(node, fresh) {
    if (node.isEqualNode(fresh)) return true;
    const live = twins.get(node);
    if (!live?.isConnected) return false;
    if (node.nodeType !== Node.ELEMENT_NODE) patchText(node, fresh, live);
    else if (isStyle(node)) restyle(node, fresh, live);
    else {
      patchAttributes(node, fresh, live);
      return patchChildren(node, fresh, live) || replace(node, fresh, live);
    }
    return true;
  }

  function patchText(node, fresh, live) {
    const before = node.data, after = fresh.data;
    node.data = after;
    if (live.data !== before) {
      live.data = after;
      return;
    }
    // Only the changed characters are replaced, so a selection around them is preserved.
    const most = Math.min(before.length, after.length);
    let start = 0, end = 0;
    while (start < most && before[start] === after[start]) start++;
    while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
    live.replaceData(start, before.length - start - end, after.slice(start, after.length - end));
  }

  function patchAttributes(node, fresh, live) {
    for (const { name, localName, namespaceURI } of [...node.attributes]) {
      if (fresh.hasAttributeNS(namespaceURI, localName)) continue;
      if (name === "class") live.classList.remove(...node.classList);
      // Open details stay open: the user, or a link to their content, may have opened them.
      else if (name !== "open") live.removeAttributeNS(namespaceURI, localName);
      node.removeAttributeNS(namespaceURI, localName);
    }
    for (const attribute of fresh.attributes) {
      const { name, localName, namespaceURI, value } = attribute;
      if (node.getAttributeNS(namespaceURI, localName) === value) continue;
      if (name === "class") {
        // Classes that scripts have added are kept.
        live.classList.remove(...[...node.classList].filter((word) => !fresh.classList.contains(word)));
        live.classList.add(...[...fresh.classList].filter((word) => !node.classList.contains(word)));
      } else live.setAttributeNodeNS(document.importNode(attribute));
      node.setAttributeNodeNS(attribute.cloneNode());
    }
  }

  function patchChildren(node, fresh, live) {
    const pairs = new Map();
    const old = [...node.childNodes], after = [...fresh.childNodes];
    align(old, after, pairs);
    const kept = new Set(pairs.values());
    for (const child of old) {
      if (kept.has(child)) continue;
      const gone = twins.get(child);
      if (!gone?.isConnected) return false;
      // A style sheet is removed when the new ones of this update are loaded.
      if (isStyle(child)) outdated.push(gone, ...former.get(gone) ?? []);
      else gone.remove();
      child.remove();
    }
    let last = null;
    for (const child of after) {
      const known = pairs.get(child);
      if (known && !patch(known, child)) return false;
      // `patch` may have replaced the node.
      last = known ? (last ? last.nextSibling : node.firstChild) : insert(child, node, last, live);
    }
    return true;
  }

  /** Inserts a new child after a sibling, and its live node after that of the nearest preceding sibling, or else before that of the next one. */
  function insert(fresh, parent, last, live) {
    const [node, twin] = grow(fresh);
    parent.insertBefore(node, last ? last.nextSibling : parent.firstChild);
    if (isStyle(node)) follow(twin, []);
    const stands = (sibling) => twins.get(sibling)?.parentNode === live;
    let before = node.previousSibling, after = node.nextSibling;
    while (before && !stands(before)) before = before.previousSibling;
    while (after && !stands(after)) after = after.nextSibling;
    if (before) twins.get(before).after(twin);
    else live.insertBefore(twin, after && twins.get(after));
    return node;
  }

  function replace(node, fresh, live) {
    if ([html, document.head, document.body].includes(live)) return false;
    const [other, twin] = grow(fresh);
    live.replaceWith(twin);
    node.replaceWith(other);
    return true;
  }

  // A style sheet stays until its replacement has loaded or failed; otherwise the page would flash without styles.
  const isStyle = (node) => node.localName === "link" && node.relList.contains("stylesheet");
  const former = new WeakMap();
  let outdated = [], coming = [];
  function follow(link, before) {
    former.set(link, before);
    coming.push(new Promise((resolve) => {
      link.onload = link.onerror = () => {
        for (const gone of former.get(link)) gone.remove();
        resolve();
      };
    }));
  }
  function restyle(node, fresh, live) {
    const [other, link] = grow(fresh);
    follow(link, [live, ...former.get(live) ?? []]);
    live.after(link);
    node.replaceWith(other);
  }
  function removeOutdated() {
    const [gone, awaited] = [outdated, coming];
    [outdated, coming] = [[], []];
    Promise.all(awaited).then(() => { for (const link of gone) link.remove(); });
  }

  /* ---- Focus and scroll position ---- */

  /** Returns a function that moves the focus to the element in the place of the focused one, if that was removed. */
  function rememberFocus() {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return () => {};
    const kin = (holder) => [...holder.getElementsByTagName(focused.localName)];
    const places = [];
    for (let holder = focused.parentElement; holder; holder = holder.parentElement) places.push([holder, kin(holder).indexOf(focused)]);
    return () => {
      if (focused.isConnected) return;
      const [holder, at] = places.find(([holder]) => holder.isConnected);
      const heir = (focused.id && document.getElementById(focused.id)) || kin(holder).at(at) || kin(holder).at(-1);
      if (!heir) return;
      if (heir.matches("input, textarea, select") && heir.type === focused.type) heir.value = focused.value;
      heir.focus({ preventScroll: true });
      if (focused.selectionStart != null && heir.type === focused.type) heir.setSelectionRange(focused.selectionStart, focused.selectionEnd, focused.selectionDirection);
    };
  }

  // The maximum number of visible elements that are considered as anchors, and the width, relative to the widest one, from which an element is part of
  // the text and not of the margin.
  const ANCHORS = 100, WIDE = 0.6;

  /** Returns a function that scrolls the element at the top of the window back to its position. Not all browsers have scroll anchoring. */
  function rememberScroll() {
    // At the very top, new content at the top should be visible.
    if (scrollY <= 0) return () => {};
    const anchors = [];
    const collect = (parent) => {
      const before = anchors.length;
      for (const element of parent.children) {
        const { top, bottom, width } = element.getBoundingClientRect();
        if (bottom <= 0 || top >= innerHeight || !width || anchors.length >= ANCHORS) continue;
        if (/^(?:fixed|sticky)$/.test(getComputedStyle(element).position)) continue;
        if (top >= 0 || !collect(element)) anchors.push({ element, top, width });
      }
      return anchors.length > before;
    };
    collect(document.body);
    const widest = Math.max(...anchors.map(({ width }) => width));
    const wide = anchors.filter(({ width }) => width >= widest * WIDE);
    // The visible part of an element that begins above the window may move even if its top does not, so others are preferred.
    const best = [...wide.filter(({ top }) => top >= 0), ...wide];
    return () => {
      const anchor = best.find(({ element }) => element.isConnected && element.getClientRects().length);
      const by = anchor ? anchor.element.getBoundingClientRect().top - anchor.top : 0;
      if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: "instant" });
    };
  }

  // The search caches files by their address. After a change it has to load them again, so each change adds a `./` to the address.
  let open, changes = 0;
  function renewSearch() {
    changes++;
    if (open || !window.ksys?.open) return;
    open = window.ksys.open;
    window.ksys.open = (root, ...rest) => open(root + "./".repeat(changes), ...rest);
  }

  /* ---- Updates ---- */

  // Elements that take effect only when a page is loaded, and the search form, which the script of the search manages.
  const fixed = (root) => all("script, template, form[data-search]", root).map((element) => element.outerHTML).join("\n");
  // A page from the browser's cache (304) counts as 200.
  const outcome = (status) => (status >= 200 && status < 400 ? 200 : status);
  let loaded;
  // The state of the server that this page shows, and the latest one.
  let shown, wanted;
  let busy = false;

  /** Reloads the page, at most once for each state of the server, which prevents an endless loop. */
  function reload() {
    const reason = `${wanted} ${location.pathname}`;
    if (memory.get("ksys-live-reload") !== reason && memory.set("ksys-live-reload", reason)) location.reload();
  }

  /** Fetches the page and applies the changes; false if the server did not return a page. */
  async function update() {
    let response, text;
    try {
      response = await fetch(location.href.split("#")[0], { cache: "no-store" });
      text = await response.text();
    } catch {
      return false;
    }
    // The server was restarted on a knowledge base with errors and has no page. The current one is kept.
    if (response.status === 503) return false;
    loaded ??= outcome(performance.getEntriesByType("navigation")[0]?.responseStatus || response.status);
    const fresh = parse(text);
    // static/releases.js shows other releases of the architecture under their own addresses.
    const elsewhere = [location, new URL(response.url)].some((url) => url.pathname !== pathname);
    if (elsewhere || outcome(response.status) !== loaded || fixed(fresh) !== fixed(pristine)) reload();
    else if (!pristine.isEqualNode(fresh)) apply(fresh);
    renewSearch();
    return true;
  }

  function apply(fresh) {
    const restore = [rememberFocus(), rememberScroll()];
    if (!patch(pristine, fresh)) {
      reload();
      return;
    }
    removeOutdated();
    document.dispatchEvent(new CustomEvent("ksys:update"));
    for (const step of restore) step();
  }

  /** Updates the page to the latest state of the server. States that arrive during an update are applied after it. */
  async function catchUp({ boot, version }) {
    wanted = `${boot} ${version}`;
    if (busy) return;
    busy = true;
    while (wanted !== shown) {
      const next = wanted;
      if (await update().catch(() => { reload(); return true; })) shown = next;
      // Retried with the next message.
      else if (wanted === next) break;
    }
    busy = false;
  }

  /* ---- The overlay ---- */

  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const COPIED = 2000;

  function overlay() {
    const title = make("h2", { id: "title" });
    const rest = make("p", { className: "rest" });
    const hide = make("button", { type: "button", className: "hide", textContent: "Hide" });
    const list = make("ol");
    const more = make("p", { className: "more" });
    const panel = make("section", { className: "panel", ariaModal: "false", hidden: true }, make("header", {}, title, rest, hide), make("div", { className: "scroll" }, list, more));
    panel.setAttribute("aria-labelledby", title.id);
    const badge = make("button", { type: "button", className: "badge", ariaExpanded: "false", hidden: true });
    const state = make("p", { className: "badge state", role: "status", hidden: true });
    const said = make("p", { className: "said", role: "status" });
    const style = make("link", { rel: "stylesheet", href: "/.live/overlay.css" });

    // The overlay is in the page from the beginning: its style sheet cannot be loaded after the server has stopped.
    const host = make("div", { id: "ksys-live", lang: "en", hidden: true });
    const root = host.attachShadow({ mode: "open" });
    root.append(style, make("aside", { className: "corner", ariaLabel: "Live preview" }, panel, make("div", { className: "badges" }, state, badge), said));
    let styled = false;
    style.onload = style.onerror = () => { styled = true; draw(); };
    html.append(host);
    const theme = () => { host.dataset.theme = html.dataset.theme ?? ""; };
    new MutationObserver(theme).observe(html, { attributeFilter: ["data-theme"] });
    theme();

    const HIDDEN = "ksys-live-hidden";
    let report, stopped = false, drawn;
    // The element that had the focus before the overlay.
    let from = null;
    // Whether the list is open, and the errors that the user has hidden. Their names have no line, so a moved error is not a new one.
    let opened = false, hidden = JSON.parse(memory.get(HIDDEN) ?? "[]");
    const name = ({ rule, file, message }) => `${rule} ${file} ${message}`;
    const errors = () => report.findings.filter(({ severity }) => severity === "error").map(name);

    const remember = (names) => {
      hidden = names;
      memory.set(HIDDEN, JSON.stringify(names));
    };
    function toggle(to) {
      opened = to;
      remember(to ? [] : errors());
      draw();
      (to ? hide : badge).focus();
    }
    hide.onclick = () => toggle(false);
    badge.onclick = () => toggle(true);
    panel.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      toggle(false);
    };
    root.addEventListener("focusin", ({ relatedTarget }) => { if (relatedTarget && !root.contains(relatedTarget)) from = relatedTarget; });

    function draw() {
      const found = report?.errors || report?.warnings;
      const shows = found && opened;
      host.hidden = !(styled && (found || stopped));
      state.hidden = !stopped;
      state.textContent = stopped ? "server stopped" : "";
      panel.hidden = !shows;
      badge.hidden = !found || shows;
      if (found) {
        const label = report.errors ? count(report.errors, "error") : count(report.warnings, "warning");
        title.textContent = badge.textContent = label;
        panel.role = report.errors ? "alertdialog" : "region";
        for (const element of [panel, badge]) element.dataset.severity = report.errors ? "error" : "warning";
        rest.textContent = report.errors && report.warnings ? `and ${count(report.warnings, "warning")}` : "";
        fill();
        // A long line is scrolled to the marked part.
        for (const caret of all("pre > .caret:first-of-type", list)) {
          const { left, right } = caret.getBoundingClientRect(), frame = caret.parentNode.getBoundingClientRect();
          if (Math.min(right, left + 80) > frame.right) caret.parentNode.scrollLeft += left - frame.left - frame.width / 3;
        }
      }
    }

    function fill() {
      const { findings } = report;
      const now = JSON.stringify([findings, report.errors, report.warnings]);
      if (now === drawn) return;
      drawn = now;
      const at = all(".place", list).indexOf(root.activeElement);
      const sorted = [...findings].sort((a, b) => (a.severity === "warning") - (b.severity === "warning"));
      list.replaceChildren(...sorted.map(item));
      const others = report.errors + report.warnings - findings.length;
      more.textContent = others > 0 ? `The first ${findings.length} are shown, ${others} more are not.` : "";
      if (at >= 0) (all(".place", list)[at] ?? hide).focus({ preventScroll: true });
    }

    function item(finding) {
      const { severity, rule, message, file, line, column, help } = finding;
      const found = excerpt(finding);
      const entry = make("li", {},
        make("p", { className: "what" }, make("b", { textContent: severity }), " ", make("code", { textContent: rule })),
        make("p", { className: "message" }, ...quoted(message)),
        ...file ? [place([file, line, column].filter((part) => part != null).join(":"))] : [],
        ...found ? [make("pre", { tabIndex: 0 }, ...found)] : [],
        ...help ? [make("p", { className: "help" }, make("b", { textContent: "help" }), " ", make("span", {}, ...quoted(help)))] : []);
      entry.dataset.severity = severity;
      return entry;
    }

    function place(text) {
      // The clipboard is available only in secure contexts: on localhost or with HTTPS.
      if (!navigator.clipboard) return make("p", { className: "place", textContent: text });
      const done = make("span", { className: "done" });
      const copy = make("button", { type: "button", className: "place", title: "Copy" }, make("span", { textContent: text }), done);
      copy.onclick = async () => {
        try {
          await navigator.clipboard.writeText(text);
        } catch {
          return;
        }
        done.textContent = said.textContent = "copied";
        setTimeout(() => { done.textContent = said.textContent = ""; }, COPIED);
      };
      return copy;
    }

    return (message) => {
      stopped = message.stopped;
      if (message.report) {
        report = message.report;
        const names = errors();
        if (!report.errors) {
          // Without errors, the list does not open by itself; a list of warnings that is open stays open.
          if (panel.role === "alertdialog") opened = false;
          if (hidden.length) remember([]);
        } else if (names.some((name) => !hidden.includes(name)) || names.length > hidden.length) opened = true;
        else if (!opened) remember(names);
      }
      const focused = root.activeElement;
      draw();
      // The focused element is hidden, so the focus returns to the page.
      if (focused && !focused.checkVisibility() && from?.isConnected) from.focus({ preventScroll: true });
    };
  }

  /** Converts a text with `code` to nodes. */
  function quoted(text) {
    const parts = text.split("`");
    return parts.length % 2 ? parts.map((part, at) => (at % 2 ? make("code", { textContent: part }) : part)) : [text];
  }

  /** Returns the source excerpt of a finding: its text without the title and the help. */
  function excerpt({ text, help }) {
    const lines = (text ?? "").split("\n");
    const from = lines.findIndex((line) => /^\s*-->/.test(line)) + 1 || (/^\w+\[/.test(lines[0]) ? 1 : 0);
    const to = help ? lines.findIndex((line) => /^\s*= help:/.test(line)) : -1;
    const shown = lines.slice(from, to < 0 ? lines.length : to);
    const empty = (line) => /^\s*\|?\s*$/.test(line ?? "|");
    while (shown.length && empty(shown[0])) shown.shift();
    while (shown.length && empty(shown.at(-1))) shown.pop();
    return shown.length && shown.flatMap((line, at) => {
      // The markers below a source line.
      const [, before, caret] = /^(\s*\|\s*)([\^-].*)$/.exec(line) ?? [, line];
      return [at ? "\n" : "", before, ...caret ? [make("span", { className: "caret", textContent: caret })] : []];
    });
  }

  /* ---- The connection ---- */

  const show = overlay();
  function receive({ data }) {
    try {
      show(data);
      if (data.report) catchUp(data.report);
    } catch {
      wanted ??= "nothing";
      reload();
    }
  }

  let line;
  function listen(port) {
    line = port;
    line.onmessage = receive;
    line.postMessage("hello");
  }
  function listenAlone() {
    const { port1, port2 } = new MessageChannel();
    new Worker("/.live/worker.js").postMessage(null, [port2]);
    listen(port1);
    // A hidden tab closes its connection, to leave it to the others.
    const look = () => line.postMessage(document.hidden ? "bye" : "hello");
    document.addEventListener("visibilitychange", look);
    if (document.hidden) look();
  }
  try {
    const worker = new SharedWorker("/.live/worker.js", { name: "ksys-docs" });
    worker.onerror = listenAlone;
    listen(worker.port);
  } catch {
    listenAlone();
  }
  addEventListener("pagehide", () => line.postMessage("bye"));
  addEventListener("pageshow", ({ persisted }) => { if (persisted) line.postMessage("hello"); });
}
