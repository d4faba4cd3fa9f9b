// The page that explains a pasted listing: its user interface. The explanations themselves are tested in explain.test.js.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { minify } from "terser";
import { start, until } from "./browser.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const FIXTURES = join(import.meta.dirname, "../fixtures");
const ROOT = join(import.meta.dirname, "../..");
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };
const LINES = "#explain-results tbody > tr:not(.explain-group, .explain-detail)";

const EXAMPLE = `$ kubectl get pods,daemonsets -n kube-system
NAME                             READY   STATUS    RESTARTS   AGE
pod/coredns-5d78c9869d-x8k2p     1/1     Running   0          3d
pod/coredns-5d78c9869d-jd8hx     1/1     Running   0          3d
pod/kube-proxy-9p2lr             1/1     Running   0          3d
pod/cart-7d4b9c8f6d-x2k9p        1/1     Running   0          3d
pod/cart-7d4b9c8f6d-m4tzq        1/1     Running   0          3d

NAME                             DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR              AGE
daemonset.apps/kube-proxy        1         1         1       1            1           kubernetes.io/os=linux     3d
daemonset.apps/fluentbit-gke-max 0         0         0       0            0           kubernetes.io/os=linux     3d
`;

let open, stop, origin;
before(async () => ({ open, stop, origin } = await start(SITE)));
after(() => stop?.());

const fixture = (name) => readFile(join(FIXTURES, "listings", `${name}.txt`), "utf8");
const status = (page) => page.locator(".explain-status").innerText();
/** Returns the components of the lines, in order; null for objects without one. */
const owners = (page) => page.locator(LINES).evaluateAll((lines) => lines.map((line) => line.dataset.component ?? null));
/** Returns the visible groups of the result with the first words of their lines. */
const groups = (page) => page.locator("#explain-results tbody").evaluateAll((groups) => groups.filter((group) => !group.hidden).map((group) => {
  const [head, ...lines] = [...group.rows].filter((row) => !row.hidden && row.className !== "explain-detail");
  return [head.textContent, ...lines.map((line) => line.querySelector("a, code").textContent)];
}));
/** Waits until what is in the box is answered, not what was there before: its first line is then the title of the folded box. */
const answered = (page) => until(page, () => document.querySelector(".explain-status p")
  && document.querySelector(".explain-preview").textContent === document.querySelector("#explain-input").value.trim().split("\n", 1)[0]);

/** Pastes a text into the box. */
async function paste(page, text) {
  await page.evaluate(() => { document.querySelector(".explain-source").open = true; });
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.locator("#explain-input").selectText();
  await page.keyboard.press("Control+V");
  await answered(page);
}

/** Opens the page and explains a listing. */
function explained(text, use, { lang = "", ...options } = {}) {
  return open(`${lang && `/${lang}`}/explain/`, async (page) => {
    await page.locator("#explain-input").fill(text);
    await answered(page);
    return use(page);
  }, { ...CLIPBOARD, ...options });
}

/** Clicks a copy button and returns the copied text. */
async function copied(page, action) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.click(`[data-do="${action}"]`);
  await until(page, () => document.querySelector(".explain-copies output").textContent);
  await until(page, () => navigator.clipboard.readText());
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Drops files on the page. */
async function drop(page, ...files) {
  await page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const bytes of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], "listing.txt"));
    for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, files.map((file) => [...file]));
  await answered(page);
}

