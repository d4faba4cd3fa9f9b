// The script that explains listings: agreement with the program (tests/it/explain.rs), robustness, and cost. The user interface is tested in
// explain-page.test.js.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "./bundle.js";
import { start } from "./browser.js";
import { numbers } from "./random.js";

const SITE = process.env.SITE_DIR;
if (!SITE) throw new Error("SITE_DIR must name a built site");
const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Every listing with the expected report of the program. */
const listings = [];
for (const folder of ["listings", "explain"]) {
  const names = (await readdir(join(FIXTURES, folder))).filter((name) => name.endsWith(".txt") && name !== "owners.txt").sort();
  for (const name of names) {
    const path = join(FIXTURES, folder, name);
    const [text, expected] = await Promise.all([path, path.replace(/\.txt$/, ".expected")].map((path) => readFile(path, "utf8")));
    listings.push({ name: `${folder}/${name}`, text, expected });
  }
}

let open, stop;
before(async () => ({ open, stop } = await start(SITE)));
after(() => stop?.());

/** Opens the page of a language and loads the script and the explain data. */
const ready = (use, path = "/explain/") => open(path, async (page) => {
  await page.evaluate(async () => {
    const { explain, engine, yaml } = document.querySelector("[data-explain]").dataset;
    for (const [src, is] of [[yaml, "yaml"], [engine, "explain"], [JSON.parse(explain).guide, "guide"]]) {
      if (window.ksys?.[is]) continue;
      await new Promise((resolve, reject) => document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject })));
    }
  });
  return use(page);
});

/** Returns the report of the script for each text, in the short format of tests/it/explain.rs. */
const outlines = (page, texts) => page.evaluate((texts) => texts.map((text) => {
  const { guess, rows, unknown, hidden, missing, idle, outdated, versions, cost, scale_down: scaleDown } = ksys.explain(text, null);
  const owned = ({ owner }) => {
    if (!owner) return "-";
    const { id } = ksys.guide.components[owner.component];
    return `${id}${owner.section && `#${owner.section}`} ${ksys.answer(owner, guess.provider).verdict ?? "-"} (${owner.object})`;
  };
  const sick = ({ health, symptom, command }) => {
    if (!health || health.healthy) return [];
    const { ready, desired, updated, restarts, status, last_restart, reason } = health;
    const numbers = [ready, desired, updated, restarts].map((number) => number ?? "-").join(" ");
    return [
      `  sick ${numbers}; ${[status, last_restart, reason].map((text) => text ?? "-").join("; ")}`,
      ...symptom ? [`  symptom ${symptom.symptom}`] : [],
      `  command ${command ?? "-"}`,
    ];
  };
  const amount = ({ cpu, memory }) => `${cpu} ${memory}`;
  const sum = (sum) => `${sum.pods} pods ${amount(sum.requests)} limits ${amount(sum.limits)} without ${sum.without_requests} ${sum.without_limits}`;
  return [
    `provider ${guess.provider ?? "-"}; names ${guess.names.join(" ")}; marks ${guess.marks.join(" ")}; others ${guess.others.join(" ")}`,
    ...rows.flatMap((row) => [`${row.line} ${row.namespace ?? "-"} ${row.kind ?? "-"} ${row.name} = ${owned(row)}`, ...sick(row)]),
    ...unknown.map((name) => `unknown ${name}`),
    ...hidden.length ? [`hidden ${hidden.join(" ")}`] : [],
    ...missing.map(({ role, components }) => `missing ${role ?? "-"}: ${components.join(" ")}`),
    ...idle.map(({ line, selector }) => `idle ${line} ${selector || "-"}`),
    ...versions.flatMap(({ component, version, oldest, end, shipped }) => [
      `version ${component} ${version} ${oldest ?? "-"} ${end ?? "-"}`,
      ...shipped.map((of) => `  in ${of.release}: ${of.version} ${of.kind}`),
    ]),
    ...cost ? [
      `cost system ${sum(cost.system)}`,
      `cost own ${sum(cost.own)}; of ${cost.allocatable ? amount(cost.allocatable) : "-"}`,
      ...cost.components.map((one) => `cost of ${one.component ?? "-"}: ${sum(one)}${one.per_node ? " per node" : ""}`),
      ...cost.nodes.map(({ node, allocatable, system, own }) => `cost on ${node}: ${amount(system)} own ${amount(own)} of ${allocatable ? amount(allocatable) : "-"}`),
    ] : [],
    ...scaleDown ? [
      ...scaleDown.nodes.flatMap(({ node, disabled, blockers }) => [
        `node ${node}${disabled ? " disabled" : ""}`,
        ...blockers.map(({ namespace, name, reason, volumes }) => `  kept by ${namespace ?? "-"}/${name}: ${reason} ${volumes}`),
      ]),
      `budgets ${scaleDown.has_budgets}; tolerate all ${scaleDown.tolerate_all.join(" ")}`,
      ...scaleDown.priorities.map((one) => `priority ${one.class}: ${one.components.join(" ")}`),
    ] : [],
    ...outdated.map(({ component, state, replaced_by }) => `outdated ${component} ${state} -> ${replaced_by.join(" ")}`),
  ].map((line) => `${line}\n`).join("");
}), texts);

