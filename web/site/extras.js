// Conveniences that site.js loads when the reader points at a link or presses "?": previews of linked pages, reports of errors, and help for the keyboard.
{
  // Milliseconds that the pointer rests on a link before its preview is shown, and the number of characters of a page that are read at most to find its description.
  const REST = 350, HEAD = 20_000;
  // The number of characters of a statement in the title of a report.
  const TITLE = 80;

  /* ---- Previews ---- */

  const ENTITY = /\/(components|concepts|providers)\/[^/]+\/(index\.html)?(#.*)?$/;
  const found = new Map();
  const preview = make("div", { className: "preview", role: "tooltip", id: "_preview", hidden: true });
  document.body.append(preview);
  let wait, at;

  /** Reads a page up to its description. */
  async function description(url) {
    const control = new AbortController();
    const response = await fetch(url, { signal: control.signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (text.length < HEAD && !/<link rel="icon"/.test(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    control.abort();
    const head = new DOMParser().parseFromString(text, "text/html");
    return head.querySelector('meta[name="description"]')?.content ?? "";
  }

  const hide = () => {
    clearTimeout(wait);
    at?.removeAttribute("aria-describedby");
    at = undefined;
    preview.hidden = true;
  };
  /** The source that a number leads to. */
  const sourceOf = (link) => link.parentNode.matches(".cite") && document.getElementById(decodeURIComponent(link.hash.slice(1)));
  async function show(link) {
    at = link;
    const url = link.href.split("#")[0], source = sourceOf(link);
    if (!source && !found.has(url)) found.set(url, await description(url).catch(() => ""));
    if (at !== link || !(source || found.get(url))) return;
    preview.textContent = source ? source.textContent : found.get(url);
    preview.hidden = false;
    link.setAttribute("aria-describedby", preview.id);
    const { left, bottom, top } = link.getBoundingClientRect(), { offsetWidth, offsetHeight } = preview;
    const below = bottom + offsetHeight + 8 < innerHeight;
    preview.style.left = `${scrollX + Math.max(8, Math.min(left, document.documentElement.clientWidth - offsetWidth - 8))}px`;
    preview.style.top = `${scrollY + (below ? bottom + 6 : top - offsetHeight - 6)}px`;
  }
  const offer = ({ target }) => {
    const link = target.closest?.("main a[href]");
    // The preview of the link with the focus stays when the page scrolls under the pointer.
    if (link === at || !link && at?.matches(":focus-visible")) return;
    hide();
    // A drawing has its own way to show more, and the current page is known.
    const isPage = link && !link.closest("svg") && ENTITY.test(link.href) && link.href.split("#")[0] !== location.href.split("#")[0];
    if (!isPage && !(link && sourceOf(link))) return;
    at = link;
    wait = setTimeout(show, REST, link);
  };
  if (matchMedia("(hover: hover)").matches && location.protocol !== "file:") document.addEventListener("pointerover", offer);
  document.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) offer(event); });
  document.addEventListener("focusout", ({ target }) => { if (target === at) hide(); });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  // The link that caused this script to load.
  const first = document.querySelector("main a[href]:is(:hover, :focus-visible)");
  if (first) offer({ target: first });

  /* ---- Reports ---- */

  const { repository } = words;
  const [label, title] = (words.report ?? "").split("|");
  /** A link that reports a statement; without one, the page. */
  const reportLink = (text = "") => {
    const query = new URLSearchParams({ title: `${title} ${(text || document.title).slice(0, TITLE)}`, body: `${location.href}\n\n${text && `> ${text}\n\n`}` });
    return make("a", { className: "report", rel: "external noreferrer", target: "_blank", href: `${repository.replace(/\/$/, "")}/issues/new?${query}`, textContent: label });
  };
  // One statement at a time has the link, and only for the pointer: the keyboard would pass one more stop after each link. The footer has the link for the page.
  let report;
  const mark = ({ target }) => {
    const claim = target.closest?.("main :is(.claim, .plate-answer, .removal, .relations dd)");
    if (!claim || claim.contains(report)) return;
    report?.remove();
    report = reportLink(claim.innerText.replace(/\s+/g, " ").trim());
    claim.append(report);
  };
  if (repository) {
    document.addEventListener("pointerover", mark);
    for (const target of all("main :hover")) mark({ target });
    const item = make("li", {});
    item.append(reportLink());
    document.querySelector(".site-footer ul")?.append(item);
  }

  /* ---- Keyboard ---- */

  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.target.closest("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
    const [heading, ...actions] = words.keys.split("|");
    const keys = [["/", "Ctrl K"], ["↑", "↓"], ["Enter"], ["Esc"], ["+", "−", "0", "←", "→"], ["?"]];
    const dialog = make("dialog", { className: "keys", ariaLabel: heading });
    const list = make("dl", {});
    actions.forEach((action, index) => {
      const term = make("dt", {});
      term.append(...keys[index].flatMap((key) => [make("kbd", { textContent: key }), " "]));
      list.append(term, make("dd", { textContent: action }));
    });
    const close = make("button", { type: "button", textContent: words.close, onclick: () => dialog.close() });
    dialog.append(make("h2", { textContent: heading }), list, close);
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
  });
}
