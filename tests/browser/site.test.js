// A built site in a browser. SITE_DIR is the output folder of `ksys-docs build`.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { start, until } from "./browser.js";
import { BASE, headers, kinds, pages } from "./server.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");

const PROSE = `
<div class="tabs" data-tabs><section class="tab" data-tab="one"><p class="tab-label">one</p><p>first</p></section>
<section class="tab" data-tab="two"><p class="tab-label">two</p><p>second</p></section></div>
<div class="tabs" data-tabs><section class="tab" data-tab="zero"><p class="tab-label">zero</p><p>third</p></section>
<section class="tab" data-tab="two"><p class="tab-label">two</p><p>fourth</p></section></div>
<figure class="code" data-language="console"><pre tabindex="0"><code><span class="prompt">$ </span>first command
<span class="output">printed</span>

<span class="output">more</span>
<span class="prompt">$ </span>second \\
  command
</code></pre></figure>
<p><abbr tabindex="0" title="Container Network Interface">CNI</abbr></p>`;

let all, specimens, open, stop, origin;

const ofComponent = (path) => /^\/components\/(?!area-)[^/]+\/$/.test(path);

before(async () => {
  all = await pages(SITE);
  specimens = await kinds(SITE, all);
  const component = await readFile(join(SITE, specimens.find(ofComponent), "index.html"), "utf8");
  // A page of this site whose prose has every element.
  const sample = component.replace('<div class="prose">', `<div class="prose">${PROSE}`);
  ({ open, stop, origin } = await start(SITE, { "/components/sample-of-prose/": sample }));
});
after(() => stop?.());

describe("every kind of page", () => {
  test("breaks none of the rules a host sends with it, at the root and below a path, and asks nobody else", async () => {
    for (const path of specimens) {
      for (const base of ["/", BASE]) {
        const broken = await open(path, (page) => page.evaluate(() => window.broken), { base, prepare: (page) => page.addInitScript(() => {
          window.broken = [];
          document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.broken.push(`${violatedDirective} ${blockedURI}`));
        }) });
        assert.deepEqual(broken, [], path);
      }
    }
  });

  test("has one main, one h1, its language, a skip link, landmarks, unique ids", async () => {
    for (const path of specimens) {
      const found = await open(path, (page) => page.evaluate(() => {
        const count = (selector) => document.querySelectorAll(selector).length;
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        return {
          lang: document.documentElement.lang, main: count("main"), h1: count("h1"), skip: count('a.skip[href="#_main"]'),
          header: count("body > header"), footer: count("body > footer"), nav: count("nav") > 0, inline: count("[style], style, script:not([src])"),
          description: count('meta[name="description"]'), icon: count('link[rel="icon"]'), alternates: count('link[hreflang="x-default"]'),
          twice: ids.filter((id, index) => ids.indexOf(id) !== index),
          dead: [...document.querySelectorAll('a[href^="#"]')].filter((a) => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).map((a) => a.hash),
        };
      }));
      assert.deepEqual(found, {
        lang: path.startsWith("/ja/") ? "ja" : "en", main: 1, h1: 1, skip: 1, header: 1, footer: 1, nav: true, inline: 0,
        description: 1, icon: 1, alternates: 0, twice: [], dead: [],
      }, path);
    }
  });

  test("is no wider than a phone", async () => {
    for (const path of [...specimens, "/components/sample-of-prose/"]) {
      await open(path, async (page) => {
        for (const width of [320, 390, 768]) {
          await page.setViewportSize({ width, height: 800 });
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${path} is ${over} px too wide at ${width}`);
        }
      });
    }
  });

  test("leads to the same page in the other language, at the same section", async () => {
    for (const path of specimens.filter((path) => !path.startsWith("/ja/"))) {
      await open(`${path}#_main`, async (page) => {
        await page.click('.languages a[hreflang="ja"]');
        await page.waitForURL("**#_main");
        assert.equal(new URL(page.url()).pathname, `${BASE}ja${path}`);
        assert.equal(await page.locator("html").getAttribute("lang"), "ja");
      });
    }
  });
});

test("a component's page shows its facts, and its sections are reachable", async () => {
  await open(specimens.find(ofComponent), async (page) => {
    assert.ok(await page.locator("[data-verdict]").count() > 0);
    assert.ok(await page.locator(".fact-box").isVisible());
    assert.ok(await page.locator("[id^=source-]").count() > 0);
    for (const link of await page.locator(".contents a").all()) assert.ok(await link.isVisible(), "contents stand open in the margin");
    assert.ok(await page.locator(".sections a").first().isVisible() || await page.locator(".sections summary").nth(1).isVisible());
  });
});

/** Waits until the entries that the list only names at first have come from the pages of their areas. */
const complete = (page) => until(page, () => !document.querySelector(".entry-names"));

