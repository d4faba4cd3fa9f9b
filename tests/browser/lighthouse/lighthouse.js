// Runs Lighthouse on one page of each kind, emulating a phone with a slow connection. Required scores: 100 for accessibility, best practices and SEO, at
// least 98 for performance. It takes minutes and the result depends on the machine, so it is not part of `./test`. Run
// `npm --prefix tests/browser/lighthouse ci`, then `KSYS_DOCS=…/ksys-docs npm --prefix tests/browser/lighthouse run lighthouse [parts of paths …]`.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { kind, kinds, pages, serve } from "../server.js";

const LEAST = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
/** Audits that do not apply to a kind of page: the results page is not indexed, and the explain page forbids connections, even for robots.txt, which
* Lighthouse requests from within the page. */
const LEFT_OUT = { search: ["is-crawlable"], explain: ["robots-txt"] };
const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = process.env.KSYS_DOCS ?? join(ROOT, "target/release/ksys-docs");
const wanted = process.argv.slice(2);

const work = await mkdtemp(join(tmpdir(), "ksys-lighthouse-"));
const server = await serve(work, {}, { compressed: true });
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic"],
});
let failed = false;
try {
  // Canonical URLs must match the served URLs.
  await promisify(execFile)(PROGRAM, ["build", "-d", work, "--site-url", `${server.origin}/`], { cwd: ROOT });
  const paths = (await kinds(work, await pages(work))).filter((path) => !wanted.length || wanted.some((word) => path.includes(word)));
  const table = [];
  for (const path of paths) {
    let lhr;
    // Other processes on the machine affect the performance score, so the best of three runs counts.
    for (let turn = 0; turn < 3 && !(lhr?.categories.performance.score * 100 >= LEAST.performance); turn++) {
      const run = await lighthouse(`${server.origin}${path}`, { port: chrome.port, logLevel: "error", onlyCategories: Object.keys(LEAST), skipAudits: LEFT_OUT[kind(path)] });
      if (!(lhr?.categories.performance.score > run.lhr.categories.performance.score)) lhr = run.lhr;
    }
    const row = { page: path, kind: kind(path) };
    for (const [name, least] of Object.entries(LEAST)) {
      const { score, auditRefs } = lhr.categories[name];
      row[name] = Math.round(score * 100);
      if (row[name] >= least) continue;
      failed = true;
      for (const { id, weight } of auditRefs) {
        const { score, title, displayValue = "", details } = lhr.audits[id];
        if (weight && score !== null && score < 1) console.log(`${path} ${name}: ${title} ${displayValue} ${JSON.stringify(details?.items?.slice(0, 2) ?? "").slice(0, 400)}`);
      }
    }
    table.push(row);
    console.log(Object.values(row).join(" "));
  }
  console.table(table);
} finally {
  chrome.kill();
  server.close();
  await rm(work, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
