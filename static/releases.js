// Shows another release of the architecture: replaces the diagrams and the links to the other languages. Loaded after site.js, whose functions it uses.
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
    // Relative links are made absolute before the address changes.
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
  // The browser handles fragments on the same page.
  if (location.pathname !== shown && document.querySelector(".versions")) swap(location.href);
  shown = location.pathname;
};
// The page of all releases begins with that of the reader's cluster.
const mine = all(".versions a:not([aria-current])").find(({ textContent }) => textContent === cluster.release);
if (mine && !releases.includes(location.pathname.split("/").at(-2))) {
  swap(mine.href).then((isSwapped) => isSwapped && history.replaceState(null, "", mine.href)).then(() => (shown = location.pathname));
}