describe("the list of components", () => {
  test("shows the first of each area and names the others, which the page of the area describes", async () => {
    await open("/components/", async (page) => {
      const area = page.locator(".area[data-full]").first();
      assert.equal(await area.locator(".entries > .entry").count(), 3);
      const names = await area.locator(".entry-names a").allTextContents();
      await area.locator("h2 > a").first().click();
      await page.waitForURL("**/components/area-*/");
      const described = await page.locator(".entry:has(.entry-summary:not(:empty)) .entry-name a").allTextContents();
      for (const name of names) assert.ok(described.includes(name), name);
    }, { javaScriptEnabled: false });
  });

  test("is complete without the script, and shows no form that does nothing", async () => {
    await open("/components/", async (page) => {
      const listed = all.filter(ofComponent).length;
      assert.equal(await page.locator(".entry").count(), listed);
      assert.equal(await page.locator("form.filter").isVisible(), false);
      assert.ok(await page.locator(".section a, .section summary").first().isVisible(), "the areas can be reached");
    }, { javaScriptEnabled: false });
  });

  test("filters while one types, says how many, and remembers it in the address", async () => {
    await open("/components/", async (page) => {
      const entries = page.locator(".entry:visible");
      const total = await entries.count();
      const name = (await page.locator(".entry-name a").nth(1).textContent()).trim();
      await page.fill('.filter input[name="q"]', name.toUpperCase());
      await complete(page);
      const left = await entries.count();
      assert.ok(left >= 1 && left < total, `${left} of ${total}`);
      assert.ok((await page.locator("output").textContent()).includes(String(left)));
      assert.equal(await page.locator("output").getAttribute("aria-live"), "polite");
      assert.equal(new URL(page.url()).searchParams.get("q"), name.toUpperCase());
      await page.reload();
      await complete(page);
      assert.equal(await entries.count(), left);
      await page.fill('.filter input[name="q"]', "no component is called that");
      assert.equal(await entries.count(), 0);
      await page.click('button[type="reset"]');
      await until(page, (total) => document.querySelectorAll(".entry:not([hidden])").length === total, total);
      for (const field of ["area", "state", "verdict", "provider"]) {
        const choice = await page.locator(`select[name="${field}"] option`).nth(1).getAttribute("value");
        await page.selectOption(`select[name="${field}"]`, choice);
        assert.ok(await entries.count() < total, field);
        await page.selectOption(`select[name="${field}"]`, "");
        assert.equal(await entries.count(), total);
      }
    });
  });
});

test("the list of components is found by what stands in it and by what does not", async () => {
  await open("/components/", async (page) => {
    await page.fill('.filter input[name="q"]', "dns");
    await complete(page);
    const entries = await page.locator(".entry").evaluateAll((all) => all.slice(0, 40).map((entry) => ({
      id: entry.querySelector("a").getAttribute("href"),
      words: [
        entry.querySelector("a").textContent, entry.querySelector(".entry-summary").firstChild.data, entry.querySelector(".entry-sections a")?.textContent,
        entry.dataset.words.split(" ").find((word) => word && !entry.textContent.toLowerCase().includes(word)),
      ],
    })));
    for (const { id, words } of entries) {
      for (const word of words.filter(Boolean)) {
        await page.fill('.filter input[name="q"]', word);
        assert.ok(await page.locator(`.entry:has(> .entry-name > a[href="${id}"])`).isVisible(), `${id} by ${word}`);
      }
    }
  });
});

test("the header of the home page leads back to the box once that is out of sight", async () => {
  for (const width of [1280, 390]) {
    await open("/", async (page) => {
      const find = page.locator("a.find");
      assert.equal(await find.isVisible(), false);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await find.click();
      await until(page, () => document.activeElement.id === "search-input" && document.activeElement.getBoundingClientRect().top > 0);
      await until(page, () => !document.querySelector("a.find.out"));
    }, { viewport: { width, height: 800 } });
  }
});

test("an address without a page asks what home asks, and leads to the lists", async () => {
  await open("/no/such/page", async (page) => {
    await page.focus("#search-input");
    await until(page, () => window.ksys?.open);
    const [name] = (await page.locator(".menu a").first().textContent()).split(" ");
    assert.ok(await page.locator("main a", { hasText: name }).isVisible());
    // A single line is a query, several lines are output of kubectl.
    const paste = async (text) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), text);
      await page.locator("#search-input").focus();
      await page.keyboard.press("Control+V");
    };
    await paste("pod/some-row   1/1   Running   0   3m");
    assert.equal(await page.inputValue("#search-input"), "pod/some-row   1/1   Running   0   3m");
    await paste("pod/some-row   1/1   Running   0   3m\npod/coredns-5d78c9869d-x8k2p   1/1   Running   0   3m\n");
    await page.waitForURL("**/explain/");
    await until(page, () => document.querySelector('tr[data-component="coredns"]'));
    assert.ok(await page.locator("#explain-input").isHidden());
  }, { base: "/", quiet: true, permissions: ["clipboard-read", "clipboard-write"] });
});

test("a listing on a page keeps its columns", async () => {
  const path = specimens.find((path) => /^\/providers\/[^/]+\/$/.test(path));
  await open(path, async (page) => {
    const spaces = await page.locator(".listing code").evaluateAll((all) => [...new Set(all.filter((code) => !code.closest(".listing-text")).map((code) => getComputedStyle(code).whiteSpace))]);
    assert.deepEqual(spaces, ["pre"]);
  });
});

