// The page that explains a listing that the user pastes, types, drops or opens. The listing never leaves the page, whose Content Security Policy forbids
// connections; the explain data is loaded as a script.
globalThis.ksys ??= {};
for (const root of document.querySelectorAll("[data-explain]")) {
  // Milliseconds: from the last keystroke until the input is explained; until a message asks the user to wait; for which "copied" is shown.
  const PAUSE = 150, WAIT = 400, COPIED = 2000;
  // The maximum length of a file in bytes.
  const FILE = 2 ** 24;
  // The beginning of an object in YAML.
  const YAML = /^\s*(- )?apiVersion:/m;
  // The name of the listing in the storage of the tab, where it survives a reload and going back.
  const STORED = "ksys:listing";

  const find = (selector) => root.querySelector(selector);
  const [input, provider, file, source] = ["textarea", "select", "[type=file]", ".explain-source"].map(find);
  const [status, report, copied] = [".explain-status", ".explain-report", "output"].map(find);

  let settings = JSON.parse(root.dataset.explain);
  let loading, loadingYaml, shown, turn = 0, pause, saying;
  let result;
  /** Returns the reader's provider, as chosen in the header. */
  const ownProvider = () => cluster.provider;

  const loadScript = (src) => new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror })));
  /** Loads the explain data and the script that uses it on first use. */
  const load = () => loading ??= (async () => {
    await Promise.all([loadScript(settings.guide), result ?? loadScript(root.dataset.engine)]);
    result ??= ksys.result(root, () => settings);
  })();

  /** Explains the text in the box; resolves when the report is shown. `isWhole`: the input is complete, and makes room for the result. */
  async function run(isWhole = false) {
    clearTimeout(pause);
    const mine = ++turn;
    keep(input.value);
    if (!input.value.trim()) return show();
    const wait = setTimeout(() => say(["p", status.dataset.wait]), WAIT);
    try {
      await load();
      if (YAML.test(input.value)) await (loadingYaml ??= loadScript(root.dataset.yaml));
      if (mine !== turn) return;
      show(ksys.explain(input.value, provider.value || null, new Date().toLocaleDateString("sv")));
      if (isWhole && shown) source.open = false;
    } catch (error) {
      loading = loadingYaml = null;
      console.error(error);
      if (mine !== turn) return;
      show();
      say(["p", status.dataset.failed]);
    } finally {
      clearTimeout(wait);
    }
  }

  /** Explains a complete input and moves the focus to the result. */
  async function explain(text) {
    input.value = text;
    forgetLink();
    input.scrollTo(0, 0);
    await run(true);
    if (shown) status.firstChild.focus();
  }

  /** Removes the listing of a shared link from the address, because it is no longer the one in the box. */
  function forgetLink() {
    if (location.hash.includes(";")) history.replaceState(null, "", location.pathname + location.search);
  }

  /** Stores the listing in this tab. */
  function keep(text) {
    try {
      if (text) sessionStorage[STORED] = text;
      else delete sessionStorage[STORED];
    } catch {}
  }

  function kept() {
    try { return sessionStorage[STORED]; } catch {}
  }

  /** Shows status lines, each with its tag, unless they are unchanged: screen readers announce every replacement. */
  function say(...lines) {
    const fresh = status.cloneNode();
    for (const [tag, ...line] of lines) {
      fresh.append(document.createElement(tag));
      fresh.lastChild.append(...line);
    }
    if (fresh.firstChild?.tagName === "H2") fresh.firstChild.tabIndex = -1;
    if (!fresh.isEqualNode(status)) status.replaceChildren(...fresh.children);
  }

  function show(found) {
    shown = found?.rows.length ? found : null;
    report.hidden = !shown;
    find(".explain-preview").textContent = input.value.trim().split("\n", 1)[0];
    result?.clear();
    if (!shown) {
      source.open = true;
      if (!found) return say();
      const { form, component } = ksys.refusal(input.value);
      return say(["p", status.dataset[form ?? "nothing"]], ...component ? [["p", ...result.about(component)]] : []);
    }
    const known = found.rows.filter(({ owner }) => owner).length;
    say(["h2", status.dataset.count.replace("{known}", known).replace("{all}", found.rows.length)], ["p", ...result.answer(found.guess)]);
    result.show(found, input.value);
  }

  /** Explains the objects in the fragment of such a link. */
  async function restore() {
    const [id, ...names] = location.hash.slice(1).split(";");
    if (!names.length) return;
    try {
      input.value = names.map((name) => {
        const [namespace, kind, ...rest] = name.split("/").map(decodeURIComponent);
        return `${namespace && `${namespace} `}${kind && `${kind}/`}${rest.join("/")}\n`;
      }).join("");
    } catch {
      return;
    }
    provider.value = "";
    await run(true);
    // The names alone may not be enough to detect the provider.
    const known = [...provider.options].some(({ value }) => value === id);
    if (!known || shown?.guess.provider === id) return;
    provider.value = id;
    run(true);
  }

  /* ---- Actions ---- */

  async function copy(text) {
    await navigator.clipboard.writeText(text);
    copied.textContent = copied.dataset.copied;
    clearTimeout(saying);
    saying = setTimeout(() => { copied.textContent = ""; }, COPIED);
  }

  async function open(files) {
    const texts = [...files].map(async (file) => {
      const bytes = new Uint8Array(await file.slice(0, FILE).arrayBuffer());
      // PowerShell redirects output to files in UTF-16.
      return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16" : "utf-8").decode(bytes);
    });
    explain((await Promise.all(texts)).join("\n"));
  }

  const actions = {
    example: () => explain(find(".explain-example").content.textContent),
    clear() {
      provider.value = ownProvider();
      input.value = "";
      run();
      input.focus();
    },
    copy: () => copy(result.markdown(shown)),
    share: () => copy(result.share(shown)),
  };
  for (const button of root.querySelectorAll("[data-do]")) button.onclick = () => actions[button.dataset.do]();
  find(".explain-copies").hidden = !navigator.clipboard;
  input.onfocus = () => { load().catch(() => { loading = null; }); };
  input.oninput = ({ inputType }) => {
    clearTimeout(pause);
    forgetLink();
    pause = setTimeout(() => (/Paste|Drop/.test(inputType) ? explain(input.value) : run()), /Paste|Drop/.test(inputType) ? 0 : PAUSE);
  };
  provider.onchange = () => run();
  file.onchange = () => {
    open(file.files);
    // Otherwise opening the same file again would not be a change.
    file.value = "";
  };

  // A file can be dropped anywhere on the page.
  const has = (event) => event.dataTransfer.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) root.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    root.classList.remove("dropping");
    if (!has(event)) return;
    event.preventDefault();
    open(event.dataTransfer.files);
  });

  // When `ksys-docs serve` has updated the explain data, the listing is explained again.
  document.addEventListener("ksys:update", () => {
    const before = settings.guide;
    settings = JSON.parse(root.dataset.explain);
    if (settings.guide === before || !loading) return;
    loading = null;
    run();
  });
  window.addEventListener("hashchange", restore);
  // Every script has run by then, also that of the header.
  document.addEventListener("DOMContentLoaded", () => {
    provider.value = ownProvider();
    if (location.hash === "#example") return actions.example();
    restore();
    if (!turn) input.value ||= kept() ?? "";
    if (input.value && !turn) run(true);
  });
}