test("the script is made of its sources", async () => {
  for (const script of ["explain.js", "explain-engine.js", "yaml.js"]) {
    const made = await readFile(join(import.meta.dirname, "../../static", script), "utf8");
    assert.equal(made, await bundle(script), "run `npm --prefix tests/browser run scripts`");
  }
});

test("the script says of every listing what the program says", async () => {
  assert.ok(listings.length > 25, `${listings.length}`);
  for (const path of ["/explain/", "/ja/explain/"]) {
    const found = await ready((page) => outlines(page, listings.map(({ text }) => text)), path);
    // The symptom is the same, in the language of the page.
    const plain = (text) => (path === "/explain/" ? text : text.replace(/^  symptom .*$/gm, "  symptom"));
    listings.forEach(({ name, expected }, at) => assert.equal(plain(found[at]), plain(expected), `${path}: ${name}`));
  }
});

test("who says where a listing was printed is believed", async () => {
  const { text } = listings.find(({ name }) => name === "listings/gke-2018-get.txt");
  await ready(async (page) => {
    const [asked, nowhere, guessed] = await page.evaluate((text) => ["kubeadm", "nobody", null].map((provider) => ksys.explain(text, provider)), text);
    assert.deepEqual(asked.guess, { provider: "kubeadm", asked: true, names: [], marks: [], others: [] });
    assert.notDeepEqual(asked.hidden, guessed.hidden);
    assert.deepEqual([nowhere.guess.provider, nowhere.hidden, nowhere.missing], ["nobody", [], []]);
    assert.equal(guessed.guess.provider, "gke-standard");
  });
});

test("what happens to an object that is deleted depends on its kind, on the section and on the provider", async () => {
  await ready(async (page) => {
    const verdicts = await page.evaluate(() => {
      const names = ["deployment.apps/coredns", "pod/coredns-5d78c9869d-x8k2p", "service/kube-dns", "customresourcedefinition.apiextensions.k8s.io/ippools.crd.projectcalico.org"];
      const [coredns, pod, service, definition] = ksys.explain(names.join("\n"), null).rows.map(({ owner }) => owner);
      return [[coredns, null], [coredns, "aks"], [pod, null], [service, null], [definition, null]].map(([owner, provider]) => ksys.answer(owner, provider).verdict);
    });
    assert.deepEqual(verdicts, ["breaks-feature", "comes-back", "comes-back", "never", undefined]);
  });
});