describe("the comparison", () => {
  test("shows the chosen providers in the chosen order, and only what differs; the address keeps it", async () => {
    await open("/compare/", async (page) => {
      const names = () => page.locator("table.comparison thead th[data-column]:visible").evaluateAll((heads) => heads.map((head) => head.dataset.column));
      const every = await names();
      assert.ok(every.length > 5);
      await page.click(".columns summary");
      for (const id of ["eks", "aks"]) await page.check(`input[value="${id}"]`);
      assert.deepEqual(await names(), ["eks", "aks"]);
      await page.check('input[name="differs"]');
      const rows = await page.locator("table.comparison tbody tr:visible").count();
      const shown = await page.locator("table.comparison tbody tr").evaluateAll((all) => all.map((row) => {
        // Prose, versions and evidence are not compared.
        const said = (claim) => [claim.querySelector(".claim-name a")?.getAttribute("href"), claim.querySelector(".presence").dataset.presence].join();
        const gists = ["eks", "aks"].map((id) => [...row.querySelectorAll(`[data-column="${id}"] .claim`)].map(said).join(";"));
        return [row.hidden, gists[0] === gists[1]];
      }));
      for (const [hidden, same] of shown) assert.equal(hidden, same);
      await page.locator('th[data-column="aks"] button').focus();
      await page.keyboard.press("Enter");
      assert.deepEqual(await names(), ["aks", "eks"]);
      assert.equal(new URL(page.url()).search, "?columns=aks,eks&differs");
      await page.reload();
      assert.deepEqual(await names(), ["aks", "eks"]);
      assert.equal(await page.locator("table.comparison tbody tr:visible").count(), rows);
      await page.click(".columns summary");
      for (const id of ["eks", "aks"]) await page.uncheck(`input[value="${id}"]`);
      assert.deepEqual(await names(), every);
    }, { viewport: { width: 1440, height: 900 } });
  });

  test("has a mark, a name and a version in each cell, what has ended apart, and the rest in the open row", async () => {
    await open("/compare/?columns=aks,gke-standard", async (page) => {
      const row = page.locator("#role-cluster-dns");
      assert.ok(await row.locator('[data-column="aks"] .ended').innerText().then((text) => /^Earlier\s+Default kube-dns Until 1\.11/.test(text)));
      const open = row.locator("+ .role-open");
      assert.equal(await open.count(), 0);
      await row.locator(".role-details").click();
      await open.waitFor();
      // The same providers in the same order, with evidence and versions.
      assert.deepEqual(await open.locator(".role-claims > :visible").evaluateAll((all) => all.map(({ dataset }) => dataset.provider)), ["aks", "gke-standard"]);
      assert.ok(await open.locator(".claim-evidence a[href^='https:']").count());
      assert.match(await open.locator("dt a:visible").first().getAttribute("href"), /\/providers\/aks\/$/);
      assert.equal(await row.locator(".role-details").getAttribute("aria-expanded"), "true");
      await row.locator(".role-details").click();
      assert.equal(await open.isVisible(), false);
    });
    // Without a script, a link leads to the details.
    await open("/compare/", async (page) => {
      await page.click("#role-cni .role-details");
      assert.match(page.url(), /\/compare\/role-cni\/$/);
      assert.ok(await page.locator(".claim-evidence:visible").count() > 5);
    }, { javaScriptEnabled: false });
  });

  test("puts the reader's provider first, and keeps the head in sight while the page scrolls", async () => {
    await open("/compare/?provider=kind", async (page) => {
      const heads = page.locator("thead th[data-column]:visible");
      assert.equal(await heads.first().getAttribute("data-column"), "kind");
      await page.evaluate(() => scrollTo(0, 1500));
      const { y, height } = await heads.first().boundingBox();
      const header = await page.locator(".site-header").boundingBox();
      assert.ok(Math.abs(y - header.height) < 2 && height > 10, `${y}`);
    });
  });

  test("fits a phone: the providers of a role are next to each other and can be swiped", async () => {
    await open("/compare/?columns=eks,aks,gke-standard", async (page) => {
      const row = page.locator("#role-cluster-dns");
      assert.deepEqual(await row.locator(".cell-provider:visible").allTextContents(), ["EKS", "AKS", "GKE Standard"]);
      const left = (selector) => row.locator(selector).first().evaluate((element) => Math.round(element.getBoundingClientRect().x));
      const before = await left("th");
      assert.ok(await left('[data-column="eks"]') > before);
      await row.evaluate((row) => row.scrollBy(160, 0));
      await page.waitForTimeout(300);
      assert.equal(await left("th"), before);
      assert.ok(await left('[data-column="eks"]') < before + 100);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }, { viewport: { width: 390, height: 844 } });
  });

  test("links to its data", async () => {
    await open("/compare/", async (page) => {
      for (const type of ["csv", "json"]) {
        const href = await page.locator(`a[href$="compare.${type}"]`).getAttribute("href");
        assert.equal((await page.request.get(new URL(href, page.url()).href)).status(), 200);
      }
    });
  });
});

test("colours are remembered from page to page", async () => {
  await open("/", async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.selectOption("[data-theme-switch]", "dark");
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.goto(`${origin}${BASE}versions/`);
    assert.equal(await ground(), dark);
    assert.equal(await page.inputValue("[data-theme-switch]"), "dark");
    await page.selectOption("[data-theme-switch]", "auto");
    await page.reload();
    assert.equal(await ground(), light);
  }, { colorScheme: "light" });
});

describe("prose", () => {
  const sample = "/components/sample-of-prose/";

  test("tabs change together, with the keyboard too, and are remembered", async () => {
    await open(sample, async (page) => {
      const shown = () => page.locator(".tab:visible > p:last-child").allTextContents();
      assert.deepEqual((await shown()).slice(0, 2), ["first", "third"]);
      await page.getByRole("tab", { name: "two" }).first().click();
      assert.deepEqual((await shown()).slice(0, 2), ["second", "fourth"]);
      await page.keyboard.press("ArrowLeft");
      assert.deepEqual((await shown()).slice(0, 2), ["first", "fourth"]);
      await page.keyboard.press("ArrowRight");
      await page.reload();
      assert.deepEqual((await shown()).slice(0, 2), ["second", "fourth"]);
    });
  });

  test("without the script every tab is there with its label", async () => {
    await open(sample, async (page) => {
      assert.ok(await page.locator(".tab:visible").count() >= 4);
      assert.ok(await page.locator(".tab-label:visible").count() >= 4);
    }, { javaScriptEnabled: false });
  });

  test("copying takes what was typed, not what was printed", async () => {
    await open(sample, async (page) => {
      await page.locator("figure.code .copy").first().click();
      await until(page, () => document.querySelector(".copy").textContent === document.querySelector("template[data-copy]").dataset.copied);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "first command\nsecond \\\n  command\n");
    }, { permissions: ["clipboard-read", "clipboard-write"] });
  });

  test("a term explains itself when it has the focus", async () => {
    await open(sample, async (page) => {
      await page.focus("abbr");
      assert.match(await page.evaluate(() => getComputedStyle(document.querySelector("abbr"), "::after").content), /Container Network Interface/);
    });
  });

  test("the contents say where one is", async () => {
    await open(sample, async (page) => {
      // Not the last section: at the end of the page, several short sections are visible.
      await page.evaluate(() => document.getElementById("names").scrollIntoView());
      await until(page, () => document.querySelector('.contents [aria-current="true"]')?.hash === "#names");
    }, { viewport: { width: 1440, height: 900 } });
  });
});

