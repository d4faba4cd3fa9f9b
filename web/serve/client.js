// Live reload: the part of `ksys-docs serve` that runs in the page. The server puts it into each page that it shows; no built site has it.
//
// A change is applied to the page as it stands, so the reader's place, focus, open details, chosen tabs and typed words stay where they are.
// Three trees are compared for that: the page as the server wrote it last (`pristine`), as it writes it now (`fresh`), and the document (`live`), in
// which scripts and the reader have changed things since. What differs between the first two, and nothing else, is done to the third.
{
  const html = document.documentElement;
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  // What a tab remembers over a reload.
  let storage = { getItem: () => null, setItem() {} };
  try { storage = sessionStorage; } catch {}
  const memory = {
    get: (key) => storage.getItem(key),
    /** Whether it will be remembered. */
    set(key, value) {
      try { storage.setItem(key, value); } catch {}
      return memory.get(key) === value;
    },
  };

  /* ---- The page as the server wrote it ---- */

  // Each node of the pristine tree has a live one, until a script takes that away.
  const twins = new WeakMap();
  function pair(node, live) {
    twins.set(node, live);
    for (let a = node.firstChild, b = live.firstChild; a && b; a = a.nextSibling, b = b.nextSibling) pair(a, b);
  }

  // This is the first of the deferred scripts: all is parsed, and nothing is enhanced yet. The copy lives in a document of its own, where it loads nothing.
  html.normalize();
  const pristine = document.implementation.createHTMLDocument("").importNode(html, true);
  pair(pristine, html);
  const { pathname } = location;

  // What the page does not have of itself: this script, and what static/theme.js has said already.
  for (const script of all('script[src^="/.live/"]', pristine)) script.remove();
  pristine.classList.remove("script");
  if (!pristine.className) pristine.removeAttribute("class");
  pristine.removeAttribute("data-theme");

  // What a page forbids itself counts from its beginning, and the server has allowed this script to ask for it again.
  const withoutPolicy = (root) => {
    for (const element of all('meta[http-equiv="Content-Security-Policy"]', root)) element.remove();
  };
  withoutPolicy(pristine);

  // Where scripts run, the content of a noscript is text; the parser below would make elements of it. Nobody sees either.
  for (const element of all("noscript", pristine)) element.textContent = "";
  const parse = (text) => {
    const page = text.replace(/(<noscript\b[^>]*>)[^]*?(<\/noscript)/gi, "$1$2");
    const fresh = new DOMParser().parseFromString(page, "text/html").documentElement;
    fresh.normalize();
    withoutPolicy(fresh);
    return fresh;
  };

  /* ---- Which child was which ---- */

  // How children are recognised, the surest way first. Space between elements is like any other, so it proves nothing.
  const KEYS = [
    (node) => (node.id ? `${node.nodeName}#${node.id}` : null),
    (node) => node.outerHTML ?? (node.data.trim() ? `${node.nodeName} ${node.data}` : null),
    (node) => (node.attributes?.length ? node.cloneNode(false).outerHTML : null),
    (node) => {
      // The first class says what a thing is, the others how it is. A tab list that a script made belongs into tabs and not into a table.
      const says = (name) => node.getAttribute?.(name) ?? "";
      const what = /^(?:HEAD|BODY)$/.test(node.nodeName) ? "" : says("class").split(" ")[0];
      return [node.nodeName, what, says("rel"), says("name"), says("type")].join(" ");
    },
  ];
  // The most cells of a table for the longest common subsequence.
  const MOST = 250_000;

  /** What two lists of keys have in common, in order, as pairs of positions. Null is like nothing. */
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
    // How long it is for what is left of both lists from each position on.
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

  /** Finds for the nodes of `fresh` those of `old` that they were, in order; `pairs` holds them. */
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

  /* ---- The changes: each is made to the pristine tree and to the document ---- */
  // These functions return false where the document is not as they know it; then what is around is made anew.

  /** Makes a node and its twin of what the server wrote. */
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
    // Only what differs: what the reader has selected around it stays selected.
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
      // What is open stays open: that may be the reader's doing, or that of an address that leads inside.
      else if (name !== "open") live.removeAttributeNS(namespaceURI, localName);
      node.removeAttributeNS(namespaceURI, localName);
    }
    for (const attribute of fresh.attributes) {
      const { name, localName, namespaceURI, value } = attribute;
      if (node.getAttributeNS(namespaceURI, localName) === value) continue;
      if (name === "class") {
        // Scripts have classes of their own.
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
      // A style sheet goes with the update that has brought the others.
      if (isStyle(child)) outdated.push(gone, ...former.get(gone) ?? []);
      else gone.remove();
      child.remove();
    }
    let last = null;
    for (const child of after) {
      const known = pairs.get(child);
      if (known && !patch(known, child)) return false;
      // The node may be another now.
      last = known ? (last ? last.nextSibling : node.firstChild) : insert(child, node, last, live);
    }
    return true;
  }

  /** Puts a new child behind a sibling, and its twin behind that one's, or before that of the next. */
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

  // A style sheet stays until the one that takes its place has come, or has failed: a page without style would flash.
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

  /* ---- What the reader must not lose ---- */

  /** Returns a function that gives the focus to what stands where the focused element stood, if that is gone. */
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

  // How many elements in view are remembered, and how wide one is that belongs to the text and not to its margin, compared with the widest.
  const ANCHORS = 100, WIDE = 0.6;

  /** Returns a function that brings what was at the top of the window back to where it was. Not all browsers do that themselves. */
  function rememberScroll() {
    // At the very top one sees what is new there.
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
    // Of what begins above the window, the part that one sees may move though its beginning does not.
    const best = [...wide.filter(({ top }) => top >= 0), ...wide];
    return () => {
      const anchor = best.find(({ element }) => element.isConnected && element.getClientRects().length);
      const by = anchor ? anchor.element.getBoundingClientRect().top - anchor.top : 0;
      if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: "instant" });
    };
  }

  // The search keeps the files that it has read, by their address. After a change it has to ask again, under another name for the same place.
  let open, changes = 0;
  function renewSearch() {
    changes++;
    if (open || !window.ksys?.open) return;
    open = window.ksys.open;
    window.ksys.open = (root, ...rest) => open(root + "./".repeat(changes), ...rest);
  }

  /* ---- An update ---- */

  // What runs only when a page is loaded, and the form that the script of the search has made its own.
  const fixed = (root) => all("script, template, form[data-search]", root).map((element) => element.outerHTML).join("\n");
  // A page that comes from the browser's cache was fine, too.
  const outcome = (status) => (status >= 200 && status < 400 ? 200 : status);
  let loaded;
  // The state of the server that this page shows, and the one that it should show.
  let shown, wanted;
  let busy = false;

  /** Loads the page again, once for each state of the server: if it asks for that again, it would never end. */
  function reload() {
    const reason = `${wanted} ${location.pathname}`;
    if (memory.get("ksys-live-reload") !== reason && memory.set("ksys-live-reload", reason)) location.reload();
  }

  /** Fetches the page and applies what has changed; false if there was nothing to fetch. */
  async function update() {
    let response, text;
    try {
      response = await fetch(location.href.split("#")[0], { cache: "no-store" });
      text = await response.text();
    } catch {
      return false;
    }
    // The server was started anew on a knowledge base with errors: what is here is still the best there is.
    if (response.status === 503) return false;
    loaded ??= outcome(performance.getEntriesByType("navigation")[0]?.responseStatus || response.status);
    const fresh = parse(text);
    // static/site.js shows other versions of the architecture under their own addresses.
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

  /** Makes the page what the server has now; while one update runs, the newest state waits for its turn. */
  async function catchUp({ boot, version }) {
    wanted = `${boot} ${version}`;
    if (busy) return;
    busy = true;
    while (wanted !== shown) {
      const next = wanted;
      if (await update().catch(() => { reload(); return true; })) shown = next;
      // The next message tries again.
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

    // It is in the page from the beginning: when the server has stopped, there would be no style sheet any more.
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
    // Where the focus came from.
    let from = null;
    // Whether the list is open, and which errors the reader has hidden. One whose line has moved is no new error.
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
        // Of a long line one sees the part that is meant.
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
      // Only pages of this machine, or with a certificate, may write to the clipboard.
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
          // Warnings alone wait until somebody asks; those that are open stay so.
          if (panel.role === "alertdialog") opened = false;
          if (hidden.length) remember([]);
        } else if (names.some((name) => !hidden.includes(name)) || names.length > hidden.length) opened = true;
        else if (!opened) remember(names);
      }
      const focused = root.activeElement;
      draw();
      // What had the focus is gone: back to where it came from.
      if (focused && !focused.checkVisibility() && from?.isConnected) from.focus({ preventScroll: true });
    };
  }

  /** A text with `code` in it. */
  function quoted(text) {
    const parts = text.split("`");
    return parts.length % 2 ? parts.map((part, at) => (at % 2 ? make("code", { textContent: part }) : part)) : [text];
  }

  /** The lines of the report that are not said already: neither the title nor the help. */
  function excerpt({ text, help }) {
    const lines = (text ?? "").split("\n");
    const from = lines.findIndex((line) => /^\s*-->/.test(line)) + 1 || (/^\w+\[/.test(lines[0]) ? 1 : 0);
    const to = help ? lines.findIndex((line) => /^\s*= help:/.test(line)) : -1;
    const shown = lines.slice(from, to < 0 ? lines.length : to);
    const empty = (line) => /^\s*\|?\s*$/.test(line ?? "|");
    while (shown.length && empty(shown[0])) shown.shift();
    while (shown.length && empty(shown.at(-1))) shown.pop();
    return shown.length && shown.flatMap((line, at) => {
      // Below a line stands where in it.
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
    // A tab that nobody sees leaves its connection to the others.
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