describe("what comes in", () => {
  test("is explained when it is pasted: the box folds, and the result has the focus", async () => {
    await open("/explain/", async (page) => {
      assert.equal(await page.locator(LINES).count(), 0);
      await paste(page, EXAMPLE);
      await until(page, () => document.activeElement.tagName === "H2");
      assert.deepEqual(await groups(page), [["Components", "CoreDNS", "kube-proxy"], ["Idle by design", "fluentbit-gke-max"]]);
      assert.match(await status(page), /5 of 7 objects explained/);
      assert.ok(await page.locator("#explain-input").isHidden());
      assert.equal(await page.locator(".explain-preview").textContent(), "$ kubectl get pods,daemonsets -n kube-system");
      await page.click(".explain-source > summary");
      assert.equal(await page.inputValue("#explain-input"), EXAMPLE);
    }, CLIPBOARD);
  });

  test("survives a reload, going back, and another provider in the header", async () => {
    await open("/explain/", async (page) => {
      const shown = () => until(page, () => document.querySelector('tr[data-component="coredns"]'));
      await paste(page, EXAMPLE);
      await page.reload();
      await shown();
      assert.ok(await page.locator("#explain-input").isHidden());
      await page.click('tr[data-component="coredns"] a');
      await page.waitForURL("**/components/coredns/");
      await page.goBack();
      await shown();
      await Promise.all([page.waitForEvent("load"), page.selectOption(".site-header [data-my=provider]", "eks")]);
      await shown();
      assert.match(await status(page), /EKS, as selected/);
      await page.click(".explain-source > summary");
      await page.click('[data-do="clear"]');
      await page.reload();
      assert.equal(await page.inputValue("#explain-input"), "");
    }, CLIPBOARD);
  });

  test("is explained while it is typed, and forgotten when it is cleared", async () => {
    await open("/explain/", async (page) => {
      await page.locator("#explain-input").pressSequentially("pod/coredns-5d78c9869d-x8k2p");
      await until(page, () => document.querySelector('tr[data-component="coredns"]'));
      await page.click('[data-do="clear"]');
      await until(page, () => !document.querySelector("#explain-results tbody"));
      assert.equal(await status(page), "");
      assert.equal(await page.evaluate(() => document.activeElement.id), "explain-input");
      assert.ok(await page.locator(".explain-report").isHidden());
    });
  });

  test("may be a file that is dropped anywhere, or several, or one of PowerShell's", async () => {
    const bytes = Buffer.from(EXAMPLE);
    for (const files of [[bytes], [Buffer.from("\ufeffpod/coredns-5d78c9869d-x8k2p\n"), bytes], [Buffer.from(`\ufeff${EXAMPLE}`, "utf16le")]]) {
      await open("/explain/", async (page) => {
        await drop(page, ...files);
        assert.deepEqual(await owners(page), ["coredns", "kube-proxy", "fluentbit-gke-max"]);
        const rows = await page.locator(`${LINES} button`).allTextContents();
        assert.equal(rows.reduce((sum, text) => sum + Number(text.match(/\d+/)), 0), files.length + 4);
      });
    }
  });

  test("may be a file that is opened, twice the same", async () => {
    await open("/explain/", async (page) => {
      const file = { name: "listing.txt", mimeType: "text/plain", buffer: Buffer.from(EXAMPLE) };
      for (let turn = 0; turn < 2; turn++) {
        await page.setInputFiles(".explain-file input", file);
        await until(page, () => document.querySelectorAll("#explain-results tr[data-component]").length === 3);
        await page.click(".explain-source > summary");
        await page.click('[data-do="clear"]');
        await until(page, () => !document.querySelector(".explain-status").textContent);
      }
    });
  });

  test("may be the example, which is explained to the last row", async () => {
    await open("/explain/", async (page) => {
      await page.click('[data-do="example"]');
      await answered(page);
      const all = await owners(page);
      assert.ok(all.length > 10);
      assert.ok(all.every(Boolean));
    });
  });

  test("may be no listing at all: one sentence, no table", async () => {
    await explained("Dear all,\nthe meeting is at noon.\n", async (page) => {
      assert.match(await status(page), /^Not recognized as kubectl output/);
      assert.ok(await page.locator(".explain-report").isHidden());
      assert.equal(await page.locator(LINES).count(), 0);
    });
  });

  test("may be YAML or JSON: a row says what it would be printed as", async () => {
    await explained(await readFile(join(FIXTURES, "explain/whole-objects.yaml.txt"), "utf8"), async (page) => {
      await page.click('tr[data-component="coredns"] button');
      assert.match(await page.locator(".explain-detail pre").innerText(), /^kube-system deployment\/coredns$/m);
    });
  });
});

const SICK = `NAME                                     READY   STATUS             RESTARTS      AGE
pod/coredns-5d78c9869d-x8k2p             1/1     Running            0             3d
pod/konnectivity-agent-69fc69d588-t67rj  0/1     CrashLoopBackOff   27 (2m ago)   2h
pod/shop-84b8db4dc7-rbvqp                0/1     ImagePullBackOff   0             2h
pod/heapster-69fc69d588-t67rj            2/2     Running            0             2h

NAME                                 READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/konnectivity-agent   1/2     2            1           2h
`;

