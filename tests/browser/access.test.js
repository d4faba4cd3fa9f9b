// Accessibility: screen readers, keyboard navigation, zoom, reduced motion, no JavaScript, print.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { start, until } from "./browser.js";
import { kinds, pages } from "./server.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PHONE = { width: 390, height: 844 }, DESK = { width: 1280, height: 900 };

/** Matches pages of the kinds that have the least in common. */
const FEW = RegExp.prototype.test.bind(/^\/((architecture|explain|versions)\/|(components|concepts|providers)\/[^/]+\/)?$/);

let specimens, english, open, stop;
before(async () => {
  specimens = await kinds(SITE, await pages(SITE));
  specimens.push("/no/such/page");
  english = specimens.filter((path) => !path.startsWith("/ja/"));
  ({ open, stop } = await start(SITE));
});
after(() => stop?.());

/** Opens a page. A missing page may log an error to the console. */
const visit = (path, use, options) => open(path, use, { base: "/", quiet: path === "/no/such/page", reducedMotion: "reduce", ...options });

/** Returns the violations that axe finds. `rules` are tags or names of rules. */
async function barriers(page, rules) {
  const found = await page.evaluate((runOnly) => window.axe.run(document, { resultTypes: ["violations"], runOnly }), rules);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** Runs a check on every page and reports all problems together. */
async function each(paths, use, options) {
  const wrong = [];
  for (const path of paths) await visit(path, async (page) => { for (const line of await use(page, path)) wrong.push(`${path} ${line}`); }, options);
  assert.deepEqual(wrong, []);
}

test("no page has a barrier: phone and desk, light and dark", async () => {
  const axe = await readFile(AXE, "utf8");
  await each(specimens, async (page) => {
    const wrong = [];
    await page.evaluate(axe);
    for (const [name, size] of Object.entries({ phone: PHONE, desk: DESK })) {
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => new Promise(requestAnimationFrame));
        // Only colours depend on the scheme.
        const found = await barriers(page, colorScheme === "light" ? RULES : ["color-contrast"]);
        wrong.push(...found.map((line) => `(${name}, ${colorScheme}) ${line}`));
      }
    }
    return wrong;
  }, { colorScheme: "light" });
});

