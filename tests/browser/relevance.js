// Measures how well the search finds the right page: the share of queries for which it is first, or one of the first three, and the mean reciprocal rank.
// npm --prefix tests/browser run relevance -- SITE
//
// The script of the search runs without a browser here: it only needs a function that loads files of the index.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "tests/fixtures/search");
/** The number of hits that readers look at. */
const SHOWN = 7;

/** Returns a function that opens the index of a language, and a list that collects the compressed sizes of the files it loads. */
async function engine(site) {
  const context = vm.createContext({ cluster: {} });
  vm.runInContext("globalThis.window = globalThis", context);
  for (const name of ["words", "names", "answers", "index"]) vm.runInContext(await readFile(join(ROOT, `web/search/${name}.js`), "utf8"), context);
  const files = {}, loaded = [];
  context.ksys.load = (url) => files[url] ??= (async () => {
    const text = await readFile(url.split("?")[0], "utf8");
    loaded.push(gzipSync(text, { level: 6 }).length);
    return vm.runInContext(`{ let got; ksys.got = (what, value) => { got = value; }; ${text}; got; }`, context);
  })();
  return { open: (lang) => context.ksys.open(`${site}/`, lang), loaded };
}

/** Reads judged queries: the language, the kind, the query, and the paths of the right pages. */
async function queries(file) {
  const lines = (await readFile(file, "utf8")).trim().split("\n").filter((line) => !line.startsWith("#"));
  return lines.map((line) => line.split("\t")).map(([lang, kind, query, right]) => ({
    lang, kind, query, right: right.split("|").map((path) => path.replace(/\/?(#.*)?$/, "")),
  }));
}

/** Returns the shares and the mean reciprocal rank of a file of judged queries, and a line for each query whose right page is not first. */
export async function relevance(site, file) {
  const { open } = await engine(site);
  let first = 0, three = 0, rank = 0;
  const missed = [];
  const all = await queries(file);
  for (const { lang, kind, query, right } of all) {
    const found = [];
    // As the box does, in the next language if there are too few results.
    for (const of of lang === "ja" ? ["ja", "en"] : ["en", "ja"]) {
      const index = await open(of);
      const { hits, lost } = await index.search(query);
      for (const hit of hits.slice(0, SHOWN)) {
        const path = (await index.read(hit)).url.replace(/^ja\//, "").replace(/\/$/, "");
        if (!found.includes(path)) found.push(path);
      }
      if (hits.length >= SHOWN && !lost) break;
    }
    const at = found.findIndex((path) => right.includes(path));
    first += at === 0;
    three += at >= 0 && at < 3;
    rank += at < 0 ? 0 : 1 / (at + 1);
    if (at) missed.push(`${lang} ${kind}: ${query} → ${right.join(" or ")} is ${at < 0 ? "missing" : `number ${at + 1}`}`);
  }
  return { first: first / all.length, three: three / all.length, rank: rank / all.length, count: all.length, missed };
}

/** Returns the compressed bytes that queries load in a new tab, after the root of the index, in ascending order. */
async function transfers(site, file) {
  const bytes = [];
  for (const { lang, query } of await queries(file)) {
    const { open, loaded } = await engine(site);
    const index = await open(lang);
    loaded.length = 0;
    const { hits } = await index.search(query);
    await Promise.all(hits.slice(0, SHOWN).map(index.read));
    bytes.push(loaded.reduce((sum, size) => sum + size, 0));
  }
  return bytes.sort((a, b) => a - b);
}

if (process.argv[1] === import.meta.filename) {
  const site = process.argv[2] ?? process.env.SITE_DIR;
  if (!site) throw new Error("name the folder of a built site: npm --prefix tests/browser run relevance -- SITE");
  const rows = [];
  for (const name of ["queries.tsv", "judged.tsv", "held-back.tsv"]) {
    const { first, three, rank, count } = await relevance(site, join(FIXTURES, name));
    const bytes = await transfers(site, join(FIXTURES, name));
    rows.push({
      file: name, queries: count, "first, %": (first * 100).toFixed(1), "in three, %": (three * 100).toFixed(1), "reciprocal rank": rank.toFixed(3),
      "KB, half of them": (bytes[bytes.length >> 1] / 1024).toFixed(1), "KB, 9 of 10": (bytes[Math.floor(bytes.length * 0.9)] / 1024).toFixed(1),
    });
  }
  console.table(rows);
}