describe("what is wrong", () => {
  test("is first: the status, the restarts, and where to look; your own objects, too", async () => {
    await explained(SICK, async (page) => {
      assert.deepEqual(await groups(page), [["Unhealthy", "konnectivity-agent", "Pod shop"], ["Components", "CoreDNS", "heapster"]]);
      const line = page.locator('tr[data-component="konnectivity-agent"]');
      assert.deepEqual(await line.locator(".explain-sick li").allInnerTexts(), [
        "pod/konnectivity-agent-69fc69d588-t67rj CrashLoopBackOff Restarts: 27 (2m ago)\nNext command\nkubectl logs konnectivity-agent-69fc69d588-t67rj --all-containers --previous",
        "deployment/konnectivity-agent 1 of 2 ready\nNext command\nkubectl rollout status deployment konnectivity-agent",
      ]);
      const href = await line.locator('a[href$="#symptoms"]').evaluate((link) => link.href);
      assert.match(await (await page.request.get(href)).text(), /id="symptoms"/);
      assert.deepEqual(await page.locator(".explain-sick b").allTextContents(), ["CrashLoopBackOff", "1 of 2 ready", "ImagePullBackOff"]);
    });
  });

  test("and everything else can be counted and chosen", async () => {
    await explained(SICK, async (page) => {
      const filters = page.locator(".explain-filters button");
      assert.deepEqual((await filters.allInnerTexts()).map((text) => text.replace(/\s+/g, " ")), ["3 Components", "2 Unhealthy", "1 Deprecated", "1 Not known"]);
      const choose = async (value) => {
        await page.click(`.explain-filters [value="${value}"]`);
        assert.deepEqual(await filters.evaluateAll((all) => all.filter((one) => one.ariaPressed === "true").map((one) => one.value)), [value]);
        return groups(page);
      };
      assert.deepEqual(await choose("unhealthy"), [["Unhealthy", "konnectivity-agent", "Pod shop"]]);
      assert.ok(await page.locator("#explain-unknown").isHidden());
      assert.deepEqual(await choose("outdated"), [["Components", "heapster"]]);
      assert.deepEqual(await choose("unknown"), [["Unhealthy", "Pod shop"]]);
      assert.ok(await page.locator("#explain-unknown li").isVisible());
      await choose("all");
      await page.fill(".explain-search", "HEAP ready");
      assert.deepEqual(await groups(page), []);
      await page.fill(".explain-search", "HEAP-69fc");
      assert.deepEqual(await groups(page), []);
      await page.fill(".explain-search", "heapster-69fc");
      assert.deepEqual(await groups(page), [["Components", "heapster"]]);
      await page.click('tr[data-component="heapster"] button');
      assert.ok(await page.locator(".explain-detail").isVisible());
      await page.fill(".explain-search", "core");
      assert.ok(await page.locator(".explain-detail").isHidden());
    });
  });
});