test("at 200 % nothing is cut and nothing scrolls aside", async () => {
  // A window of 1280 px at 200 % has the layout of a window of 640 px.
  await each(specimens, (page) => page.evaluate(() => {
    const wrong = [];
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) wrong.push(`is ${over} px too wide`);
    for (const element of document.querySelectorAll("body *")) {
      const { overflowX, overflowY, clip, clipPath, position } = getComputedStyle(element);
      if (![overflowX, overflowY].some((value) => /hidden|clip/.test(value)) || element.closest("svg")) continue;
      // Text for screen readers only is hidden on purpose.
      if (position === "absolute" && (clip !== "auto" || clipPath !== "none")) continue;
      const [width, height] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
      if (element.checkVisibility() && element.textContent.trim() && (/hidden|clip/.test(overflowX) && width > 1 || /hidden|clip/.test(overflowY) && height > 1)) {
        wrong.push(`cuts ${width}×${height} px of ${element.outerHTML.slice(0, 120)}`);
      }
    }
    return wrong;
  }), { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
});

test("whoever wants no motion sees none, and others see none that lasts", async () => {
  const moving = (page, most) => page.evaluate((most) => {
    const seconds = (list) => Math.max(...list.split(",").map((time) => parseFloat(time) * (time.trim().endsWith("ms") ? .001 : 1)));
    const wrong = new Set();
    for (const element of document.querySelectorAll("*")) {
      for (const pseudo of [null, "::before", "::after"]) {
        const style = getComputedStyle(element, pseudo);
        const lasts = Math.max(seconds(style.transitionDuration) + seconds(style.transitionDelay), style.animationName === "none" ? 0 : seconds(style.animationDuration));
        if (lasts > most || (most === 0 && style.scrollBehavior === "smooth")) wrong.add(`${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} moves for ${lasts} s`);
      }
    }
    return [...wrong].slice(0, 10);
  }, most);
  for (const [reducedMotion, most] of [["reduce", 0], ["no-preference", .15]]) await each(english.filter(FEW), (page) => moving(page, most), { reducedMotion });
});

describe("the keyboard", () => {
  /** Moves through the whole page with the Tab key; returns the elements that were not reached, and those without a visible focus. */
  async function tour(page) {
    await page.evaluate(() => {
      const wanted = "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
      // In a group of buttons, the arrow keys reach the others.
      const apart = (element) => element.matches("[tabindex='-1'], [disabled], [role=option]") || (element.type === "radio" && !element.checked);
      window.missing = new Set([...document.querySelectorAll(wanted)].filter((element) => element.checkVisibility({ visibilityProperty: true }) && !apart(element)));
      window.unseen = [];
      window.steps = 0;
      const name = (element) => element.outerHTML.slice(0, 100).replace(/\s+/g, " ");
      document.addEventListener("focusin", ({ target }) => {
        window.steps++;
        window.missing.delete(target);
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(target);
        const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor);
        // The focus ring of an input can be on its label.
        const label = target.labels?.[0] && getComputedStyle(target.labels[0]);
        if (!ring && !(label && label.outlineStyle !== "none" && parseFloat(label.outlineWidth) >= 2)) window.unseen.push(`no ring: ${name(target)}`);
        const [box] = [...target.getClientRects()].filter(({ width, height }) => width && height);
        if (!box) return window.unseen.push(`nowhere: ${name(target)}`);
        // At least a part of it must be visible, not covered by a sticky header.
        const at = (x, y) => document.elementFromPoint(Math.min(Math.max(x, 0), innerWidth - 1), Math.min(Math.max(y, 0), innerHeight - 1));
        const shown = [[.5, .5], [.1, .5], [.9, .5], [.5, .2], [.5, .8]].some(([x, y]) => {
          const there = at(box.left + box.width * x, box.top + box.height * y);
          return there && (target.contains(there) || there.contains(target) || there.closest("label")?.control === target);
        });
        if (!shown) window.unseen.push(`covered: ${name(target)}`);
      });
    });
    const total = await page.evaluate(() => window.missing.size);
    for (let turn = 0; turn < total + 40; turn++) {
      await page.keyboard.press("Tab");
      if (turn % 25 === 24 && await page.evaluate(() => window.missing.size === 0)) break;
    }
    return page.evaluate(() => [...[...window.missing].slice(0, 5).map((element) => `misses ${element.outerHTML.slice(0, 120)}`), ...window.unseen.slice(0, 5)]);
  }

  test("reaches everything on a desk, and one sees where one is", async () => {
    // The two largest lists are skipped: they have hundreds of similar elements.
    await each(english.filter((path) => !/^\/(components|compare)\/$/.test(path)), tour, { viewport: DESK });
  });

  test("reaches everything on a phone, and one sees where one is", async () => {
    await each(english.filter((path) => /^\/(|search\/|explain\/|concepts\/[^/]+\/|no\/.*)$/.test(path)), tour, { viewport: PHONE });
  });

  test("skips to the text", async () => {
    await each(english, async (page) => {
      await page.keyboard.press("Tab");
      if (!await page.evaluate(() => document.activeElement.matches("a.skip"))) return ["has no skip link in front"];
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      return await page.evaluate(() => document.querySelector("main").contains(document.activeElement) || !document.querySelector("main :is(a[href], button, input, summary)")) ? [] : ["skips to another place"];
    });
  });

  test("opens and closes what is folded", async () => {
    await visit(english.find((path) => /^\/components\/[^/]+\/$/.test(path)), async (page) => {
      const folds = page.locator("summary:visible");
      assert.ok(await folds.count() > 0);
      const fold = folds.first();
      const stands = () => fold.evaluate((summary) => summary.parentElement.open);
      await fold.focus();
      const before = await stands();
      await page.keyboard.press("Enter");
      assert.equal(await stands(), !before);
      await page.keyboard.press("Space");
      assert.equal(await stands(), before);
    }, { viewport: DESK });
  });

  test("opens the menu of a phone, stays in it, and comes back with Escape", async () => {
    const axe = await readFile(AXE, "utf8");
    for (const path of ["/", "/ja/", english.find((path) => /^\/components\/[^/]+\/$/.test(path))]) {
      await visit(path, async (page) => {
        const opener = page.locator("button.menu-open");
        await opener.focus();
        await page.keyboard.press("Enter");
        const dialog = page.locator("dialog[open]");
        await dialog.waitFor();
        assert.equal(await dialog.evaluate((dialog) => dialog.matches(":modal")), true);
        await page.evaluate(axe);
        assert.deepEqual(await barriers(page, RULES), []);
        const inside = () => page.evaluate(() => document.querySelector("dialog[open]").contains(document.activeElement) || document.activeElement === document.body);
        const total = await dialog.locator("a[href], button, select, summary").count();
        for (let step = 0; step <= total + 1; step++) {
          assert.ok(await inside(), `${path}: the focus has left the menu`);
          await page.keyboard.press("Tab");
        }
        await page.keyboard.press("Escape");
        await until(page, () => !document.querySelector("dialog[open]"));
        assert.ok(await opener.evaluate((opener) => document.activeElement === opener));
      }, { viewport: PHONE });
    }
  });
});