describe("diagrams", () => {
  /** Returns the source of every diagram of the site, with its page. */
  async function drawings() {
    const found = [];
    for (const path of all) {
      const html = await readFile(join(SITE, path, "index.html"), "utf8");
      for (const [svg] of html.matchAll(/<svg class="diagram[ "][^]*?<\/svg>/g)) found.push({ path, svg });
    }
    return found;
  }

  test("are readable: every label in its box, no box on another, no line through a box or a word, none into nothing", async () => {
    const every = await drawings();
    assert.ok(every.length > 100, `${every.length} drawings`);
    for (const lang of ["en", "ja"]) {
      const some = every.filter(({ path }) => path.startsWith("/ja/") === (lang === "ja"));
      await open(lang === "ja" ? "/ja/" : "/", async (page) => {
        for (let from = 0; from < some.length; from += 50) {
          const wrong = await page.evaluate((some) => {
            const wrong = [];
            const stage = document.querySelector("main");
            for (const { path, svg } of some) {
              stage.innerHTML = `<div class="diagram-stage">${svg.replace("diagram narrow", "diagram")}</div>`;
              const drawing = stage.querySelector("svg");
              // At its original size, not scaled to the window.
              for (const side of ["maxWidth", "minWidth"]) drawing.style[side] = "none";
              const say = (text) => wrong.push(`${path} ${drawing.querySelector("title")?.textContent} (${drawing.getAttribute("width")} px): ${text}`);
              const area = (element) => { const { left, top, right, bottom } = element.getBoundingClientRect(); return { left, top, right, bottom, text: element.textContent.trim() }; };
              const areas = (selector) => [...drawing.querySelectorAll(selector)].map(area);
              const apart = (a, b, by = 0) => a.right <= b.left + by || b.right <= a.left + by || a.bottom <= b.top + by || b.bottom <= a.top + by;
              const within = (inner, outer) => inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top - .5 && inner.bottom <= outer.bottom + .5;
              if (!drawing.querySelector(":scope > title") || !drawing.querySelector(":scope > desc")) say("no title or no description");
              const whole = area(drawing);
              for (const node of drawing.querySelectorAll(".node")) {
                const box = node.querySelector(".box");
                for (const label of box ? node.querySelectorAll(".label, .tile") : []) {
                  if (!within(area(label), area(box))) say(`the label ${label.textContent} is wider than its box`);
                }
              }
              const boxes = areas(".node .box");
              boxes.forEach((box, index) => {
                if (!within(box, whole)) say(`box ${index} is cut off`);
                for (const other of boxes.slice(index + 1)) if (!apart(box, other)) say(`boxes ${index} overlap`);
              });
              if (drawing.matches(".mermaid")) continue;
              const words = areas(".word, .ground-label");
              words.forEach((word, index) => {
                if (!within(word, whole)) say(`"${word.text}" is cut off`);
                for (const other of [...words.slice(index + 1), ...boxes]) if (!apart(word, other, 2)) say(`"${word.text}" lies on "${other.text}"`);
              });
              const ends = [...boxes, ...areas(".frame, .bus")];
              for (const arrow of drawing.querySelectorAll(".arrow")) {
                const line = arrow.querySelector(".line");
                const length = line.getTotalLength();
                const matrix = drawing.getScreenCTM();
                const at = (where) => line.getPointAtLength(where).matrixTransform(matrix);
                const name = arrow.dataset.from ? `${arrow.dataset.from} to ${arrow.dataset.to}` : "an arrow";
                for (const { x, y } of [at(0), at(length)]) {
                  if (!ends.some(({ left, right, top, bottom }) => x >= left - 8 && x <= right + 8 && y >= top - 8 && y <= bottom + 8)) say(`${name} ends in nothing`);
                }
                for (let where = 1; where < length; where += 3) {
                  const { x, y } = at(where);
                  const inside = ({ left, right, top, bottom }) => x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1;
                  const hit = boxes.find(inside) ?? words.find(inside);
                  if (hit) { say(`${name} runs through "${hit.text}"`); break; }
                }
              }
            }
            return wrong;
          }, some.slice(from, from + 50));
          assert.deepEqual(wrong, []);
        }
      });
    }
  });

  test("lead to pages that exist, by mouse and by keyboard", async () => {
    const known = new Set(all);
    for (const { path, svg } of await drawings()) {
      for (const [, href] of svg.matchAll(/<a class="node[^"]*" href="([^"]*)"/g)) {
        assert.ok(known.has(new URL(href, `http://site${path}`).pathname), `${path}: ${href}`);
      }
    }
    await open("/architecture/", async (page) => {
      const node = page.locator("svg.diagram a[href]").first();
      await node.focus();
      const { width, style } = await node.evaluate((node) => {
        const { outlineWidth, outlineStyle } = getComputedStyle(node);
        return { width: parseFloat(outlineWidth), style: outlineStyle };
      });
      assert.ok(style !== "none" && width >= 2, "the focus can be seen");
      const target = new URL(await node.getAttribute("href"), page.url()).href;
      await page.keyboard.press("Enter");
      await page.waitForURL(target);
    });
  });

  test("stand beside the same relations as a list", async () => {
    await open("/architecture/", async (page) => {
      for (const figure of await page.locator(".diagram-figure").all()) {
        const drawn = await figure.locator("svg a.node").evaluateAll((nodes) => nodes.map((node) => new URL(node.href.baseVal, document.baseURI).href));
        assert.ok(drawn.length > 1);
        const listed = await figure.locator(".diagram-list ul > li > a").evaluateAll((links) => links.map((link) => link.href));
        for (const href of drawn) assert.ok(listed.includes(href), href);
      }
    }, { javaScriptEnabled: false });
  });

  test("open large without the script, and close with Escape", async () => {
    const covers = (page) => page.evaluate(() => {
      const { width, height } = document.querySelector(".diagram-stage").getBoundingClientRect();
      return width >= innerWidth && height >= innerHeight;
    });
    await open("/architecture/", async (page) => {
      await page.locator(".diagram-open").first().click();
      assert.ok(await covers(page));
      await page.locator(".diagram-close").first().click();
      assert.equal(await covers(page), false);
    }, { javaScriptEnabled: false });
    await open("/architecture/#diagram-cluster-large", async (page) => {
      if (!await page.locator(".diagram-stage:target").count()) return;
      await page.keyboard.press("Escape");
      await until(page, () => !document.querySelector(".diagram-stage:target"));
    });
  });

  test("open in a dialog that can be zoomed and moved with the keyboard and the mouse", async () => {
    await open("/components/kube-apiserver/", async (page) => {
      const opener = page.locator("#diagram-relations .diagram-open");
      const before = await page.locator("#diagram-relations svg.diagram").first().getAttribute("viewBox");
      await opener.click();
      await page.locator(".diagram-dialog[open]").waitFor();
      const box = () => page.locator(".diagram-view svg").getAttribute("viewBox").then((box) => box.split(" ").map(Number));
      const [x, y, width] = await box();
      await page.keyboard.press("+");
      const [, , closer] = await box();
      assert.ok(closer < width);
      await page.keyboard.press("ArrowRight");
      const [right] = await box();
      await page.keyboard.press("ArrowRight");
      assert.ok((await box())[0] > right);
      await page.keyboard.press("0");
      const fitted = await box();
      await page.mouse.move(400, 400);
      await page.mouse.down();
      await page.mouse.move(300, 350, { steps: 4 });
      await page.mouse.up();
      const moved = await box();
      assert.ok(moved[0] > fitted[0] && moved[1] > fitted[1]);
      await page.mouse.wheel(0, -100);
      await until(page, (width) => Number(document.querySelector(".diagram-view svg").getAttribute("viewBox").split(" ")[2]) < width, moved[2]);
      await page.keyboard.press("Escape");
      await until(page, () => !document.querySelector(".diagram-dialog"));
      assert.equal(await page.locator("#diagram-relations svg.diagram").first().getAttribute("viewBox"), before);
      assert.ok(await opener.evaluate((link) => link === document.activeElement));
      assert.ok([x, y].every(Number.isFinite));
    });
  });

  test("highlight the relations of a box under the pointer or with the focus, in both versions", async () => {
    for (const [width, version] of [[1440, "svg.diagram:not(.narrow)"], [390, "svg.narrow"]]) {
      await open("/components/kube-proxy/", async (page) => {
        const drawing = `#diagram-relations ${version}`;
        await page.locator(`${drawing} a[data-id="kube-proxy"]`).focus();
        await page.locator(`${drawing}.lit`).waitFor();
        const near = await page.locator(`${drawing} .arrow`).evaluateAll((arrows) => arrows.map((arrow) => arrow.classList.contains("near")));
        assert.ok(near.length && near.every(Boolean), "every arrow begins or ends at the subject");
        await page.locator(`${drawing} a[data-id="kube-apiserver"]`).hover();
        await until(page, (drawing) => document.querySelectorAll(`${drawing} .arrow:not(.near)`).length, drawing);
        assert.equal(await page.locator(`${drawing} .arrow.near`).count(), 1);
        assert.ok(await page.locator(`${drawing} a[data-id="kube-proxy"].near`).count());
      }, { viewport: { width, height: 900 } });
    }
  });

  test("open the visible version in the dialog, which highlights, too", async () => {
    await open("/components/kube-proxy/", async (page) => {
      await page.locator("#diagram-relations .diagram-open").click();
      await page.locator(".diagram-dialog[open] svg.narrow").waitFor();
      await page.locator('.diagram-dialog a[data-id="hyperkube"]').focus();
      await until(page, () => document.querySelectorAll(".diagram-dialog .arrow.near").length === 1);
      await page.keyboard.press("Escape");
      await until(page, () => !document.querySelector(".diagram-dialog"));
      assert.ok(await page.locator("#diagram-relations svg.diagram + svg.narrow").count(), "both are in their places");
    }, { viewport: { width: 390, height: 844 } });
  });

  const pages = ["/", "/architecture/", "/components/kube-apiserver/", "/components/kube-proxy/", "/providers/gke-standard/", "/versions/1.19..1.24/"];

  test("fit every screen without scrolling, with at most 24 boxes and no text below 12 px, in one of two versions", async () => {
    for (const width of [320, 390, 768, 1280, 1440]) {
      for (const path of pages) {
        await open(path, async (page) => {
          const figures = await page.locator(".diagram-figure").evaluateAll((all) => all.map((figure) => {
            const visible = [...figure.querySelectorAll("svg.diagram")].filter((svg) => svg.getClientRects().length);
            const [svg] = visible;
            const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            const sizes = [...svg.querySelectorAll("text:not(.letter)")].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
            const { scrollWidth, clientWidth } = svg.closest(".diagram-scroll");
            return { shown: visible.length, boxes: svg.querySelectorAll("a[data-id]").length, least: Math.min(...sizes), cut: scrollWidth - clientWidth };
          }));
          assert.ok(figures.length, path);
          for (const { shown, boxes, least, cut } of figures) {
            assert.ok(shown === 1 && boxes <= 24 && least >= 11.99, `${path} at ${width}: ${shown} drawings, ${boxes} boxes, ${least} px`);
            // The narrow drawings are made for phones of 390 px; smaller ones scroll.
            if (width >= 390) assert.ok(cut <= 0, `${path} at ${width}: ${cut} px are cut off`);
          }
        }, { viewport: { width, height: 900 } });
      }
    }
  });

  test("are complete without the script, and the wide version is printed", async () => {
    for (const [viewport, narrow] of [[{ width: 390, height: 844 }, true], [{ width: 1440, height: 900 }, false]]) {
      await open("/components/kube-apiserver/", async (page) => {
        const shown = () => page.locator("#diagram-relations svg.diagram").evaluateAll((all) => all.filter((svg) => svg.getClientRects().length).map((svg) => svg.matches(".narrow")));
        assert.deepEqual(await shown(), [narrow]);
        await page.emulateMedia({ media: "print" });
        assert.deepEqual(await shown(), [false]);
        assert.ok(await page.locator("#diagram-relations svg.diagram").first().evaluate((svg) => svg.getBoundingClientRect().right <= innerWidth));
      }, { javaScriptEnabled: false, viewport });
    }
  });

  test("have enough contrast, light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      for (const path of ["/", "/components/kube-apiserver/", "/providers/gke-standard/", "/versions/1.19..1.24/"]) {
        await open(path, async (page) => {
          const wrong = await page.evaluate(() => {
            const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const luminance = (colour) => {
              context.fillStyle = colour;
              context.fillRect(0, 0, 1, 1);
              const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => part / 255).map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4));
              return .2126 * r + .7152 * g + .0722 * b;
            };
            const contrast = (a, b) => { const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y); return (light + .05) / (dark + .05); };
            const paper = getComputedStyle(document.body).backgroundColor;
            const wrong = [];
            for (const svg of document.querySelectorAll("svg.diagram")) {
              const ground = svg.querySelector(".ground rect") ? getComputedStyle(svg.querySelector(".ground rect")).fill : paper;
              const check = (selector, property, least, on = () => ground) => {
                for (const element of svg.querySelectorAll(selector)) {
                  const value = contrast(getComputedStyle(element)[property], on(element));
                  if (value < least) wrong.push(`${selector} ${property}: ${value}`);
                }
              };
              const fill = (element) => { const { fill } = getComputedStyle(element.closest("a").querySelector(".box")); return /^none$|, 0\)$/.test(fill) ? ground : fill; };
              check("text.label", "fill", 4.5, fill);
              check("text.letter", "fill", 4.5, (letter) => getComputedStyle(letter.closest("a").querySelector(".tile")).fill);
              check("text.word, text.ground-label", "fill", 4.5);
              check("text.word, text.ground-label", "fill", 4.5, (text) => getComputedStyle(text).stroke);
              check(".line", "stroke", 3);
              check(".box", "stroke", 3);
              check(".box", "stroke", 3, fill);
              check(".head, .bus", "fill", 3);
              // The halo of a text hides the line behind it, so it has the colour of the ground.
              check("text.word, text.ground-label", "stroke", 0);
              for (const text of svg.querySelectorAll("text.word, text.ground-label")) if (contrast(getComputedStyle(text).stroke, ground) > 1.01) wrong.push(`the halo of ${text.textContent}`);
            }
            return [...new Set(wrong)];
          });
          assert.deepEqual(wrong, [], `${path} ${colorScheme}`);
        }, { colorScheme });
      }
    }
  });

  test("of Mermaid can be scrolled on a phone, with a mark at the edge, and are readable", async () => {
    await open("/concepts/pod-creation/", async (page) => {
      const { size, cut, edge } = await page.locator("svg.mermaid").first().evaluate((svg) => {
        const scroll = svg.closest(".diagram-scroll");
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const sizes = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
        scroll.scrollLeft = 1e6;
        const reached = scroll.getBoundingClientRect().right - svg.getBoundingClientRect().right;
        return { size: Math.min(...sizes), cut: reached < -1, edge: getComputedStyle(scroll).backgroundImage };
      });
      assert.ok(size >= 11.99 && !cut && edge.includes("gradient"), `${size} px, ${edge}`);
    }, { viewport: { width: 390, height: 844 } });
  });

  test("begin with the release of the reader's cluster", async () => {
    await open("/architecture/?release=1.2", async (page) => {
      await page.locator('[data-swap] a[data-id="heapster"]').first().waitFor();
      assert.equal(new URL(page.url()).pathname, `${BASE}architecture/1.2/`);
    });
    await open("/architecture/1.20/?release=1.2", async (page) => {
      await page.locator('[data-swap] a[data-id="coredns"]').first().waitFor();
      assert.equal(new URL(page.url()).pathname, `${BASE}architecture/1.20/`);
    });
  });

  test("show another release, with the script without a reload", async () => {
    const old = async (page) => page.locator('#system ~ .diagram-figure a[data-id="heapster"], [data-swap] a[data-id="heapster"]').count();
    for (const javaScriptEnabled of [true, false]) {
      await open("/architecture/", async (page) => {
        assert.equal(await old(page), 0);
        if (javaScriptEnabled) await page.evaluate(() => { window.stayed = true; });
        await page.locator(".versions a", { hasText: /^1\.2$/ }).click();
        await page.waitForURL("**/architecture/1.2/#system");
        await page.locator('[data-swap] a[data-id="heapster"]').first().waitFor();
        assert.equal(await page.locator('[data-swap] a[data-id="coredns"]').count(), 0);
        if (!javaScriptEnabled) return;
        assert.ok(await page.evaluate(() => window.stayed));
        assert.equal(new URL(await page.locator('.languages a[hreflang="ja"]').getAttribute("href")).pathname, `${BASE}ja/architecture/1.2/`);
        assert.equal((await page.request.get(await page.locator(".menu a").first().evaluate((link) => link.href))).status(), 200);
        const href = await page.locator('[data-swap] a[data-id="heapster"]').first().evaluate((node) => new URL(node.getAttribute("href"), document.baseURI).pathname);
        assert.equal(href, `${BASE}components/heapster/`);
        await page.goBack();
        await page.locator('[data-swap] a[data-id="coredns"]').first().waitFor();
        assert.equal(await page.locator('[data-swap] a[data-id="heapster"]').count(), 0);
      }, { javaScriptEnabled });
    }
  });
});