describe("whatever is pasted", () => {
  const ODD = [
    "\x1b[1;32m", "\x1b", "\x9b", "\x1b]", "\x1b]8;;x\x1b\\", "\ufeff", "\u00a0", "\u3000", "\r", "\b", "…", "...", "`", "|", "#", "- ", "\t", "{", "}", "[", '"',
    "\\", ":", "=", "/", "-", "\n", "\ud800", "😀", "é", "\u212a", "\0", "---", "```", "items:", "apiVersion: v1", "metadata:", "  name: x-y", "Name:  x-y",
    "$ kubectl get pods -n x \\", '{"kind":"Pod","metadata":{"name":"x-y"}}', "constructor/x", "__proto__", "pod/constructor", "kind: __proto__",
    "toString 1/1 Running 0 1d", "**", "├─", "└─Pod/", "==> v1/Pod(related)", "==> ", "NAMESPACE: x-y", 'pod "x-y" deleted', '" created', "✗ kubectl get ds -n x", "&& ", "; ", "## x",
    "kubectl get pods -n x", "helm ls", "Allocated resources:", "service.serving.knative.dev/x-y", "<br>", "&nbsp;", "<td>", "CONTAINER ID  IMAGE", "IMAGE  TAG", "x-xxxxx", "x-<hash>",
    "registry.k8s.io/x/y:1", "k8s_x_x-y_x-z_0_0", "0a1b2c3d4e5f6 x 2 hours ago Running x-y 0", "│ ", "/registry/pods/x-y/x-z", "x-y/x-7d4b9c8f6d-x2k9p",
  ];

  /** Returns listings with lines of other listings, cuts and unusual characters. */
  function texts(count, seed) {
    const random = numbers(seed), pick = (all) => all[random(all.length)];
    const lines = listings.flatMap(({ text }) => text.split("\n"));
    const spoiled = (line) => {
      const at = random(line.length + 1), before = line.slice(0, at), behind = line.slice(at);
      return [before, behind, before + pick(ODD) + behind, before + behind.slice(1 + random(3)), pick(ODD) + line][random(5)];
    };
    return Array.from({ length: count }, () => {
      if (random(4) === 0) {
        const { text } = pick(listings), from = random(text.length);
        return text.slice(from, from + random(text.length));
      }
      return Array.from({ length: random(30) }, () => random(3) ? pick(lines) : spoiled(pick(lines))).join("\n");
    });
  }

  test("is understood as far as it goes", async () => {
    await ready(async (page) => {
      const wrong = await page.evaluate((texts) => texts.flatMap((text) => {
        const problems = [];
        const must = (holds, what) => { if (!holds) problems.push(`${what}: ${JSON.stringify(text)}`); };
        try {
          const report = ksys.explain(text, null), { rows, unknown } = report;
          const last = text.split("\n").length;
          rows.forEach(({ line, text, namespace, kind, name, owner }, at) => {
            must(line >= (rows[at - 1]?.line ?? 1) && line <= last, `line ${line}`);
            // Names outside of listings, such as labels and paths, have slashes.
            const isKnown = /^(Alert|Metric|Label|Annotation|Taint|Finalizer|Resource|Unit|Path|Variable|User|Group|APIGroup|LogSource|EventReason)$/.test(kind);
            const isName = kind === "Image" ? /^[a-z0-9][a-z0-9./_-]*$/ : isKnown ? /^[\w./:-]+$/ : /^[a-z0-9][a-zA-Z0-9.:_-]*$/;
            // A message is compared by its words.
            const words = (text) => text.toLowerCase().match(/\w+/g) ?? [];
            if (kind === "Message") must(words(name).every((word) => words(text).includes(word)), `message ${name}`);
            else must(isName.test(name) && text.replaceAll("**", "").includes(name), `name ${name}`);
            must([namespace, kind].every((word) => word === null || typeof word === "string"), `${namespace} ${kind}`);
            must(!owner || (ksys.guide.components[owner.component] && name.length >= owner.object.length), `owner of ${name}`);
          });
          must(unknown.join() === [...new Set(rows.filter(({ owner }) => !owner).map(({ name }) => name))].join(), "unknown");
          must(JSON.stringify(report) === JSON.stringify(ksys.explain(text, null)), "again");
          must(JSON.stringify(ksys.explain(text, "kind").rows.map(({ name }) => name)) === JSON.stringify(rows.map(({ name }) => name)), "asked");
        } catch (error) {
          problems.push(`${error.stack}: ${JSON.stringify(text)}`);
        }
        return problems;
      }), texts(800, 20261121));
      assert.deepEqual(wrong, []);
    });
  });

  test("is understood in no time", async () => {
    const long = 200_000;
    const hostile = {
      "one word": "a".repeat(long), "one name": `pod/${"a-".repeat(long)}`, braces: "{\n".repeat(100_000), brackets: "[".repeat(long),
      keys: "apiVersion:\n".repeat(50_000), titles: "NAME ".repeat(50_000), commands: "$ kubectl get pods \\\n".repeat(50_000), "broken objects": "$ a\n{\n".repeat(20_000),
      "broken objects in a list": "- kubectl get pods\n{\n- kubectl get pods\napiVersion:\n".repeat(5_000),
      quotes: `{"${"\\".repeat(long)}`,
      escapes: "\x1b]".repeat(long), "other escapes": "\x9b0".repeat(long), back: "ab\b".repeat(long), returns: "\r".repeat(long), prompts: "@$".repeat(long),
      "quoted names": `kubectl get pods -n a${"'".repeat(long)}b`, paths: `${"a/".repeat(long)} kubectl get pods`,
      "joined commands": "kubectl a && kubectl b ; ".repeat(20_000), "commands behind others": `${"a; ".repeat(long)}kubectl get pods`,
      "commands of others": `helm ls${" a".repeat(long)}`, "what was done": `pod "${"a".repeat(long)}" created${" from".repeat(long)}`, kinds: `==> ${"a/(".repeat(long)}`,
      "rows of a tree": "NAMESPACE NAME READY\n" + `a ${"│ ".repeat(1_000)}└─Pod/b True\n`.repeat(100), spaces: `a${" ".repeat(long)}b`,
      "long names": Array.from({ length: 5_000 }, (_, at) => `pod/etcd-${"a-".repeat(120)}${at}\n`).join(""),
      "masked names": Array.from({ length: 2_000 }, (_, at) => `pod/x${"-xxx".repeat(60)}-${at}\n`).join(""), tags: "<b".repeat(long), breaks: "a<br>".repeat(20_000),
      "names in text": "kube-system/coredns-5d78c9869d-x8k2p ".repeat(5_000), bars: "|".repeat(long), references: "&nbsp".repeat(long), "a path": `/registry/${"a/".repeat(long)}`,
      "cut names": Array.from({ length: 5_000 }, (_, at) => `kube-${at}…\n`).join(""),
    };
    await ready(async (page) => {
      const slow = await page.evaluate((hostile) => Object.entries(hostile).flatMap(([name, text]) => {
        const before = performance.now();
        ksys.explain(text, null);
        const took = performance.now() - before;
        // The limit detects quadratic time. The slowest input took 2 s on a busy machine.
        return took > 20_000 ? [`${name}: ${took} ms`] : [];
      }), hostile);
      assert.deepEqual(slow, []);
    });
  });

  test("may have 5,000 rows", async () => {
    const random = numbers(5), letters = "bcdfghjklmnpqrstvwxz2456789";
    const word = (length) => Array.from({ length }, () => letters[random(letters.length)]).join("");
    const source = listings.flatMap(({ text }) => text.split("\n")).filter((line) => /^\S+ +pod\/\S+-\w{5} /.test(line));
    assert.ok(source.length > 20, `${source.length}`);
    const rows = Array.from({ length: 5_000 }, (_, at) => at % 2
      ? source[at % source.length].replace(/-\w{5} /, `-${word(5)} `)
      : `shop   web-${word(9)}-${word(5)}   1/1   Running   0   3d`);
    await ready(async (page) => {
      const [count, took] = await page.evaluate((text) => {
        const before = performance.now();
        return [ksys.explain(text, null).rows.length, performance.now() - before];
      }, rows.join("\n"));
      assert.equal(count, 5_000);
      assert.ok(took < 10_000, `${took} ms`);
    });
  });
});

test("the part of the script that understands has at most 25 KB", async () => {
  const size = gzipSync(await bundle("explain-engine.js", ["sections.js", "result.js"]), { level: 9 }).length;
  // It reads tables of kubectl, of container runtimes and of wikis, whole objects, and names and messages in logs.
  assert.ok(size > 4_000 && size <= 25_000, `${size} bytes`);
});