describe("whole objects", () => {
  const objects = (name) => readFile(join(FIXTURES, "explain", `${name}.txt`), "utf8");

  test("tell why, which symptom fits, and what to type next", async () => {
    await explained(await objects("coredns-loop.json"), async (page) => {
      const [sick] = await page.locator(".explain-sick li").allInnerTexts();
      assert.match(sick, /^kube-system pod\/coredns-7db6d8ff4d-4xk2p CrashLoopBackOff Restarts: 6 \(2026-11-28T09:12:44Z\)/);
      assert.match(sick, /Reason\nError \(exit code 1\): plugin\/loop: Loop/);
      assert.match(sick, /Known symptom\nCrashLoopBackOff, the log contains plugin\/loop/);
      assert.match(sick, /Next command\nkubectl -n kube-system logs coredns-7db6d8ff4d-4xk2p --all-containers --previous$/);
      assert.match(await page.locator('tr[data-component="coredns"] td').first().innerText(), /Version: v1\.11\.1/);
      assert.match(await copied(page, "copy"), /- \*{0,2}`kube-system pod\/coredns-7db6d8ff4d-4xk2p` \*\*CrashLoopBackOff\*\*\n {2}- Reason: Error/);
    });
  });

  test("tell what the system requests, and what keeps Nodes", async () => {
    await explained(await objects("aks-overhead.json"), async (page) => {
      const cost = page.locator("#explain-cost"), scale = page.locator("#explain-scale");
      assert.match(await cost.innerText(), /System components request 1\.26 CPU and 2\.3Gi of memory, your own workloads 250m CPU and 512Mi\./);
      assert.equal(await cost.locator("tbody tr").first().innerText(), "kube-proxy (one on each Node)\t3\t300m\t0Mi\t-");
      assert.match(await scale.innerText(), /3 of 3/);
      assert.ok((await scale.locator("tbody tr").allInnerTexts()).some((row) => /coredns-.*without a PodDisruptionBudget/.test(row)));
      assert.match(await copied(page, "copy"), /System components request 1\.26 CPU/);
      await page.click('[data-do="clear"]');
      await page.locator("#explain-input").fill("pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d");
      await answered(page);
      assert.ok(await cost.isHidden() && await scale.isHidden(), "names alone tell nothing about it");
    });
  });

  test("may be YAML, whose parser is loaded only then", async () => {
    await explained(await objects("coredns-loop.json"), async (page) => {
      const scripts = () => page.evaluate(() => [...document.scripts].filter(({ src }) => /\/yaml\.\w+\.js$/.test(src)).length);
      assert.equal(await scripts(), 0);
      await paste(page, await objects("objects.yaml"));
      assert.equal(await scripts(), 1);
      assert.match((await page.locator(".explain-sick").allInnerTexts()).join(), /OOMKilled \(exit code 137\)/);
    });
  });
});

describe("what a line says", () => {
  test("is what it is and whether it may go; unfolded, who put it there and who restores it, with the rows below their header", async () => {
    await explained(EXAMPLE, async (page) => {
      const line = page.locator('tr[data-component="coredns"]');
      assert.ok(await line.locator("td").first().innerText());
      assert.ok(await line.locator("[data-verdict] svg").count());
      const href = await line.locator("a").evaluate((link) => link.href);
      assert.equal(new URL(href).pathname.replace("/docs", ""), "/components/coredns/");
      assert.equal((await page.request.get(href)).status(), 200);
      const button = line.locator("button");
      assert.equal(await button.getAttribute("aria-expanded"), "false");
      await button.click();
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      const detail = page.locator(".explain-detail");
      assert.deepEqual(await detail.locator("dt").allTextContents(), ["Installed by", "Recreated by", "Impact"]);
      // Each row as printed, with the spaces between columns.
      assert.equal(await detail.locator("pre").textContent(), EXAMPLE.split("\n").slice(1, 4).map((line) => `${line}\n`).join(""));
      await button.click();
      assert.ok(await detail.isHidden());
    });
  });

  test("is one verdict where all objects have the same, and otherwise one for each kind", async () => {
    await explained(await fixture("kubeadm-calico"), async (page) => {
      const verdicts = await page.locator(`${LINES} > td:last-child`).evaluateAll((cells) => cells.map((cell) => [...cell.children].map((line) => line.querySelector("span:not(.verdict)") ? "kind" : "-").join()));
      assert.ok(verdicts.includes("-"));
      for (const line of verdicts) assert.match(line, /^-?$|^kind(,kind)+$/);
    });
  });

  test("leads to a section where the page has one for it", async () => {
    await explained("service/kube-dns   ClusterIP   10.96.0.10   <none>   53/UDP,53/TCP   5d", async (page) => {
      const href = await page.locator(`${LINES} a`).first().evaluate((link) => link.href);
      const { hash } = new URL(href);
      assert.ok(hash);
      assert.ok((await (await page.request.get(href)).text()).includes(`id="${hash.slice(1)}"`));
    });
  });

  test("is text, whatever was pasted", async () => {
    await explained("pod/<img src=x onerror=alert(1)>-x8k2p 1/1 Running 0 3d\n<script>alert(1)</script>-abc 1/1 Running 0 3d\npod/coredns-5d78c9869d-x8k2p <b>1/1</b>", async (page) => {
      assert.equal(await page.locator(".explain :is(img, script), .explain-preview *, #explain-unknown b").count(), 0);
    });
  });

  test("is that nobody knows it: by object, with a way to propose a page that tells its name and nothing else", async () => {
    await explained(EXAMPLE, async (page) => {
      const entries = page.locator("#explain-unknown .entry");
      assert.deepEqual(await entries.locator("code").allTextContents(), ["Pod cart"]);
      const href = new URL(await entries.first().locator("a").getAttribute("href"));
      assert.match(href.pathname, /\/issues\/new$/);
      assert.deepEqual([...href.searchParams.keys()], ["title", "body"]);
      assert.match(href.searchParams.get("title"), /Pod cart$/);
      for (const part of ["7d4b9c8f6d", "x2k9p", "kube-system"]) assert.ok(!href.href.includes(part), part);
      assert.ok(await page.locator("#explain-unknown details").evaluate((details) => details.open));
    });
    await explained(await fixture("user-workloads"), async (page) => {
      assert.equal(await page.locator("#explain-unknown details").evaluate((details) => details.open), false, "many are folded");
      const names = await page.locator("#explain-unknown .entry code").allTextContents();
      assert.equal(new Set(names).size, names.length);
      assert.equal(Number(await page.locator("#explain-unknown .explain-number").textContent()), names.length);
    });
  });
});