test("the keyboard's focus can be seen", async () => {
  for (const path of ["/", "/components/", "/compare/"]) {
    await open(path, async (page) => {
      await page.keyboard.press("Tab");
      assert.ok(await page.locator(".skip").isVisible(), "the skip link comes first");
      for (let step = 0; step < 14; step++) {
        await page.keyboard.press("Tab");
        const { name, width, style } = await page.evaluate(() => {
          const { outlineWidth, outlineStyle } = getComputedStyle(document.activeElement);
          return { name: document.activeElement.outerHTML.slice(0, 80), width: parseFloat(outlineWidth), style: outlineStyle };
        });
        assert.ok(style !== "none" && width >= 2, `${path}: ${name}`);
      }
    });
  }
});

test("the server sends what deploy/_headers says, and the browser obeys", async () => {
  const { "content-security-policy": [policy], ...others } = headers("/");
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) assert.ok(policy.split("; ").includes(rule), rule);
  assert.deepEqual(Object.keys(others).filter((name) => name !== "cache-control"), ["x-content-type-options", "referrer-policy", "permissions-policy",
    "cross-origin-opener-policy", "cross-origin-embedder-policy", "cross-origin-resource-policy"]);
  assert.equal(headers("/ja/explain/")["content-security-policy"].length, 2);
  await open("/", async (page) => {
    const sent = (await page.request.get(page.url())).headers();
    for (const [name, [value]] of Object.entries(headers("/"))) assert.equal(sent[name], value, name);
    const ran = await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
      document.body.insertAdjacentHTML("beforeend", '<p id="coloured" style="color: red">');
      return [window.ran, document.querySelector("#coloured").style.color, window.crossOriginIsolated];
    });
    assert.deepEqual(ran, [undefined, "", true]);
  }, { quiet: true });
});

