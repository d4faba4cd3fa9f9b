// Runs before the first paint: applies the stored colour scheme, marks that JavaScript is enabled, and opens the stored areas of the navigation.
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    const open = (sessionStorage.getItem("open") ?? "").split(" ");
    const watch = new MutationObserver(() => {
      for (const area of document.querySelectorAll(".sections > .fold > .section[data-area-id]")) area.open ||= open.includes(area.dataset.areaId);
      if (document.querySelector("main")) watch.disconnect();
    });
    if (open[0]) watch.observe(root, { childList: true, subtree: true });
  } catch {}
})();
