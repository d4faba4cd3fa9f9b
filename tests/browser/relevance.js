// Measures how well the search finds the right page: the share of queries for which it is first, or one of the first three, and the mean reciprocal rank; and what
// queries load.
// npm --prefix tests/browser run relevance -- SITE [--pagefind]
//
// The script of the search runs without a browser here: it only needs a function that loads files of the index. `--pagefind` also measures Pagefind on the same
// pages, in a browser. The plain sites are built by the program that KSYS_DOCS names.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { numbers } from "./random.js";

const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "tests/fixtures/search");
const LANGUAGES = ["en", "ja"];
/** The number of hits that readers look at. */
const SHOWN = 7;
/** As in web/search/box.js: with fewer hits, or more words without any, the next language is searched. */
const ENOUGH = 3, LOST = 1;
/** The number of tabs, and of queries in each. */
const TABS = 100, QUERIES = 5;
/** The numbers of pages of plain sites. */
const SIZES = [100, 1_000, 10_000];

const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const compressed = (text) => gzipSync(text, { level: 6 }).length;

/**
 * Opens a tab without a browser. `open` loads the root of the index of a language, `find` returns the URLs of hits and whether there are enough, as the box decides
 * it, and `answer` loads the facts that answer the query. `loaded` collects the compressed sizes of loaded files, in bytes.
 */
export async function tab(site) {
  const context = vm.createContext({ cluster: {} });
  vm.runInContext("globalThis.window = globalThis", context);
  for (const name of ["words", "names", "answers", "index"]) vm.runInContext(await readFile(join(ROOT, `web/search/${name}.js`), "utf8"), context);
  const files = {}, loaded = [];
  context.ksys.load = (url) => files[url] ??= (async () => {
    const text = await readFile(url.split("?")[0], "utf8");
    loaded.push(compressed(text));
    return vm.runInContext(`{ let got; ksys.got = (what, value) => { got = value; }; ${text}; got; }`, context);
  })();
  const open = (lang) => context.ksys.open(`${site}/`, lang);
  async function find(lang, query, most = SHOWN) {
    const index = await open(lang);
    const { hits, lost } = await index.search(query);
    const read = await Promise.all(hits.slice(0, most).map(index.read));
    return { urls: read.map(({ url }) => url), enough: hits.length >= ENOUGH && lost <= LOST, hits };
  }
  const answer = async (lang, query, hits) => (await open(lang)).answers(query, hits);
  return { open, find, answer, loaded, root: (lang) => context.ksys.load(`${site}/search/${lang}/root.js`) };
}

/** Returns the URLs of all pages that the search covers, from the site's root. */
async function covered(site, languages) {
  const urls = new Set();
  const { open, root } = await tab(site);
  for (const lang of languages) {
    const { packs } = await root(lang);
    const index = await open(lang);
    for (const number of packs.keys()) for (const { url } of await index.file(`p/${number}`)) urls.add(url);
  }
  return [...urls];
}

