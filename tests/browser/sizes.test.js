// The cost of a page: bytes, requests and layout shifts.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { start } from "./browser.js";
import { kind, kinds, pages } from "./server.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");
const KB = 1024;
/** The limits in KB for kinds of pages that list everything or contain an application. All other pages are ordinary. */
const LARGE = { "providers/…": 48, architecture: 34, api: 34, compare: 36, ports: 32, "well-known": 39 };
/** The least share of ordinary pages within the limit. Some are larger: kube-apiserver has hundreds of flags. */
const MOST = 0.945;

/** The number of additional requests of the results page, for the search index. */
const INDEX = 3;

/** The resources that a page loads immediately, and the scripts that it loads on demand. */
const LOADED = /<(?:script\b[^>]*?\ssrc|link\b[^>]*?\brel="(?:stylesheet|icon|manifest|(?:module)?preload)"[^>]*?\shref|(?:img|iframe|source|video)\b[^>]*?\ssrc)="([^"]+)"/g;
/** Fonts are in the cache after the first page, so they are counted on their own. */
const FONT = /\.woff2$/;
const LATER = /\bdata-script="([^"]+)"/g;

let all, specimens, open, stop;
const sizes = new Map();
const assets = new Set();
/** The compressed size of files in bytes, by path. */
const packed = new Map();

before(async () => {
  all = await pages(SITE);
  specimens = await kinds(SITE, all);
  const size = async (file) => {
    if (!packed.has(file)) packed.set(file, gzipSync(await readFile(join(SITE, file)), { level: 9 }).length);
    return packed.get(file);
  };
  for (const path of all) {
    const html = await readFile(join(SITE, path, "index.html"), "utf8");
    const named = (pattern) => new Set([...html.matchAll(pattern)].map(([, address]) => new URL(address, `http://site${path}`)).map((url) => {
      assert.equal(url.origin, "http://site", `${path} loads ${url}`);
      return url.pathname;
    }));
    const loaded = named(LOADED);
    const files = [...loaded].filter((file) => !FONT.test(file));
    let bytes = await size(`${path}index.html`);
    for (const file of files) bytes += await size(file);
    for (const file of [...loaded, ...named(LATER)]) assets.add(file);
    sizes.set(path, { bytes, requests: 1 + files.length });
  }
  for (const file of assets) await size(file);
  ({ open, stop } = await start(SITE));
});
after(() => stop?.());

describe("a page", () => {
  test("has at most 30 KB with all it needs, in at most 7 requests", (context) => {
    const groups = new Map(all.map((path) => [kind(path), []]));
    for (const path of all) groups.get(kind(path)).push(path);
    const table = [];
    const wrong = [];
    const ordinary = [];
    for (const [name, paths] of groups) {
      const sorted = paths.map((path) => ({ path, ...sizes.get(path) })).sort((a, b) => a.bytes - b.bytes);
      const middle = sorted[sorted.length >> 1], largest = sorted.at(-1);
      const requests = Math.max(...sorted.map(({ requests }) => requests));
      table.push({ kind: name, pages: sorted.length, "half of them": (middle.bytes / KB).toFixed(1), largest: (largest.bytes / KB).toFixed(1), "which is": largest.path, requests });
      if (requests > 7) wrong.push(`${name}: ${requests} requests`);
      if (name in LARGE) {
        if (largest.bytes > LARGE[name] * KB) wrong.push(`${largest.path}: ${largest.bytes} bytes`);
      } else {
        ordinary.push(...sorted);
        if (middle.bytes > 30 * KB) wrong.push(`${name}: half of them have more than ${middle.bytes} bytes`);
      }
    }
    const small = ordinary.filter(({ bytes }) => bytes <= 30 * KB).length / ordinary.length;
    if (small < MOST) wrong.push(`only ${(small * 100).toFixed(1)} % of the ordinary pages have at most 30 KB`);
    console.log("KB compressed, with all that is loaded:");
    console.table(table);
    context.diagnostic(`${(small * 100).toFixed(1)} % of the ordinary pages have at most 30 KB`);
    assert.deepEqual(wrong, []);
  });

  test("of any kind shares its scripts with the others, at most 30 KB, and its styles, at most 25 KB", (context) => {
    const [scripts, styles] = [".js", ".css"].map((end) => [...assets].filter((file) => file.endsWith(end)).reduce((sum, file) => sum + packed.get(file), 0));
    context.diagnostic(`scripts ${(scripts / KB).toFixed(1)} KB, styles ${(styles / KB).toFixed(1)} KB`);
    assert.ok(scripts > 0 && scripts <= 30 * KB, `${scripts} bytes of script`);
    assert.ok(styles > 0 && styles <= 25 * KB, `${styles} bytes of style`);
  });

  test("has typefaces of at most 45 KB together, two of which every page loads at once", async () => {
    const css = await readFile(join(SITE, [...assets].find((file) => /site\.\w+\.css$/.test(file))), "utf8");
    const fonts = new Set([...css.matchAll(/url\("?([^")]+\.woff2)/g)].map(([, file]) => file));
    assert.ok(fonts.size >= 2);
    const bytes = await Promise.all([...fonts].map(async (file) => (await readFile(join(SITE, "_assets", file))).length));
    assert.ok(bytes.reduce((sum, size) => sum + size) <= 45 * KB, `${bytes}`);
    assert.equal([...assets].filter((file) => FONT.test(file)).length, 2);
  });

  test("asks for what is counted here and nothing else, and stays where it is while its scripts are late", async () => {
    const wrong = [];
    for (const path of specimens) {
      // One language on a phone, the other on a desktop.
      const [width, height] = path.startsWith("/ja/") ? [1280, 900] : [390, 844];
      const asked = new Set();
      const shifts = await open(path, async (page) => {
        await page.waitForLoadState("load");
        // After two frames, changes by scripts are laid out and reported.
        return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.shifts), 50)))));
      }, {
        viewport: { width, height },
        prepare: async (page) => {
          page.on("request", (request) => { if (!FONT.test(request.url())) asked.add(request.url()); });
          await page.addInitScript(() => {
            window.shifts = [];
            new PerformanceObserver((list) => {
              for (const { value, sources } of list.getEntries()) window.shifts.push({ value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.nodeName) });
            }).observe({ type: "layout-shift", buffered: true });
          });
          // Deferred scripts arrive late.
          await page.route(/\.js$/, async (route) => {
            if (!/theme\./.test(route.request().url())) await new Promise((resolve) => setTimeout(resolve, 250));
            await route.continue();
          });
        },
      });
      const sum = shifts.reduce((sum, { value }) => sum + value, 0);
      if (sum >= 0.01) wrong.push(`${path} at ${width} moves by ${sum.toFixed(3)}: ${JSON.stringify(shifts)}`);
      if (asked.size > sizes.get(path).requests + (kind(path) === "search" ? INDEX : 0)) wrong.push(`${path} asks for ${[...asked].join(", ")}`);
    }
    assert.deepEqual(wrong, []);
  });
});