describe("what no row says", () => {
  test("stands below, with a way there, and only where there is something", async () => {
    const shown = (page) => page.locator(".explain section:visible").evaluateAll((sections) => sections.map(({ id }) => id));
    await explained(await fixture("gke-2018-get"), async (page) => {
      assert.deepEqual(await shown(page), ["explain-hidden"]);
      const { listed, linked } = await page.evaluate(() => ({
        listed: document.querySelectorAll('#explain-results .state[data-state]').length,
        linked: [...document.querySelectorAll("#explain-results tr:has(.state)")].filter((line) => line.querySelector("td a")).length,
      }));
      assert.ok(listed >= 3);
      assert.ok(linked >= 3, "each with what replaces it");
      assert.equal(await page.locator("#explain-hidden li").first().isVisible(), false);
      await page.click("#explain-hidden summary");
      assert.ok(await page.locator("#explain-hidden li").first().isVisible());
      for (const href of await page.locator(".explain section a").evaluateAll((links) => [...new Set(links.map(({ href }) => href))])) {
        assert.equal((await page.request.get(href)).status(), 200, href);
      }
    });
    await explained("pod/coredns-5d78c9869d-x8k2p   1/1   Running   0   3d", async (page) => assert.deepEqual(await shown(page), []));
  });
});

describe("the provider", () => {
  test("is guessed and the reason given, until somebody says better", async () => {
    await explained(await fixture("gke-standard-1.29"), async (page) => {
      assert.match(await status(page), /\nGKE Standard, detected by/);
      const verdicts = () => page.locator(`${LINES} [data-verdict]`).evaluateAll((badges) => badges.map((badge) => badge.dataset.verdict).join());
      const before = await verdicts();
      await page.selectOption(".explain select", "kubeadm");
      await until(page, () => /as selected/.test(document.querySelector(".explain-status").textContent));
      assert.match(await status(page), /\nkubeadm, as selected/);
      assert.notEqual(await verdicts(), before);
      await page.selectOption(".explain select", "");
      await until(page, () => /detected by/.test(document.querySelector(".explain-status").textContent));
      assert.equal(await verdicts(), before);
      const href = await page.locator(".explain-status a").first().evaluate((link) => link.href);
      assert.equal((await page.request.get(href)).status(), 200);
    });
  });

  test("is left open where several fit", async () => {
    await explained("pod/gke-metrics-agent-x8k2p\npod/fluentbit-gke-x8k2p", async (page) => {
      assert.match(await status(page), /\nProvider uncertain/);
      assert.ok(await page.locator(".explain-status a").count() > 1);
    });
  });
});

