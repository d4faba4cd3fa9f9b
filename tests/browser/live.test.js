// Live reload of `ksys-docs serve` in a browser. KSYS_DOCS is the path of the program.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { start, until } from "./browser.js";

if (!process.env.KSYS_DOCS) throw new Error("KSYS_DOCS must name the program");
const PROGRAM = resolve(process.env.KSYS_DOCS);
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
// A timeout in milliseconds, generous for a busy machine.
const PATIENCE = 15_000;

const paragraphs = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => `Paragraph ${from + at}. ${"The water is cold, and then it is warm. ".repeat(6)}`).join("\n\n");
const GUIDE = `# Cleaning

Start with [[boiler]].

=== "cold"

    Wait first.

=== "hot"

    Go on at once.

??? note "Where the brush is"

    In the drawer.

\`\`\`console
$ rinse
\`\`\`

${paragraphs(1, 12)}

## In between {#between}

${paragraphs(13, 40)}
`;
const FILES = {
  "book.toml": `[book]
title = "Coffee"
[output.html]
additional-css = ["extra.css"]
[languages.ja]
title = "コーヒー"
`,
  "extra.css": ".prose { --taste: 1; }\n",
  "content/vocabulary.yaml": `platform: Coffee machine
areas:
  water: {label: {en: Water, ja: 水}}
roles:
  heater: {label: {en: Heater, ja: ヒーター}}
verbs:
  feeds: {label: {en: feeds, ja: 供給する}, inverse: {en: is fed by, ja: 供給される}}
`,
  "content/index/en.md": "---\nsummary: All about the machine.\n---\nStart at the [[boiler]].\n",
  "content/index/ja.md": "---\nsummary: コーヒーマシンのすべて。\n---\n[[boiler]]から始めます。\n",
  "content/components/boiler/facts.yaml": "name: Boiler\narea: water\nroles: [heater]\n",
  "content/components/boiler/en.md": "---\nsummary: Makes water hot.\n---\nIt holds water.\n",
  "content/components/boiler/ja.md": "---\nsummary: 水を温めます。\n---\n水を入れます。\n",
  "content/components/pump/facts.yaml": "name: Pump\narea: water\n",
  "content/components/pump/en.md": "---\nsummary: Moves water.\n---\nIt feeds the [[boiler]].\n",
  "content/components/pump/ja.md": "---\nsummary: 水を動かします。\n---\n[[boiler]]に送ります。\n",
  "content/cleaning/en.md": GUIDE,
  "content/cleaning/ja.md": "# 掃除\n\n[[boiler]]から始めます。\n",
};
const CLEANING = "content/cleaning/en.md";
const BOILER = "content/components/boiler/en.md";

let browser, parent;
before(async () => {
  parent = await mkdtemp(join(tmpdir(), "ksys-docs-live-"));
  browser = await start(parent);
});
after(async () => {
  await browser?.stop();
  if (parent) await rm(parent, { recursive: true, force: true });
});

