// Videos, the Markdown of a page, and paper, on a small site that is built here. KSYS_DOCS is the program.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start, until } from "./browser.js";

const PROGRAM = process.env.KSYS_DOCS;
if (!PROGRAM) throw new Error("KSYS_DOCS must name the program");

const GUIDE = `# Guide

![The lid closes](lid.webm "Caption of the lid")

=== "one"
    first panel

=== "two"
    second panel

??? note "Folded"
    folded note

<details><summary>More</summary>

folded details

</details>

\`\`\`sh
echo ${"x".repeat(300)} end of code
\`\`\`
`;

let folder, open, stop;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "ksys-docs-media-"));
  mkdirSync(join(folder, "content/guide"), { recursive: true });
  writeFileSync(join(folder, "book.toml"), '[book]\ntitle = "Coffee"\n');
  writeFileSync(join(folder, "content/guide/en.md"), GUIDE);
  // The browser reports a file that is not a video to the page only, not in the console.
  writeFileSync(join(folder, "content/guide/lid.webm"), "x");
  const out = join(folder, "out");
  execFileSync(PROGRAM, ["build", "-d", out], { cwd: folder, stdio: "pipe" });
  ({ open, stop } = await start(out));
});
after(async () => {
  await stop?.();
  rmSync(folder, { recursive: true });
});

test("a video has controls, a name, and is permitted by the policy of the host", async () => {
  await open("/guide/", async (page) => {
    const found = await page.evaluate(() => {
      const { controls, autoplay, preload, ariaLabel, offsetWidth } = document.querySelector("figure > video");
      return { controls, autoplay, preload, ariaLabel, visible: offsetWidth > 100 };
    });
    assert.deepEqual(found, { controls: true, autoplay: false, preload: "metadata", ariaLabel: "The lid closes", visible: true });
  }, { prepare: (page) => page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => console.error(violatedDirective));
  }) });
});

test("the Markdown of a page can be copied, and viewed without a script", async () => {
  await open("/guide/", async (page) => {
    const button = page.locator("[data-copy-page]");
    await button.click();
    await until(page, () => document.querySelector("[data-copy-page]").textContent === "Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, readFileSync(join(folder, "out/guide/index.md"), "utf8"));
    assert.match(copied, /second panel/);
    await until(page, () => document.querySelector("[data-copy-page]").textContent === "Copy as Markdown");
  }, { permissions: ["clipboard-read", "clipboard-write"] });
  await open("/guide/", async (page) => {
    assert.equal(await page.locator("[data-copy-page]").isVisible(), false);
    const link = page.getByRole("link", { name: "View as Markdown" });
    assert.match(await link.getAttribute("href"), /\.md$/);
  }, { javaScriptEnabled: false });
});

test("paper shows all tabs with their labels, what is folded, and whole lines of code", async () => {
  await open("/guide/", async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 680, height: 960 });
    const wrong = await page.evaluate(() => {
      const shown = (text) => {
        const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const { parentElement: element, data } = walker.currentNode;
          const options = { contentVisibilityAuto: true, visibilityProperty: true };
          if (data.includes(text) && element.checkVisibility(options) && element.getBoundingClientRect().height > 0) return true;
        }
        return false;
      };
      const hidden = ["first panel", "second panel", "folded note", "folded details", "end of code"].filter((text) => !shown(text));
      const labels = [...document.querySelectorAll(".tab-label")].filter((label) => label.checkVisibility()).map((label) => label.textContent);
      const code = document.querySelector("pre");
      return { hidden, labels, tools: document.querySelector(".tab-list").checkVisibility(), cut: code.scrollWidth > code.clientWidth };
    });
    assert.deepEqual(wrong, { hidden: [], labels: ["one", "two"], tools: false, cut: false });
  });
});