describe("what one takes away", () => {
  test("is a table in Markdown", async () => {
    await explained(EXAMPLE, async (page) => {
      const text = await copied(page, "copy");
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      assert.equal(rows[0], "| Object | Description | Can I delete it? |");
      assert.equal(rows[1], "| --- | --- | --- |");
      assert.match(rows[2], new RegExp(`^\\| \`kube-system pod/coredns-5d78c9869d-x8k2p\` × 2 \\| \\[CoreDNS\\]\\(${origin}/docs/components/coredns/\\) .+ \\| \\S.* \\|$`));
      assert.ok(rows.includes("| `kube-system pod/cart-7d4b9c8f6d-x2k9p` × 2 | Not known |  |"));
      for (const row of rows) assert.equal(row.replaceAll("\\|", "").split("|").length, 5, row);
      assert.match(text, /\*\*Why DESIRED is 0\*\*\n\n- .+fluentbit-gke-max/);
    });
  });

  test("is a link that says the same to somebody else, without what was made up for names", async () => {
    const summary = (page) => page.evaluate(() => {
      const rows = [...document.querySelectorAll("#explain-results tr[data-component]")];
      // A link has no names of Pods, so the answer is that of their workload.
      const links = rows.map((row) => row.querySelector("th a").href);
      return { links: [...new Set(links)].sort(), provider: document.querySelector(".explain-status p a")?.textContent, unknown: [...document.querySelectorAll("#explain-unknown .entry code")].map((name) => name.textContent.split(" ").pop()).sort() };
    });
    const files = (await readdir(join(FIXTURES, "listings"))).filter((name) => name.endsWith(".txt") && name !== "owners.txt");
    assert.ok(files.length > 10);
    await open("/explain/", async (page) => {
      for (const file of files) {
        const text = await fixture(file.replace(".txt", ""));
        await paste(page, text);
        const before = await summary(page);
        const link = await copied(page, "share");
        assert.ok(link.length <= 8000);
        const { hash } = new URL(link);
        assert.match(hash, /^#[\w-]*(;[^;]+)+$/);
        for (const [, template, random] of text.matchAll(/pod\/[a-z][\w.-]*?-([a-f0-9]{8,10})-([bcdfghjklmnpqrstvwxz2456789]{5})\b/g)) {
          assert.ok(!link.includes(template) && !link.includes(random), `${file}: ${template}-${random}`);
        }
        await page.evaluate((hash) => { location.hash = hash; }, hash);
        await until(page, () => document.querySelector("#explain-input").value.split("\n")[0].includes("/"));
        // If the names are not enough to detect the provider, it is set in a second step.
        await until(page, (provider) => document.querySelector(".explain-status p a")?.textContent === provider, before.provider);
        await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
        assert.deepEqual(await summary(page), before, file);
        await page.evaluate(() => document.querySelector('[data-do="clear"]').click());
      }
    }, CLIPBOARD);
  });

  test("is a link that works where the page is open already, and other fragments are no listings", async () => {
    await open("/explain/#_main", async (page) => {
      assert.equal(await page.inputValue("#explain-input"), "");
      await page.evaluate(() => { location.hash = "#;kube-system/Deployment/coredns"; });
      await until(page, () => document.querySelector('tr[data-component="coredns"]'));
      assert.equal(await page.inputValue("#explain-input"), "kube-system Deployment/coredns\n");
      for (const hash of ["#_main", "#;%E0%A4%A", "#explain-idle"]) {
        await page.evaluate((hash) => { location.hash = hash; }, hash);
        assert.equal(await page.inputValue("#explain-input"), "kube-system Deployment/coredns\n");
      }
    });
  });

  test("is a link that goes with one to the other language", async () => {
    await open("/explain/#;kube-system/Deployment/coredns", async (page) => {
      await answered(page);
      await page.click('.languages a[lang="ja"]');
      await page.waitForURL("**/ja/explain/#**");
      await until(page, () => document.querySelector('tr[data-component="coredns"]'));
    });
  });

  test("is a link that is never too long: what nobody knows is left out first", async () => {
    const names = Array.from({ length: 600 }, (_, at) => `shop   pod/a-workload-of-somebody-${at}-7d4b9c8f6d-x2k9p   1/1   Running   0   3d`);
    await explained(`${names.join("\n")}\nkube-system   pod/coredns-5d78c9869d-x8k2p   1/1   Running   0   3d\n`, async (page) => {
      await until(page, () => document.querySelectorAll("#explain-unknown li").length === 600);
      const link = await copied(page, "share");
      assert.ok(link.length <= 8000 && link.length > 7900, `${link.length}`);
      assert.ok(link.endsWith(";kube-system/Deployment/coredns"));
    });
  });
});

describe("the page", () => {
  test("sends nothing anywhere, and cannot", async () => {
    await open("/explain/", async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await paste(page, EXAMPLE);
      await page.click(".explain-source > summary");
      await page.selectOption(".explain select", "eks");
      await until(page, () => /as selected/.test(document.querySelector(".explain-status").textContent));
      const scripts = asked.map((url) => new URL(url).pathname).filter((path) => !/\.(svg|woff2)$/.test(path));
      assert.deepEqual(scripts.map((path) => path.replace(/\.\w{10}\./, ".")).sort(), ["/docs/_assets/explain-engine.js", "/docs/explain/guide.en.js"]);
      await page.locator(".search > input").fill("coredns");
      await until(page, () => document.querySelector("#search-results a"));
      for (const url of asked) assert.ok(!/cart|9p2lr/.test(url), url);
    }, CLIPBOARD);
    await open("/explain/", async (page) => {
      const refused = await page.evaluate(async (elsewhere) => {
        const refused = [];
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective, originalPolicy }) => { if (originalPolicy.includes("connect-src 'none'")) refused.push(effectiveDirective); });
        await fetch(location.href).catch(() => {});
        navigator.sendBeacon(location.href, "x");
        for (const tag of ["img", "script"]) document.body.append(Object.assign(document.createElement(tag), { src: `${elsewhere}x` }));
        const form = Object.assign(document.createElement("form"), { action: location.href, method: "post" });
        document.body.append(form);
        form.requestSubmit();
        await new Promise((done) => setTimeout(done, 300));
        return [...new Set(refused)].sort();
      }, "https://elsewhere.example/");
      assert.deepEqual(refused, ["connect-src", "form-action", "img-src", "script-src-elem"]);
    }, { quiet: true });
  });

  test("is light until somebody uses it", async () => {
    await open("/explain/", async (page) => {
      assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /guide/.test(name)).length), 0);
    });
    const source = (await Promise.all(["result.js", "page.js"].map((name) => readFile(join(ROOT, "web/explain", name), "utf8")))).join("\n");
    const { code } = await minify(source, { compress: { passes: 3, ecma: 2022 }, mangle: { toplevel: true }, format: { ecma: 2022 } });
    const size = gzipSync(code, { level: 9 }).length;
    // Next commands and symptoms, and the component that an input without rows names, are part of it.
    assert.ok(size <= 7 * 1024, `${size} bytes`);
  });

  test("explains thousands of rows at once, and nothing jumps", async () => {
    const rows = (await fixture("gke-standard-1.29")).split("\n").filter((line) => /^(pod|daemonset|deployment)/.test(line));
    const text = Array.from({ length: 5000 }, (_, at) => rows[at % rows.length]).join("\n");
    await open("/explain/", async (page) => {
      await page.evaluate(() => { window.shifts = []; new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift" }); });
      await page.focus("#explain-input");
      await until(page, () => window.ksys?.guide);
      const first = await page.evaluate(async (text) => {
        const input = document.querySelector("#explain-input");
        const begin = performance.now();
        input.value = text;
        input.dispatchEvent(new InputEvent("input", { inputType: "insertText" }));
        while (!document.querySelector("#explain-results tbody")) await new Promise((next) => setTimeout(next));
        return performance.now() - begin;
      }, text);
      // A generous limit, because the machine may be busy.
      assert.ok(first < 20_000, `${first} ms`);
      const counts = await page.locator(`${LINES} button`).allTextContents();
      assert.equal(counts.reduce((sum, text) => sum + Number(text.match(/\d+/)), 0), 5000);
      assert.match(await status(page), /^5000 of 5000[^]*GKE Standard/);
      assert.deepEqual(await page.evaluate(() => window.shifts), []);
    });
  });

  test("says what it needs where there is no script", async () => {
    await open("/explain/", async (page) => {
      assert.match(await page.locator("main").innerText(), /requires JavaScript/);
      for (const selector of ["#explain-input", ".explain button", ".explain select", ".site-header .search"]) assert.equal(await page.locator(selector).first().isVisible(), false, selector);
    }, { javaScriptEnabled: false });
  });

  test("works from a disk, in both languages, with links to files", async () => {
    for (const lang of ["", "ja"]) {
      await open("/", async (page) => {
        await page.locator("#explain-input").fill(`${EXAMPLE}\npod/fluentbit-gke-x8k2p`);
        await answered(page);
        const links = await page.locator(".explain :is(#explain-results, .explain-status, section) a:not([target])").evaluateAll((links) => links.map(({ href }) => href));
        assert.ok(links.length > 3);
        for (const link of links) {
          assert.match(link, /^file:.*\/index\.html(#.*)?$/);
          await readFile(new URL(link));
        }
        await page.locator(".search > input").fill("coredns");
        await until(page, () => document.querySelector("#search-results a"));
      }, { url: pathToFileURL(join(SITE, lang, "explain/index.html")).href });
    }
  });

  test("and the search do not disturb each other", async () => {
    await open("/explain/", async (page) => {
      const search = async (query) => {
        await page.locator(".search > input").fill(query);
        await until(page, (query) => new URL(document.querySelector(".search-all a").href).searchParams.get("q") === query, query);
      };
      for (let turn = 0; turn < 2; turn++) {
        await search(`etcd${turn || ""}`);
        await page.locator("#explain-input").fill(`pod/coredns-5d78c9869d-x8k2p\n${turn ? "pod/kube-proxy-9p2lr" : ""}`);
        await until(page, (count) => document.querySelectorAll("#explain-results tr[data-component]").length === count, turn + 1);
      }
    });
  });

  test("explains anew when the facts have changed", async () => {
    await explained(EXAMPLE, async (page) => {
      await page.evaluate(() => {
        const root = document.querySelector("[data-explain]");
        ksys.guide.components.find(({ id }) => id === "coredns").name = "of yesterday";
        root.dataset.explain = root.dataset.explain.replace(/guide\.en\.js\?\w+/, "guide.en.js?0");
        document.dispatchEvent(new CustomEvent("ksys:update"));
      });
      await until(page, () => document.querySelector('tr[data-component="coredns"] a')?.textContent === "CoreDNS" && performance.getEntriesByName(new URL("guide.en.js?0", location.href).href).length);
    });
  });

  test("can be used with the keyboard alone, and the focus can be seen", async () => {
    await explained(EXAMPLE, async (page) => {
      await page.focus("#explain-input");
      const met = [];
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press("Tab");
        const { what, seen } = await page.evaluate(() => {
          const element = document.activeElement;
          const { outlineWidth, outlineStyle } = getComputedStyle(element.type === "file" ? element.parentElement : element);
          return { what: element.closest(".explain") && (element.dataset.do ?? element.hash ?? element.className ?? element.tagName) || element.type || element.tagName, seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
        });
        if (what === "BODY") break;
        assert.ok(seen, what);
        met.push(what);
      }
      for (const what of ["hidden", "example", "clear", "copy", "share", "explain-search"]) assert.ok(met.includes(what), `${what} in ${met}`);
    });
  });

  for (const lang of ["", "ja"]) {
    test(`has no barrier and is no wider than a phone${lang && ` (${lang})`}`, async () => {
      const axe = await readFile(AXE, "utf8");
      const text = `${await fixture("gke-2018-get")}\n${EXAMPLE}`;
      for (const colorScheme of ["light", "dark"]) {
        await explained(text, async (page) => {
          await page.evaluate(axe);
          for (const width of [320, 390, 768, 1440]) {
            await page.setViewportSize({ width, height: 844 });
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide at ${width}`);
            if (width !== 390 && width !== 1440) continue;
            const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`), [], `${colorScheme} ${width}`);
          }
          assert.equal(await page.locator("[style]").count(), 0);
        }, { lang, colorScheme });
      }
    });
  }

  test("speaks Japanese", async () => {
    await explained(EXAMPLE, async (page) => {
      assert.match(await status(page), /7個のオブジェクトのうち5個/);
      const words = await page.locator(".explain :is(h1, h2, button, label, .verdict, .explain-private, #explain-share, th[scope=col])").allTextContents();
      for (const word of words.filter((word) => word.trim())) assert.match(word, /[\u3040-\u30ff\u4e00-\u9fff]/, word);
      assert.match(await page.locator('tr[data-component="coredns"] td').first().textContent(), /です|ます|サーバー/);
    }, { lang: "ja" });
  });
});