/** Reads judged queries: the language, the kind, the query, and the paths of the right pages. */
async function queries(file) {
  const lines = (await readFile(file, "utf8")).trim().split("\n").filter((line) => !line.startsWith("#"));
  return lines.map((line) => line.split("\t")).map(([lang, kind, query, right]) => ({
    lang, kind, query, right: right.split("|").map((path) => path.replace(/\/?(#.*)?$/, "")),
  }));
}

/** The languages in the order in which the box searches them: the next one only if there are too few results. */
const order = (lang) => [lang, ...LANGUAGES.filter((other) => other !== lang)];

/** Returns the shares and the mean reciprocal rank of a file of judged queries, and a line for each query whose right page is not first. */
export async function relevance({ find }, file) {
  let first = 0, three = 0, rank = 0;
  const missed = [];
  const all = await queries(file);
  for (const { lang, kind, query, right } of all) {
    const found = [];
    for (const of of order(lang)) {
      const { urls, enough } = await find(of, query);
      for (const url of urls) {
        const path = url.replace(/^ja\//, "").replace(/\/$/, "");
        if (!found.includes(path)) found.push(path);
      }
      if (enough) break;
    }
    const at = found.findIndex((path) => right.includes(path));
    first += at === 0;
    three += at >= 0 && at < 3;
    rank += at < 0 ? 0 : 1 / (at + 1);
    if (at) missed.push(`${lang} ${kind}: ${query} → ${right.join(" or ")} is ${at < 0 ? "missing" : `number ${at + 1}`}`);
  }
  return { first: first / all.length, three: three / all.length, rank: rank / all.length, count: all.length, missed };
}

/** Returns the compressed bytes that queries load in a new tab, after the root of the index; in the language of the query only. */
async function transfers(newTab, file) {
  const bytes = [];
  for (const { lang, query } of await queries(file)) {
    const { open, find, loaded } = await newTab();
    await open(lang);
    loaded.length = 0;
    await find(lang, query);
    bytes.push(sum(loaded));
  }
  return bytes;
}

/** Searches as the box does. Pagefind searches one language. */
async function ask({ find, answer }, lang, query, languages) {
  let left = SHOWN;
  for (const of of languages) {
    const { urls, enough, hits } = await find(of, query, left);
    if (of === lang) await answer?.(lang, query, hits);
    left -= urls.length;
    if (enough) break;
  }
}

/**
 * Returns the compressed bytes that are loaded in tabs with a few queries each: the root of the index, the first query with the root, and each later query.
 * `draw` returns the language of a tab, by its number, and a function that returns a query.
 */
async function sessions(newTab, draw, languages) {
  const root = [], first = [], later = [];
  const random = numbers(1);
  for (let number = 0; number < TABS; number++) {
    const { lang, query } = draw(number);
    const opened = await newTab();
    await opened.open(lang);
    root.push(sum(opened.loaded));
    for (let turn = 0; turn < QUERIES; turn++) {
      if (turn) opened.loaded.length = 0;
      await ask(opened, lang, query(random), languages(lang));
      (turn ? later : first).push(sum(opened.loaded));
    }
    }
  return { root, first, later };
}

/** The number of script files of the index. */
async function indexFiles(site) {
  const all = await readdir(join(site, "search"), { recursive: true });
  return all.filter((path) => path.endsWith(".js")).length;
}

/** The compressed size of the script of the search. */
async function script(site) {
  const name = (await readdir(join(site, "_assets"))).find((name) => /^search\.\w+\.js$/.test(name));
  return compressed(await readFile(join(site, "_assets", name)));
}

/** Formats bytes as KB: the value that a share of the numbers does not exceed. */
const quantile = (bytes, share) => (bytes.toSorted((a, b) => a - b)[Math.min(bytes.length - 1, Math.floor(bytes.length * share))] / 1024).toFixed(1);
const quantiles = (what, bytes) => ({ [`${what}, KB`]: quantile(bytes, 0.5), [`${what}, 9 of 10`]: quantile(bytes, 0.9), [`${what}, maximum`]: quantile(bytes, 1) });

/** Returns the row of a file of judged queries. */
async function judged(what, newTab, name) {
  const file = join(FIXTURES, name);
  const opened = await newTab();
  const { first, three, rank, count } = await relevance(opened, file);
  const bytes = await transfers(newTab, file);
  return {
    search: what, file: name, queries: count, "first, %": (first * 100).toFixed(1), "in three, %": (three * 100).toFixed(1), "reciprocal rank": rank.toFixed(3),
    "KB, half of them": quantile(bytes, 0.5), "KB, 9 of 10": quantile(bytes, 0.9),
  };
}

/** Returns the rows of the sessions on a site: of the search, and of Pagefind if it has been started. */
async function session(what, site, urls, draw, languages, other) {
  const row = async (search, newTab, files, code, languages) => {
    const { root, first, later } = await sessions(newTab, draw, languages);
    return {
      search, site: what, pages: urls.length, "index files": files, "files for each page": (files / urls.length).toFixed(2), "script, KB": (code / 1024).toFixed(1),
      "root, KB": quantile(root, 0.5), ...quantiles("first", first), ...quantiles("later", later),
    };
  };
  const rows = [await row("ksys-docs", () => tab(site), await indexFiles(site), await script(site), languages)];
  if (other) rows.push(await row("Pagefind", other.tab, other.files, other.script, (lang) => [lang]));
  return rows;
}

async function main() {
  const [site = process.env.SITE_DIR] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  if (!site) throw new Error("name the folder of a built site: npm --prefix tests/browser run relevance -- SITE");
  const program = process.env.KSYS_DOCS ?? join(ROOT, "target/release/ksys-docs");
  if (!existsSync(program)) throw new Error(`${program} does not exist; run \`cargo build --release\`, or set KSYS_DOCS`);

  const urls = await covered(site, LANGUAGES);
  const other = process.argv.includes("--pagefind") && await (await import("./pagefind.js")).pagefind(site, urls, SHOWN);
  const rows = [];
  for (const name of ["queries.tsv", "judged.tsv", "fresh.tsv", "threads.tsv", "held-back.tsv"]) {
    rows.push(await judged("ksys-docs", () => tab(site), name));
    if (other) rows.push(await judged("Pagefind", other.tab, name));
  }
  console.table(rows);

  const typed = await queries(join(FIXTURES, "judged.tsv"));
  const draw = (number) => {
    const lang = LANGUAGES[number % LANGUAGES.length];
    const own = typed.filter((query) => query.lang === lang);
    return { lang, query: (random) => own[random(own.length)].query };
  };
  const cost = await session("SITE", site, urls, draw, order, other);
  if (other) await other.stop();
  const { plain } = await import("./plain.js");
  const folder = await mkdtemp(join(tmpdir(), "relevance-"));
  try {
    for (const size of SIZES) {
      const below = join(folder, `${size}`);
      await mkdir(below);
      const { site, query } = await plain(program, below, size);
      const urls = await covered(site, ["en"]);
      cost.push(...await session("plain", site, urls, () => ({ lang: "en", query }), () => ["en"]));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.table(cost);
}

if (process.argv[1] === import.meta.filename) await main();