test("the page for a wrong turn works from anywhere", async () => {
  await open("/no/such/page/at/all", async (page) => {
    assert.equal(await page.locator("main").count(), 1);
    const links = await page.locator("main a, .menu a").evaluateAll((links) => links.map((link) => link.href));
    assert.ok(links.length > 2);
    for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link);
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgba(0, 0, 0, 0)", "it has its style");
  }, { base: "/", quiet: true });
});

describe("the page of a component", () => {
  const PHONE = { width: 390, height: 844 };
  const top = (page, id) => page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top + scrollY, id);

  test("answers on the first screen of a phone, with the symptoms on the third", async () => {
    for (const path of ["/components/kube-proxy/", "/components/kube-apiserver/", "/ja/components/coredns/"]) {
      await open(path, async (page) => {
        assert.ok(await top(page, "removal") < PHONE.height, path);
        assert.ok(await top(page, "symptoms") < 3 * PHONE.height, path);
      }, { viewport: PHONE });
    }
  });

  test("has at most 40 stops of the keyboard before its text", async () => {
    for (const path of specimens) {
      const stops = await open(path, (page) => page.evaluate(() => {
        const main = document.querySelector("main");
        const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
        return all.filter((it) => it.checkVisibility() && main.compareDocumentPosition(it) & Node.DOCUMENT_POSITION_PRECEDING).length;
      }), { viewport: { width: 1440, height: 900 } });
      assert.ok(stops <= 40, `${path}: ${stops}`);
    }
  });

  test("begins with what applies to the provider of the reader", async () => {
    const first = (page) => page.evaluate(() => ({
      answer: document.querySelector(".plate > :not([hidden])").dataset.provider,
      general: document.querySelector(".plate > [data-object]").hidden,
      claim: document.querySelector(".claims > *").dataset.provider,
      chosen: document.querySelector("[data-my=provider]").value,
    }));
    const viewport = { width: 1440, height: 900 };
    await open("/components/kube-proxy/", async (page) => {
      const any = await first(page);
      assert.deepEqual([any.answer, any.general, any.chosen], [undefined, false, ""]);
      await page.selectOption(".site-header [data-my=provider]", "eks");
      await until(page, () => document.querySelector(".plate > :not([hidden])")?.dataset.provider === "eks");
      assert.deepEqual(await first(page), { answer: "eks", general: true, claim: "eks", chosen: "eks" });
    }, { viewport });
    await open("/components/kube-proxy/?provider=aks", async (page) => {
      assert.deepEqual(await first(page), { answer: "aks", general: true, claim: "aks", chosen: "aks" });
    }, { viewport });
  });

  test("shows what applies to the release of the reader, which the address and the browser keep", async () => {
    const viewport = { width: 1440, height: 900 };
    const own = (page) => page.locator(".kicker > .own-state").textContent();
    await open("/components/node-local-dns/?release=1.12", async (page) => {
      assert.equal(await own(page), "In 1.12: not yet available");
      await Promise.all([page.waitForEvent("load"), page.selectOption(".site-header [data-my=release]", "1.20")]);
      assert.equal(new URL(page.url()).search, "");
      await until(page, () => document.querySelector(".own-state")?.textContent === "In 1.20: active");
      await page.reload();
      assert.equal(await page.inputValue(".site-header [data-my=release]"), "1.20");
      await Promise.all([page.waitForEvent("load"), page.selectOption(".site-header [data-my=release]", "")]);
      assert.equal(await page.locator(".own-state").count(), 0);
    }, { viewport });
    await open("/compare/?columns=gke-standard,aks&release=1.24", async (page) => {
      const cell = (id) => page.locator(`#role-cluster-dns [data-column="${id}"]`);
      const names = (claims) => claims.locator(".claim-name").allTextContents();
      const current = await names(cell("gke-standard").locator(":scope > .claim"));
      assert.ok(current.includes("kube-dns") && !current.includes("CoreDNS"), current.join());
      assert.ok((await names(cell("gke-standard").locator(".ended"))).includes("CoreDNS"));
      assert.match(await cell("aks").locator(".ended > p").textContent(), /^Not in 1\.24$/);
    }, { viewport });
    await open("/versions/?release=1.33", async (page) => assert.equal(await page.inputValue("[name=from]"), "1.33"), { viewport });
    await open("/versions/?release=0.1", async (page) => assert.equal(await page.inputValue(".site-header [data-my=release]"), ""), { viewport });
  });

  test("takes at most 8 sheets of paper", async () => {
    for (const path of ["/components/kube-proxy/", "/ja/components/kube-proxy/"]) {
      await open(path, async (page) => {
        const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
        const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g).length;
        assert.ok(sheets <= 8, `${path}: ${sheets}`);
      });
    }
  });

  test("has five sizes of text, none below 14 px except marks", async () => {
    for (const path of specimens.filter((path) => !path.startsWith("/ja/"))) {
      const sizes = await open(path, (page) => page.evaluate(() => {
        const sizes = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const { data, parentElement: element } = walker.currentNode;
          // The words of marks in the comparison are for screen readers.
          const isText = data.trim() && element.checkVisibility() && !element.closest(".hidden, .mark, svg, math, .skip, .kbd, .comparison .presence");
          if (isText) sizes.add(parseFloat(getComputedStyle(element).fontSize).toFixed(1));
        }
        return [...sizes];
      }), { base: "/", viewport: { width: 1440, height: 900 } });
      assert.deepEqual(sizes.filter((size) => !["44.0", "22.0", "18.0", "16.0", "14.0"].includes(size)), [], path);
    }
  });

  test("opens what is folded for a link into it", async () => {
    await open("/components/kube-proxy/", async (page) => {
      await page.locator(".plate sup.cite a").first().click();
      await until(page, () => document.querySelector(location.hash)?.checkVisibility());
    });
  });
});