describe("without the script", () => {
  test("all that it shows is there, and nothing that would do nothing", async () => {
    const shown = async (page) => page.evaluate(() => {
      const text = new Set();
      // Details can be opened without JavaScript.
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      for (const element of document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, dt, dd, th, td, caption, figcaption)")) {
        if (element.checkVisibility({ visibilityProperty: true }) && !element.closest(".needs-script, noscript, .without-script")) {
          const copy = element.cloneNode(true);
          for (const button of copy.querySelectorAll("button")) button.remove();
          text.add(copy.textContent.replace(/\s+/g, " ").trim());
        }
      }
      return [...text];
    });
    for (const path of english.filter(FEW).filter((path) => path !== "/explain/")) {
      const bare = new Set(await visit(path, shown, { javaScriptEnabled: false }));
      const full = await visit(path, shown);
      assert.ok(bare.size > 1, path);
      assert.deepEqual(full.filter((text) => !bare.has(text) && ![...bare].some((other) => other.includes(text))).slice(0, 5), [], path);
    }
    await each(english, async (page) => {
      const idle = await page.locator(".needs-script:visible, button:visible:not(form button), select:visible").evaluateAll((all) => all.map((element) => element.outerHTML.slice(0, 100)));
      return idle.map((html) => `shows what needs the script: ${html}`);
    }, { javaScriptEnabled: false });
  });

  test("the menu is within reach of a phone", async () => {
    await visit("/", async (page) => {
      await page.locator("a.menu-open").click();
      assert.ok(await page.locator("#_menu").isVisible());
      assert.ok(await page.locator("#_menu a").count() > 3);
      await page.locator("#_menu a").first().click();
      assert.equal(new URL(page.url()).pathname, "/components/");
    }, { javaScriptEnabled: false, viewport: PHONE });
  });
});

test("on paper there is the text and nothing to press", async () => {
  await each(english.filter((path) => !/^\/(components|search|explain)\/$/.test(path)), async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "light" });
    // A4 without margins; comparisons are in landscape.
    await page.setViewportSize(await page.locator(".scroll").count() ? { width: 1000, height: 640 } : { width: 680, height: 960 });
    return page.evaluate(() => {
      const wrong = [...document.querySelectorAll(".site-header, nav:not(.crumbs), button:not(.sort), form, .heading-anchor, .skip")].filter((element) => element.checkVisibility()).map((element) => `prints ${element.outerHTML.slice(0, 80)}`);
      if (!document.querySelector("h1").checkVisibility()) wrong.push("prints no title");
      const facts = document.querySelector(".fact-box");
      if (facts && !facts.checkVisibility()) wrong.push("prints no facts");
      const over = document.documentElement.scrollWidth - innerWidth;
      if (over > 0) wrong.push(`is ${over} px wider than the paper`);
      return wrong.slice(0, 5);
    });
  });
});
