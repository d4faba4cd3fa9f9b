// The HTML of every page of a built site: validity, heading order, language and reachability. No browser is needed.
import { before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { pages } from "./server.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");
const TAG = /<!--[^]*?-->|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|([^<]+)/g;
const EMPTY = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
/** Elements with code, which has no language. */
const CODE = new Set(["code", "kbd", "pre", "samp", "script", "style", "var"]);
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Matches four or more words with at least one function word: English prose rather than the name of a product. */
const ENGLISH = /^(?=.*\b(?:a|an|and|are|by|for|from|how|in|is|it|of|on|or|that|the|this|to|what|with)\b)(?:\S+\s+){3,}\S+$/s;
/** Elements with other names, which are the same in every language. */
const NAMES = /class="(item|label)"/;
const PRODUCTS = ["Workload Identity (Federation) for GKE", "Splunk Connect for Kubernetes"];

let all, html;
before(async () => {
  all = await pages(SITE);
  html = new Map(await Promise.all(all.map(async (path) => [path, await readFile(join(SITE, path, "index.html"), "utf8")])));
});

const language = (path) => (path.startsWith("/ja/") ? "ja" : "en");

/** Yields the texts of a page, each with its ancestors. */
function* texts(source) {
  const around = [];
  for (const [, closing, tag, attributes, text] of source.matchAll(TAG)) {
    if (text) yield { text: text.trim(), around };
    else if (closing) around.length = Math.max(0, around.findLastIndex((element) => element.tag === tag));
    else if (tag && !EMPTY.has(tag) && !attributes.endsWith("/")) {
      around.push({ tag, attributes, lang: /(?:^|\s)lang="([^"]*)"/.exec(attributes)?.[1] ?? around.at(-1)?.lang });
    }
  }
}

/** Returns the text of a heading without its mark. */
const plain = (source) => source.replace(/<span class="mark"[^>]*>[^<]*<\/span>|<[^>]*>/g, "").trim();

/** Fails if there are any problems, with their number and the first ones. */
const none = (wrong) => assert.equal(wrong.length, 0, `${wrong.length} in all\n${wrong.slice(0, 30).join("\n")}`);

describe("every page", () => {
  test("is valid HTML, those that only lead on to another, too", async () => {
    const files = (await readdir(SITE, { recursive: true })).filter((name) => name.endsWith(".html")).sort().map((name) => join(SITE, name));
    assert.ok(files.length > all.length, `${files.length} files`);
    const share = (at) => files.filter((_, index) => index % 2 === at);
    const wrong = await Promise.all([0, 1].map((at) => new Promise((resolve, reject) => {
      new Worker(new URL("./validate.js", import.meta.url), { workerData: share(at) }).on("message", resolve).on("error", reject);
    })));
    none(wrong.flat());
  });

  // The reference implementation requires Java, so it is optional: `npx vnu-jar` downloads it, and VNU is the path of vnu.jar.
  test("is valid as the checker of the W3C sees it", { skip: !process.env.VNU && "VNU names no vnu.jar" }, async () => {
    const said = await new Promise((resolve) => {
      execFile("java", ["-jar", process.env.VNU, "--errors-only", "--skip-non-html", "--format", "gnu", SITE], { maxBuffer: 1e9 }, (error, stdout, stderr) => resolve(error ? stderr || String(error) : ""));
    });
    none(said.split("\n").filter(Boolean));
  });

  test("has one h1, and leaves out no level of headings", () => {
    const wrong = [];
    for (const [path, source] of html) {
      const levels = [...source.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level));
      if (levels.filter((level) => level === 1).length !== 1) wrong.push(`${path} has not one h1`);
      levels.forEach((level, at) => { if (level > (levels[at - 1] ?? 0) + 1) wrong.push(`${path} goes from h${levels[at - 1]} to h${level}`); });
    }
    none(wrong);
  });

  test("says its language and the direction of it, and what it has words of another for", () => {
    const wrong = [];
    const names = new Set([...PRODUCTS, ...[...html.values()].map((source) => plain(/<h1[^>]*>([^]*?)<\/h1>/.exec(source)[1]))]);
    for (const [path, source] of html) {
      const [, attributes] = /<html([^>]*)>/.exec(source);
      const lang = /lang="([^"]*)"/.exec(attributes)?.[1];
      if (lang !== language(path)) wrong.push(`${path} is said to be ${lang}`);
      const { direction } = new Intl.Locale(language(path)).textInfo;
      if ((/dir="([^"]*)"/.exec(attributes)?.[1] ?? "ltr") !== direction) wrong.push(`${path} runs the wrong way`);
      for (const { text, around } of texts(source)) {
        if (!text || names.has(text) || around.some(({ tag, attributes }) => tag === "title" || CODE.has(tag) || NAMES.test(attributes))) continue;
        const said = around.at(-1)?.lang;
        if (said !== "ja" && JAPANESE.test(text)) wrong.push(`${path} "${text.slice(0, 80)}" is Japanese`);
        if (said === "ja" && !JAPANESE.test(text) && ENGLISH.test(text)) wrong.push(`${path} "${text.slice(0, 80)}" is English`);
      }
    }
    none(wrong);
  });

  test("can be reached from the home page by links alone", () => {
    for (const home of ["/", "/ja/"]) {
      const reached = new Set([home]);
      // Iteration over a set includes elements that are added meanwhile.
      for (const path of reached) {
        for (const [, href] of (html.get(path) ?? "").matchAll(/<a\s[^>]*?\bhref="([^"#?]+)/g)) {
          const { origin, pathname } = new URL(href, `http://site${path}`);
          if (origin === "http://site" && html.has(pathname) && language(pathname) === language(home)) reached.add(pathname);
        }
      }
      none(all.filter((path) => language(path) === language(home) && !reached.has(path)));
    }
  });
});