describe("conveniences", () => {
  test("a link to a page of the site shows what that page is about, with the pointer or the focus", async () => {
    await open("/components/kube-proxy/", async (page) => {
      const link = page.locator("main .prose a[href^='../']").first();
      const path = new URL(await link.evaluate(({ href }) => href)).pathname.slice(BASE.length);
      const about = (await readFile(join(SITE, path, "index.html"), "utf8")).match(/<meta name="description" content="([^"]+)"/)[1];
      await link.hover();
      await page.locator(".preview:not([hidden])").waitFor();
      assert.equal(await page.locator(".preview").innerHTML(), about);
      assert.equal(await link.getAttribute("aria-describedby"), await page.locator(".preview").getAttribute("id"));
      await page.keyboard.press("Escape");
      assert.ok(await page.locator(".preview").isHidden());
      await page.mouse.move(1, 1);
      await link.focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      await page.locator(".preview:not([hidden])").waitFor();
    });
  });

  test("a question mark opens the help for the keyboard, but not where text is typed", async () => {
    await open("/components/kube-proxy/", async (page) => {
      await page.keyboard.press("?");
      const dialog = page.locator("dialog.keys");
      await dialog.waitFor();
      const rows = await dialog.locator("dl").evaluate((list) => [...list.children].map(({ tagName, innerText }) => [tagName, innerText.trim()]));
      assert.equal(rows.length, 12);
      assert.ok(rows.every(([tag, text], index) => tag === (index % 2 ? "DD" : "DT") && text));
      await page.keyboard.press("Escape");
      await until(page, () => !document.querySelector("dialog"));
      await page.locator("#search-input").focus();
      await page.keyboard.press("?");
      assert.equal(await dialog.count(), 0);
      assert.equal(await page.locator("#search-input").inputValue(), "?");
    });
  });

  test("a statement has a link that reports it, with its text and its page", async () => {
    const repository = "https://example.org/book/";
    await open("/ja/components/kube-proxy/", async (page) => {
      await page.evaluate((repository) => Object.assign(document.querySelector("template[data-copy]").dataset, { repository, report: "Report|Wrong:" }), repository);
      await page.evaluate(() => Object.assign(words, document.querySelector("template[data-copy]").dataset));
      await page.locator("main .claim").first().hover();
      const reports = page.locator(".report");
      await reports.first().waitFor({ state: "attached" });
      const claim = await page.locator(".claim:has(> .report)").first().evaluate((claim) => [claim.firstChild.textContent.trim(), claim.querySelector(".report").href]);
      const url = new URL(claim[1]);
      assert.equal(url.origin + url.pathname, "https://example.org/book/issues/new");
      assert.ok(url.searchParams.get("title").startsWith("Wrong: "));
      assert.ok(url.searchParams.get("body").includes(claim[0]) && url.searchParams.get("body").startsWith(page.url()));
    });
  });

  test("the commands of an answer can be copied", async () => {
    await open("/components/kube-proxy/", async (page) => {
      // The stand-in for the clipboard, which the browser keeps from a page that its server permits nothing.
      await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { globalThis.written = text; }; });
      const copy = page.locator(".plate .copy-code").first();
      const command = await copy.evaluate((button) => button.previousElementSibling.textContent);
      await copy.click();
      assert.equal(await page.evaluate(() => globalThis.written), command);
    });
  });
});