/** Starts the server for a folder and waits until it prints its address. */
async function run(folder, port = 0) {
  const child = spawn(PROGRAM, ["serve", folder, "-p", String(port)], { stdio: ["ignore", "ignore", "pipe"] });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  let said = "";
  const address = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address: ${said}`)), PATIENCE);
    child.once("error", reject);
    child.stderr.on("data", (data) => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said);
      if (!found) return;
      clearTimeout(late);
      resolve(found[0]);
    });
    gone.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  const stop = () => {
    child.kill();
    return gone;
  };
  return { address, stop };
}

/** Serves a new knowledge base: the files above, with some added or replaced (null removes one). */
async function serving(overlay, use) {
  const folder = await mkdtemp(join(parent, "base-"));
  const write = async (path, text) => {
    const file = join(folder, path);
    if (text === null) return rm(file, { force: true });
    await mkdir(dirname(file), { recursive: true });
    // Atomically, as editors do, so that the server never reads half of a file.
    await writeFile(`${folder}.new`, text);
    await rename(`${folder}.new`, file);
  };
  const edit = async (path, old, fresh) => {
    const text = await readFile(join(folder, path), "utf8");
    assert.ok(text.includes(old), `${path} has no ${old}`);
    await write(path, text.replace(old, () => fresh));
  };
  for (const [path, text] of Object.entries({ ...FILES, ...overlay })) if (text !== null) await write(path, text);
  const server = await run(folder);

  /** Opens a page. The console of the page and of tabs opened with `tab` must stay empty. */
  function visit(path, use, options = {}) {
    return browser.open(path, async (page) => {
      const said = [];
      page.context().on("console", (message) => said.push(message.text()));
      page.context().on("weberror", (error) => said.push(String(error.error())));
      const tab = async (path) => {
        const other = await page.context().newPage();
        await other.goto(server.address + path.slice(1));
        await mark(other);
        return other;
      };
      await mark(page);
      await use(page, tab);
      if (!options.quiet) assert.deepEqual(said, [], path);
    }, { url: server.address + path.slice(1), ...options });
  }
  try {
    await use({ folder, write, edit, visit, server });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Marks the document, to detect reloads, and counts the updates. */
async function mark(page) {
  await page.evaluate(() => {
    window.marker = 1;
    window.updates = 0;
    document.addEventListener("ksys:update", () => window.updates++);
  });
}
const marked = (page) => page.evaluate(() => window.marker === 1);
const shows = (page, text, root = "main") => until(page, ([text, root]) => document.querySelector(root)?.textContent.includes(text), [text, root]);
const reloaded = (page) => until(page, () => window.marker !== 1 && document.readyState === "complete");
/** Waits longer than an update takes, to check that there is none. */
const settled = (page) => page.waitForTimeout(1500);

const panel = (page) => page.locator("#ksys-live .panel");
const badge = (page) => page.locator("#ksys-live button.badge");
const visible = (locator) => locator.waitFor({ state: "visible", timeout: PATIENCE });
const hidden = (locator) => locator.waitFor({ state: "hidden", timeout: PATIENCE });

describe("a change of prose", () => {
  test("is made in place: the scroll, the focus, open details, chosen tabs and typed words stay", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await page.getByRole("tab", { name: "hot" }).click();
      await page.locator("main details summary", { hasText: "brush" }).click();
      const state = () => page.evaluate(() => ({
        marker: window.marker, focus: document.activeElement === window.focused, y: scrollY,
        open: document.querySelector(".prose details").open,
        tab: document.querySelector(".prose [role=tab][aria-selected=true]").textContent,
        panels: [...document.querySelectorAll(".prose .tab")].map((panel) => panel.hidden),
        copies: [...document.querySelectorAll("figure.code")].map((figure) => figure.querySelectorAll(".copy").length),
      }));
      const same = { marker: 1, focus: true, open: true, tab: "hot", panels: [true, false] };

      // With the focus on a link.
      await page.evaluate(() => {
        window.focused = document.querySelector(".prose a[href*=boiler]");
        window.focused.focus();
        scrollTo(0, 700);
      });
      await edit(CLEANING, "Paragraph 9. ", "Paragraph nine, said anew. ");
      await shows(page, "Paragraph nine, said anew.");
      assert.deepEqual(await state(), { ...same, y: 700, copies: [1] });

      // With the focus in the search box and a selection in its text, while code is inserted.
      const selection = () => page.evaluate(() => {
        const { value, selectionStart, selectionEnd } = document.querySelector("#search-input");
        return [value, selectionStart, selectionEnd];
      });
      await page.fill("#search-input", "hot water");
      await page.evaluate(() => {
        window.focused = document.querySelector("#search-input");
        window.focused.setSelectionRange(4, 9);
        scrollTo(0, 900);
      });
      await edit(CLEANING, "Paragraph 40.", "```sh\nmore --water\n```\n\nParagraph forty.");
      await shows(page, "Paragraph forty.");
      assert.deepEqual(await state(), { ...same, y: 900, copies: [1, 1] });
      assert.deepEqual(await selection(), ["hot water", 4, 9]);

      // Changes inside elements that scripts have modified.
      await edit(CLEANING, "Go on at once.", "Go on after a minute.");
      await shows(page, "Go on after a minute.");
      await edit(CLEANING, "In the drawer.", "On the shelf.");
      await shows(page, "On the shelf.");
      await edit(CLEANING, "$ rinse", "$ rinse --twice");
      await shows(page, "rinse --twice");
      assert.deepEqual(await state(), { ...same, y: 900, copies: [1, 1] });
      await page.locator("figure.code .copy").first().click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "rinse --twice\n");
    }, { permissions: ["clipboard-read", "clipboard-write"] }));
  });

  test("gives the focus to what has come in the place of the focused", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await page.locator(".prose a[href*=boiler]").focus();
      await edit(CLEANING, "Start with [[boiler]].", "> Start with [[pump]], once the machine is cold.");
      await shows(page, "once the machine is cold");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Pump");
      assert.ok(await marked(page));
    }));
  });

  // Safari has no scroll anchoring.
  for (const anchoring of ["auto", "none"]) {
    test(`above the window leaves in view what is in view (overflow-anchor: ${anchoring})`, async () => {
      await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
        const top = () => page.evaluate(async () => {
          // After two frames, because the browser may scroll, too.
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const found = [...document.querySelectorAll(".prose p")].find((p) => p.textContent.startsWith("Paragraph 25."));
          return Math.round(found.getBoundingClientRect().top);
        });
        await page.evaluate((anchoring) => {
          document.documentElement.style.overflowAnchor = anchoring;
          [...document.querySelectorAll(".prose p")].find((p) => p.textContent.startsWith("Paragraph 25.")).scrollIntoView({ block: "center" });
        }, anchoring);
        const [before, from] = [await top(), await page.evaluate(() => scrollY)];
        await edit(CLEANING, "Paragraph 3. ", `${paragraphs(101, 110)}\n\nParagraph 3. `);
        await shows(page, "Paragraph 110.");
        assert.ok(Math.abs(await top() - before) <= 1, `${before} px from the top, then ${await top()}`);
        assert.ok(await page.evaluate(() => scrollY) > from + 500);
        await edit(CLEANING, paragraphs(101, 110), "");
        await until(page, () => !document.querySelector(".prose").textContent.includes("Paragraph 110."));
        assert.ok(Math.abs(await top() - before) <= 1, `${before} px from the top, then ${await top()}`);
        assert.ok(await marked(page));
      }));
    });
  }

  test("in headings reaches the contents, which still say where one is", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await edit(CLEANING, "Paragraph 30. ", "## Near the end {#near}\n\nParagraph 30. ");
      await shows(page, "Near the end", ".contents");
      await page.evaluate(() => document.getElementById("near").scrollIntoView());
      await until(page, () => document.querySelector('.contents [aria-current="true"]')?.hash === "#near");
      await edit(CLEANING, "## In between {#between}", "## Halfway {#half}");
      await shows(page, "Halfway", ".contents");
      await page.evaluate(() => document.getElementById("half").scrollIntoView());
      await until(page, () => document.querySelector('.contents [aria-current="true"]')?.hash === "#half");
      assert.ok(await marked(page));
    }, { viewport: { width: 1440, height: 900 } }));
  });

  test("of tabs keeps the chosen one, and a new tab can be chosen", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      const tabs = () => page.locator(".prose [role=tab]").allTextContents();
      const chosen = () => page.locator(".prose .tab:visible").allTextContents();
      await page.getByRole("tab", { name: "hot" }).click();
      await edit(CLEANING, '=== "cold"', '=== "frozen"\n\n    Thaw it.\n\n=== "cold"');
      await until(page, () => document.querySelectorAll(".prose [role=tab]").length === 3);
      assert.deepEqual(await tabs(), ["frozen", "cold", "hot"]);
      assert.match((await chosen()).join(), /^\s*hot\s+Go on at once\.\s*$/);
      await page.getByRole("tab", { name: "frozen" }).click();
      assert.match((await chosen()).join(), /Thaw it\./);
      await page.keyboard.press("ArrowLeft");
      assert.match((await chosen()).join(), /Go on at once\./);
      await edit(CLEANING, '=== "hot"\n\n    Go on at once.\n', "");
      await until(page, () => document.querySelectorAll(".prose [role=tab]").length === 2);
      assert.equal((await chosen()).length, 1);
      assert.equal(await page.locator(".prose .tab-list").count(), 1);
      const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
      assert.deepEqual(ids.filter((id, at) => ids.indexOf(id) !== at), []);
      assert.ok(await marked(page));
    }));
  });

  test("that comes quickly after another is not lost", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      for (let turn = 1; turn <= 12; turn++) {
        await edit(CLEANING, turn === 1 ? "Paragraph 1." : `Turn ${turn - 1}.`, `Turn ${turn}.`);
        await page.waitForTimeout(turn % 3 * 60);
      }
      await shows(page, "Turn 12.");
      assert.ok(!await page.evaluate(() => document.body.textContent.includes("Turn 11.")));
      assert.ok(await marked(page));
    }));
  });

  test("is made where a script has put something else into the page", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await page.evaluate(() => {
        const find = (text) => [...document.querySelectorAll(".prose p")].find((p) => p.textContent.startsWith(text));
        find("Paragraph 2.").replaceWith(Object.assign(document.createElement("p"), { textContent: "A script was here." }));
        find("Paragraph 4.").append(Object.assign(document.createElement("b"), { textContent: "A script was here, too." }));
        document.querySelector("main").prepend("And here.");
      });
      await edit(CLEANING, "Paragraph 4.", "Paragraph four.");
      await shows(page, "Paragraph four.");
      await shows(page, "A script was here, too.");
      await shows(page, "A script was here.");
      // The element that the script has replaced cannot be patched, so its parent is replaced.
      await edit(CLEANING, "Paragraph 2.", "Paragraph two.");
      await shows(page, "Paragraph two.");
      await shows(page, "And here.");
      assert.equal(await page.locator("main", { hasText: "A script was here." }).count(), 0);
      assert.equal(await page.locator("figure.code .copy").count(), 1);
      assert.equal(await page.locator(".prose [role=tab]").count(), 2);
      assert.ok(await marked(page));
    }));
  });

  test("reaches a site below a path, too", async () => {
    await serving({ "book.toml": FILES["book.toml"].replace("[output.html]", '[output.html]\nsite-url = "/docs/"') }, ({ edit, visit, server }) => {
      assert.ok(server.address.endsWith("/docs/"), server.address);
      return visit("/cleaning/", async (page) => {
        await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
        await shows(page, "Paragraph one.");
        assert.ok(await marked(page));
      });
    });
  });
});

describe("tabs of the browser", () => {
  test("follow only what they show", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (english, tab) => {
      const japanese = await tab("/ja/cleaning/");
      const boiler = await tab("/components/boiler/");
      const updates = async () => Promise.all([english, japanese, boiler].map((page) => page.evaluate(() => window.updates)));
      await edit("content/cleaning/ja.md", "から始めます。", "から始めましょう。");
      await shows(japanese, "から始めましょう。");
      await edit(BOILER, "It holds water.", "It holds half a litre.");
      await shows(boiler, "half a litre");
      await settled(english);
      assert.deepEqual(await updates(), [0, 1, 1]);
      await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
      await shows(english, "Paragraph one.");
      await settled(english);
      assert.deepEqual(await updates(), [1, 1, 1]);
      for (const page of [english, japanese, boiler]) assert.ok(await marked(page));
    }));
  });

  test("are followed in any number, more than a browser has connections", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (first, tab) => {
      const pages = [first];
      while (pages.length < 8) pages.push(await tab("/cleaning/"));
      await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
      for (const page of pages) await shows(page, "Paragraph one.");
      // Closing a tab does not affect the others.
      await first.goto("about:blank");
      await pages.pop().close();
      await edit(CLEANING, "Paragraph one.", "The first paragraph.");
      for (const page of pages.slice(1)) {
        await shows(page, "The first paragraph.");
        assert.ok(await marked(page));
      }
      // A page that is restored, possibly from the back/forward cache, receives the missed update.
      await first.goBack();
      await shows(first, "The first paragraph.");
    }));
  });

  test("have a connection each where workers cannot be shared", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await page.addInitScript(() => { delete window.SharedWorker; });
      await page.reload();
      assert.equal(await page.evaluate(() => "SharedWorker" in window), false);
      await mark(page);
      await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
      await shows(page, "Paragraph one.");
      // The tab is hidden.
      const look = (hidden) => page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
      await look(true);
      await page.waitForTimeout(300);
      await edit(CLEANING, "Paragraph one.", "The first paragraph.");
      await settled(page);
      assert.ok(!await page.evaluate(() => document.body.textContent.includes("The first paragraph.")));
      await look(false);
      await shows(page, "The first paragraph.");
      assert.ok(await marked(page));
    }));
  });
});

describe("a change of", () => {
  test("facts reaches every page that shows them", async () => {
    await serving({}, ({ edit, write, visit }) => visit("/components/boiler/", async (page, tab) => {
      const list = await tab("/components/");
      const linking = await tab("/components/pump/");
      await list.fill('.filter input[name="q"]', "boi");
      await until(list, () => document.querySelectorAll(".entry:not([hidden])").length === 1);
      await edit("content/components/boiler/facts.yaml", "name: Boiler", "name: Boiling vessel");
      await shows(page, "Boiling vessel", "h1");
      await until(page, () => document.title.includes("Boiling vessel"));
      await shows(list, "Boiling vessel");
      await shows(linking, "Boiling vessel", ".prose");
      // New entries of the list are filtered, too.
      await write("content/components/boiler-lid/facts.yaml", "name: Boiler lid\narea: water\n");
      await write("content/components/tray/facts.yaml", "name: Tray\narea: water\n");
      for (const [id, lang] of [["boiler-lid", "en"], ["boiler-lid", "ja"], ["tray", "en"], ["tray", "ja"]]) {
        await write(`content/components/${id}/${lang}.md`, "---\nsummary: A part.\n---\nText.\n");
      }
      await until(list, () => document.querySelectorAll(".entry").length === 4);
      assert.deepEqual(await list.locator(".entry:visible .entry-name").allTextContents(), ["Boiler lid", "Boiling vessel"]);
      assert.match(await list.locator("output").textContent(), /2/);
      assert.equal(await list.inputValue('.filter input[name="q"]'), "boi");
      for (const tab of [page, list, linking]) assert.ok(await marked(tab));
    }));
  });

  test("a style sheet comes without a reload, and the page is never without style", async () => {
    await serving({}, ({ edit, write, visit }) => visit("/cleaning/", async (page) => {
      const tastes = (taste) => until(page, (taste) => getComputedStyle(document.querySelector(".prose")).getPropertyValue("--taste") === taste
        && document.querySelectorAll("link[rel=stylesheet]").length === 3, taste);
      await tastes("1");
      await page.evaluate(() => {
        // The old style sheet must not be removed before the new one has loaded.
        window.bare = [];
        const name = (link) => /(\w+)\.\w+\.css$/.exec(link.href)?.[1];
        new MutationObserver((changes) => {
          for (const gone of changes.flatMap(({ removedNodes }) => [...removedNodes]).filter((node) => node.rel === "stylesheet")) {
            if (![...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.sheet && name(link) === name(gone))) window.bare.push(gone.href);
          }
        }).observe(document.head, { childList: true });
      });
      await edit("extra.css", "1", "2");
      await tastes("2");
      for (const turn of [2, 3, 4, 5, 6]) await edit("extra.css", `${turn}`, `${turn + 1}`);
      await tastes("7");
      // A style sheet of the site replaces that of the theme.
      const theme = await readFile(join(import.meta.dirname, "../../static/site.css"), "utf8");
      await write("static/site.css", `${theme}\nh1 { letter-spacing: 7px; }\n`);
      await until(page, () => getComputedStyle(document.querySelector("h1")).letterSpacing === "7px");
      await tastes("7");
      assert.deepEqual(await page.evaluate(() => window.bare), []);
      assert.ok(await marked(page));
    }));
  });

  test("a script loads the page again, once", async () => {
    await serving({ "book.toml": FILES["book.toml"].replace("[output.html]", '[output.html]\nadditional-js = ["extra.js"]'), "extra.js": "window.extra = 1;\n" }, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      assert.equal(await page.evaluate(() => window.extra), 1);
      await edit("extra.js", "= 1", "= 2");
      await until(page, () => window.extra === 2 && document.readyState === "complete");
      assert.ok(!await marked(page));
      await mark(page);
      await settled(page);
      assert.ok(await marked(page));
    }));
  });

  test("a page whose address a script has changed loads it again", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await settled(page);
      await page.evaluate(() => history.pushState(null, "", "../components/"));
      await edit(BOILER, "Makes water hot.", "Heats water.");
      await shows(page, "Heats water.");
      assert.ok(!await marked(page));
    }));
  });

  test("the words of a page reaches the search that somebody has used already", async () => {
    await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await page.fill("#search-input", "boiler");
      await page.locator("#search-results a").first().waitFor({ timeout: PATIENCE });
      await edit(BOILER, "It holds water.", "It whistles like a zeppelin.");
      await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
      await shows(page, "Paragraph one.");
      await settled(page);
      await page.fill("#search-input", "zeppelin");
      await until(page, () => new URL(document.querySelector(".search-all a").href).searchParams.get("q") === "zeppelin" && document.querySelector("#search-results .hit")?.href.includes("/boiler/"));
      assert.ok(await marked(page));
    }));
  });
});

test("a listing that was pasted is explained with the facts as they are now", async () => {
  const facts = `${FILES["content/components/boiler/facts.yaml"]}listing:\n  - {kind: Deployment, name: boiler}\n`;
  await serving({ "content/components/boiler/facts.yaml": facts }, ({ edit, visit }) => visit("/explain/", async (page) => {
    const listing = "pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m";
    await page.fill("#explain-input", listing);
    await shows(page, "Makes water hot.", "#explain-results");
    await edit(BOILER, "Makes water hot.", "Boils water.");
    await shows(page, "Boils water.", "#explain-results");
    assert.ok(await marked(page));
    assert.equal(await page.inputValue("#explain-input"), listing);
  }));
});

describe("errors", () => {
  const BROKEN = "It holds [[watr]].";

  test("stand over the last good page, with their place, until they are mended", async () => {
    await serving({}, ({ edit, visit }) => visit("/components/boiler/", async (page) => {
      const width = () => page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight, document.querySelector("main").innerHTML]);
      const before = await width();
      await edit(BOILER, "It holds water.", BROKEN);
      const dialog = page.getByRole("alertdialog", { name: "1 error", exact: true });
      await visible(dialog);
      await dialog.getByText("dead-link").waitFor();
      await dialog.getByText("no page or section has the id watr").waitFor();
      assert.match(await dialog.locator("pre").textContent(), /4 \| It holds \[\[watr\]\]\.\n\s+\|\s+\^+/);
      // It causes no layout shift, does not take the focus, and does not block the page below.
      assert.deepEqual(await width(), before);
      assert.equal(await page.evaluate(() => document.activeElement), await page.evaluate(() => document.body));
      await page.getByRole("link", { name: "Look up" }).first().click({ trial: true });
      await dialog.getByRole("button", { name: "content/components/boiler/en.md:4:10" }).click();
      await visible(dialog.getByText("copied"));
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "content/components/boiler/en.md:4:10");

      await edit(BOILER, BROKEN, "It holds half a litre.");
      await hidden(dialog);
      await hidden(badge(page));
      await shows(page, "half a litre");
      assert.ok(await marked(page));
    }, { permissions: ["clipboard-read", "clipboard-write"] }));
  });

  test("can be hidden, and come back when there are others", async () => {
    await serving({}, ({ edit, visit }) => visit("/components/boiler/", async (page, tab) => {
      await edit(BOILER, "It holds water.", BROKEN);
      await visible(panel(page));
      await page.getByRole("button", { name: "Hide" }).click();
      await hidden(panel(page));
      assert.equal(await badge(page).textContent(), "1 error");
      // The same error at another line, and after a reload.
      await edit(BOILER, BROKEN, `A line before it.\n\n${BROKEN}`);
      await settled(page);
      assert.equal(await panel(page).isVisible(), false);
      await page.reload();
      await visible(badge(page));
      assert.equal(await panel(page).isVisible(), false);
      await badge(page).click();
      await visible(panel(page));
      await page.keyboard.press("Escape");
      await hidden(panel(page));
      assert.equal(await page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.textContent), "1 error");
      await edit(CLEANING, "[[boiler]]", "[[boilr]]");
      await visible(page.getByRole("alertdialog", { name: "2 errors", exact: true }));
      // Fixing an error does not open the list.
      await page.getByRole("button", { name: "Hide" }).click();
      await edit(CLEANING, "[[boilr]]", "[[boiler]]");
      await page.getByRole("button", { name: "1 error", exact: true }).waitFor({ timeout: PATIENCE });
      assert.equal(await panel(page).isVisible(), false);
      // Errors are hidden per tab.
      await visible(panel(await tab("/cleaning/")));
      await edit(BOILER, BROKEN, "It holds water.");
      await hidden(badge(page));
    }));
  });

  test("are readable by all, in light and dark, on a phone and on a desk", async () => {
    const axe = await readFile(AXE, "utf8");
    await serving({}, async ({ edit, write, visit }) => {
      await edit(BOILER, "It holds water.", BROKEN);
      await edit("content/components/pump/facts.yaml", "area: water", "area: wter\ncolour: red");
      await write("content/cleaning/ja.md", null);
      for (const colorScheme of ["light", "dark"]) {
        for (const width of [390, 1280]) {
          await visit("/", async (page) => {
            await visible(page.getByRole("alertdialog", { name: "3 errors", exact: true }));
            const check = async () => {
              await page.evaluate(axe);
              const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.html.slice(0, 120)}`).join(" | ")}`);
            };
            assert.deepEqual(await check(), []);
            const { top, height, left, right, inner } = await panel(page).evaluate((panel) => ({ ...panel.getBoundingClientRect().toJSON(), inner: [innerWidth, innerHeight] }));
            assert.ok(left >= 0 && right <= inner[0] && top >= 0 && height <= inner[1] * 0.6 + 1, `${left} ${right} ${top} ${height}`);
            if (width === 390) assert.equal(right - left, 390);
            await page.getByRole("button", { name: "Hide" }).click();
            assert.deepEqual(await check(), []);
            // The colour scheme that the user selects applies to the overlay, too.
            const other = colorScheme === "light" ? "dark" : "light";
            if (width === 390) {
              await page.getByRole("button", { name: "Menu" }).click();
              await page.locator("dialog [data-theme-switch]").selectOption(other);
              await page.keyboard.press("Escape");
            } else await page.selectOption("[data-theme-switch]", other);
            await badge(page).click();
            assert.deepEqual(await check(), []);
          }, { colorScheme, viewport: { width, height: 800 }, quiet: true });
        }
      }
    });
  });

  test("of a great number are told in part", async () => {
    const many = Array.from({ length: 60 }, (_, at) => `[[nothing-${at}]]`).join("\n");
    await serving({}, ({ edit, visit }) => visit("/components/boiler/", async (page) => {
      await edit(BOILER, "It holds water.", many);
      await visible(page.getByRole("alertdialog", { name: "60 errors", exact: true }));
      assert.equal(await panel(page).locator("li").count(), 50);
      await panel(page).getByText("The first 50 are shown, 10 more are not.").waitFor();
      await edit(BOILER, many, "It holds water.");
      await hidden(page.locator("#ksys-live"));
    }));
  });

  test("are there at the start, too, over the page, and vanish when they are fixed", async () => {
    await serving({ [BOILER]: FILES[BOILER].replace("It holds water.", BROKEN) }, ({ edit, visit }) => visit("/cleaning/", async (page) => {
      await visible(page.getByRole("alertdialog", { name: "1 error", exact: true }));
      assert.equal(await page.locator("h1", { hasText: "Cleaning" }).count(), 1);
      await edit(BOILER, BROKEN, "It holds water.");
      await shows(page, "Paragraph 40.");
      await hidden(panel(page));
      await until(page, () => document.readyState === "complete");
      await mark(page);
      await edit(CLEANING, "Paragraph 40.", "Paragraph forty.");
      await shows(page, "Paragraph forty.");
      assert.ok(await marked(page));
    }, { quiet: true }));
  });
});

test("a strict policy refuses nothing of it", async () => {
  // A Content Security Policy as a host might send it.
  const strict = (page) => page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": "default-src 'self'" } });
  });
  await serving({}, async ({ edit, visit }) => {
    await visit("/components/boiler/", async (page) => {
      await edit(BOILER, "It holds water.", "It holds tea.");
      await until(page, () => document.querySelector("main").textContent.includes("It holds tea."));
      await edit(BOILER, "It holds tea.", "It holds [[tee]].");
      await until(page, () => document.querySelector("#ksys-live")?.shadowRoot.querySelector("li")?.checkVisibility());
      assert.equal(await page.evaluate(() => window.marker), 1);
    }, { prepare: strict });
  });
});

test("warnings alone are a number in the corner, which tells them when it is asked", async () => {
  await serving({}, ({ write, visit }) => visit("/cleaning/", async (page) => {
    await settled(page);
    assert.equal(await page.locator("#ksys-live").isVisible(), false);
    await write("content/cleaning/ja.md", null);
    await visible(badge(page));
    assert.equal(await badge(page).textContent(), "1 warning");
    assert.equal(await panel(page).isVisible(), false);
    await badge(page).click();
    await visible(page.getByRole("region", { name: "1 warning", exact: true }));
    await panel(page).getByText("missing-translation").waitFor();
    await write("content/cleaning/ja.md", FILES["content/cleaning/ja.md"]);
    await hidden(page.locator("#ksys-live"));
    assert.ok(await marked(page));
  }));
});

test("an update that fails loads the page again, and not for ever", async () => {
  await serving({}, ({ edit, visit }) => visit("/cleaning/", async (page) => {
    await page.addInitScript(() => {
      sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
      DOMParser.prototype.parseFromString = () => { throw new Error("no"); };
    });
    const loads = (number) => until(page, (number) => Number(sessionStorage.loads) === number && document.readyState === "complete", number);
    await page.reload();
    await loads(2);
    await settled(page);
    await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
    await loads(3);
    await settled(page);
    await loads(3);
    await shows(page, "Paragraph one.");
  }));
});

test("a page that is deleted is a wrong turn, until it is restored", async () => {
  await serving({}, ({ write, visit }) => visit("/components/pump/", async (page) => {
    for (const lang of ["en", "ja"]) await write(`content/components/pump/${lang}.md`, null);
    await write("content/components/pump/facts.yaml", null);
    await reloaded(page);
    await shows(page, "Page not found");
    await mark(page);
    await settled(page);
    assert.ok(await marked(page), "it is loaded again once");
    for (const name of ["facts.yaml", "en.md", "ja.md"]) await write(`content/components/pump/${name}`, FILES[`content/components/pump/${name}`]);
    await reloaded(page);
    await shows(page, "Moves water.");
  }, { quiet: true }));
});

test("a server that has stopped is told, and what it says when it is back is shown in place", async () => {
  await serving({}, ({ folder, edit, server, visit }) => visit("/cleaning/", async (page) => {
    const state = page.locator("#ksys-live .state");
    await settled(page);
    await server.stop();
    await visible(state);
    assert.equal(await state.textContent(), "server stopped");
    await edit(CLEANING, "Paragraph 1.", "Paragraph one.");
    const again = await run(folder, Number(new URL(server.address).port));
    try {
      await hidden(state);
      await shows(page, "Paragraph one.");
      assert.ok(await marked(page));
      // A server that was restarted with errors has no page. The current page is kept.
      await again.stop();
      await edit(CLEANING, "[[boiler]]", "[[boilr]]");
      const broken = await run(folder, Number(new URL(server.address).port));
      try {
        await visible(panel(page));
        await shows(page, "Paragraph one.");
        await edit(CLEANING, "[[boilr]]", "[[pump]]");
        await shows(page, "Start with Pump.");
        assert.ok(await marked(page));
      } finally {
        await broken.stop();
      }
    } finally {
      await again.stop();
    }
  }, { quiet: true }));
});
