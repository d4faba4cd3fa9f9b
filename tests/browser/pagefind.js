// Pagefind on the pages of a built site, for comparison: its index with default settings, and its own script in a browser.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { close, createIndex } from "pagefind";
import { launch } from "./browser.js";

/** The folder of the script, whose root Pagefind takes for that of the site. */
const FOLDER = "/pagefind/";
/** Scripts and WebAssembly. All other files are parts of the index. */
const CODE = /\.js$|\/wasm\./;

/** Returns the files of the index of pages, by path, and their content as transferred: compressed. Only the main content of a page is indexed. */
async function files(site, urls) {
  const { index } = await createIndex({ rootSelector: "main" });
  for (const url of urls) {
    const { errors } = await index.addHTMLFile({ url: `/${url}`, content: await readFile(join(site, url, "index.html"), "utf8") });
    if (errors.length) throw new Error(`${url}: ${errors.join(", ")}`);
  }
  const made = (await index.getFiles()).files;
  await close();
  // The parts of the index and the WebAssembly are compressed files already.
  return new Map(made.map(({ path, content }) => [path, /\.(?:js|json|css)$/.test(path) ? gzipSync(content, { level: 6 }) : Buffer.from(content)]));
}

/** Serves the files, and an empty page in each language. `count` is called with the path and the size of each file that is transferred. */
async function serve(made, count) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    const [, lang] = /^\/(\w+)\.html$/.exec(pathname) ?? [];
    if (lang) return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><html lang="${lang}"><link rel="icon" href="data:,">`);
    const body = made.get(pathname.slice(FOLDER.length));
    if (!body) return response.writeHead(404).end();
    count(pathname, body.length);
    const type = { js: "text/javascript", json: "application/json" }[pathname.split(".").at(-1)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store", ...(/\.js(?:on)?$/.test(pathname) && { "content-encoding": "gzip" }) }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/**
 * Indexes pages of a site, and starts a browser. `tab` is as that of the search under test (relevance.js), and only the last one can be used. `shown` is the number of
 * hits that readers look at.
 */
export async function pagefind(site, urls, shown) {
  const made = await files(site, urls);
  const code = [];
  let loaded = [];
  const server = await serve(made, (path, size) => (CODE.test(path) ? code : loaded).push(size));
  const browser = await launch();
  const pages = {};
  /** Opens a page in a language. The language of a page is that of its searches. */
  const page = (lang) => pages[lang] ??= (async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/${lang}.html`);
    await page.evaluate(async (script) => { window.pagefind = await import(script); }, `${FOLDER}pagefind.js`);
    return page;
  })();

  /** A new instance of the script stands for a new tab: it has loaded nothing. */
  async function tab() {
    const opened = {};
    const own = loaded = [];
    const open = (lang) => opened[lang] ??= (async () => {
      const used = await page(lang);
      await used.evaluate(async () => {
        await window.opened?.destroy();
        window.opened = window.pagefind.createInstance({});
        await window.opened.init();
        // `init` does not wait for the root of the index, but this does.
        await window.opened.filters();
      });
      return used;
    })();
    async function find(lang, query) {
      const used = await open(lang);
      const found = await used.evaluate(async ({ query, shown }) => {
        const { results } = await window.opened.search(query);
        return Promise.all(results.slice(0, shown).map(async (result) => (await result.data()).url));
      }, { query, shown });
      return { urls: found.map((url) => url.replace(/^\//, "")), enough: found.length >= shown };
    }
    return { open, find, loaded: own };
  }

  const stop = async () => {
    await browser.close();
    server.close();
  };
  // The script, its worker and the WebAssembly, which a tab loads once.
  await (await tab()).open("en");
  const script = code.reduce((sum, size) => sum + size, 0);
  const count = [...made.keys()].filter((path) => /\.pf_\w+$|\.json$/.test(path)).length;
  return { tab, stop, files: count, script };
}
