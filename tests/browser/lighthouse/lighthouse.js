// Lighthouse on one page of each kind, on a phone with a slow line: 100 for accessibility, best practices and SEO, at least 98 for performance.
// It takes minutes and measures the machine, too, so `./test` leaves it out: `npm --prefix tests/browser/lighthouse ci`, then
// `KSYS_DOCS=…/ksys-docs npm --prefix tests/browser/lighthouse run lighthouse [words in the addresses of pages …]`.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { kind, kinds, pages, serve } from "../server.js";

const LEAST = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
/** Audits that say nothing about a kind of page: the page of results is meant for no index, and the one that explains may fetch nothing, not even
 * robots.txt, which Lighthouse asks for from within the page. */
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
  // Canonical addresses must be those under which the pages are served.
  await promisify(execFile)(PROGRAM, ["build", "-d", work, "--site-url", `${server.origin}/`], { cwd: ROOT });
  const paths = (await kinds(work, await pages(work))).filter((path) => !wanted.length || wanted.some((word) => path.includes(word)));
  const table = [];
  for (const path of paths) {
    let lhr;
    // A machine that does something else is slower than the page is: the best of three counts.
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
