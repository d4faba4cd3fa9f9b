// Checks that the program and the scripts return the same results for random inputs: mutated listings for `explain`, random texts for the search tokenizer.
// The scripts run in Node.js, without a page; the program is examples/reference.rs. `AGREEMENT_SEED=7 AGREEMENT_CASES=20000` sets another seed and the
// number of inputs.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";
import { SCRIPTS } from "./bundle.js";
import { numbers } from "./random.js";

const { SITE_DIR: SITE, REFERENCE: PROGRAM } = process.env;
if (!SITE) throw new Error("SITE_DIR must name a built site");
if (!PROGRAM) throw new Error("REFERENCE must name the program of examples/reference.rs");
const SEED = Number(process.env.AGREEMENT_SEED ?? 20261122);
const CASES = Number(process.env.AGREEMENT_CASES ?? 1_500);
const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "tests/fixtures");

/** Runs the files of a script that do not need a page. */
async function load(script, names) {
  for (const name of SCRIPTS[script][1].filter((name) => names.includes(name))) {
    const filename = join(ROOT, SCRIPTS[script][0], name);
    runInThisContext(await readFile(filename, "utf8"), { filename });
  }
}

let program, lines;
before(async () => {
  globalThis.window = globalThis;
  await load("explain-engine.js", ["objects.js", "columns.js", "manifests.js", "lines.js", "runtimes.js", "mentions.js", "known-messages.js", "known-names.js", "kubectl.js", "patterns.js", "findings.js", "report.js"]);
  const { load: loadYaml, CORE_SCHEMA } = await import("js-yaml");
  globalThis.jsyaml = { load: loadYaml, CORE_SCHEMA };
  await load("yaml.js", ["web/explain/yaml.js"]);
  await load("search.js", ["words.js"]);
  runInThisContext(await readFile(join(SITE, "explain/guide.en.js"), "utf8"));
  program = spawn(PROGRAM, { stdio: ["pipe", "pipe", "inherit"] });
  lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
});
after(() => program?.stdin.end());

/** Returns the output of the program for each input. */
async function answers(inputs) {
  program.stdin.write(inputs.map((input) => `${JSON.stringify(input)}\n`).join(""));
  const found = [];
  while (found.length < inputs.length) {
    const { value, done } = await lines.next();
    assert.ok(!done, "the program has ended");
    found.push(JSON.parse(value));
  }
  return found;
}

/** Truncates a line with several rows as the program does, to at most 200 bytes. The page does not show such lines, so the script does not truncate them. */
function beginning(line) {
  const bytes = Buffer.from(line);
  let end = 200;
  if (bytes.length <= end) return line;
  while ((bytes[end] & 0xc0) === 0x80) end--;
  return `${bytes.subarray(0, end)}…`;
}

/** Returns the verdicts for the object of a row. */
function answer(owner, provider) {
  const { verdict = null, restart = null, removal = null } = owner ? ksys.answer(owner, provider) : {};
  return { verdict, restart, removal };
}

/** Returns the report of the script for a listing, in the format of the program. URLs are reduced to their fragment. */
function explained(pasted) {
  const { rows, ...report } = ksys.explain(pasted, null, new Date().toLocaleDateString("sv"));
  const inLine = (line) => rows.filter((row) => row.line === line).length;
  return {
    provider: report.guess.provider,
    rows: rows.map(({ owner, cut, object, ...row }) => ({
      ...row,
      ...answer(owner, report.guess.provider),
      text: inLine(row.line) > 1 ? beginning(row.text) : row.text,
      component: owner && ksys.guide.components[owner.component].id,
      section: owner?.section || null,
      object: owner?.object ?? null,
      is_copy: !!owner?.copy,
      what: owner?.what || null,
    })),
    ...report,
    guess: { ...report.guess, provider: undefined },
  };
}
const ofProgram = ({ schema_version, objects, rows, ...report }) => ({
  ...report,
  rows: rows.map(({ url, ...row }, at) => ({ ...row, section: url?.split("#")[1] ?? null, object: objects[at] })),
});

const terms = (text) => ({ key: ksys.words.key(text), terms: ksys.words.terms(text) });

/** Serializes a value with sorted keys, so that the order of keys does not matter. */
const canonical = (value) => JSON.stringify(value, (_, of) => of && typeof of === "object" && !Array.isArray(of)
  ? Object.fromEntries(Object.entries(of).sort(([a], [b]) => a < b ? -1 : 1)) : of);

/** Returns the result of a script, or its error. */
function own(answer, text) {
  try {
    return canonical(answer(text));
  } catch (error) {
    return String(error.stack);
  }
}

/** Returns the texts with different results: `{text, script, program}`. */
async function disagreements(kind, texts) {
  const { script, program, input } = kind;
  const of = await answers(texts.map(input));
  return texts.flatMap((text, at) => {
    const [mine, yours] = [own(script, text), canonical(program(of[at]))];
    return mine === yours ? [] : [{ text, script: mine, program: yours }];
  });
}

/** Shrinks the text of a difference by removing lines, then words, then characters. */
async function smallest(kind, found) {
  for (const pieces of [/(?<=\n)/, /(?<=\s)(?=\S)/, /(?:)/u]) {
    for (let size = 64; size >= 1; size = size >> 1) {
      for (let again = true; again;) {
        const all = found.text.split(pieces);
        if (pieces.unicode && all.length > 300) break;
        const shorter = all.map((_, at) => all.toSpliced(at, size).join("")).filter((_, at) => at % size === 0);
        const left = (await disagreements(kind, shorter)).sort((a, b) => a.text.length - b.text.length);
        again = left.length > 0 && left[0].text.length < found.text.length;
        if (again) [found] = left;
      }
    }
  }
  return found;
}

/** Fails if the results differ for any text, with the smallest case. */
async function agree(kind, texts) {
  const wrong = (await disagreements(kind, texts)).sort((a, b) => a.text.length - b.text.length);
  if (!wrong.length) return;
  const { text, script, program } = await smallest(kind, wrong[0]);
  assert.fail(`${wrong.length} of ${texts.length} answers differ; the smallest is ${JSON.stringify(text)}\nscript:  ${script}\nprogram: ${program}`);
}

/** Every listing of the fixtures. */
const listings = [];
for (const folder of ["listings", "explain"]) {
  for (const name of (await readdir(join(FIXTURES, folder))).sort()) {
    if (name.endsWith(".txt") && name !== "owners.txt") listings.push(await readFile(join(FIXTURES, folder, name), "utf8"));
  }
}

/** Lines that occur between the rows of a listing. */
const INSERTED = [
  "$ kubectl get pods -n kube-system", "$ kubectl get all -A | grep dns", "kubectl get nodes -o wide", "kubectl -n web get deploy,ds", "k get po -n x -l a=b", "helm ls -A",
  "PS C:\\> kubectl.exe get svc", "user@host:~$ sudo k3s kubectl get po -n=\"a-b\"", "$ kubectl get pods \\", "  -n kube-system", "kubectl get ns && kubectl get ds -n prod",
  "# and these are the rest", "// pods", "> a quotation", "- kube-proxy-x8k2p", "1. coredns-5d78c9869d-x8k2p", "・etcd-node1", "## Output", "### kube-system", "...", "…",
  "[...]", "", " ", "\t", "```", "```console", "~~~", "---", "==> v1/Pod(related)", "NAMESPACE: web", "NAME: web", "Allocated resources:", "No resources found", "{", "}", "]", "[",
  "NAME READY STATUS RESTARTS AGE", "NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES", "NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE",
  "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE", "| NAME | READY | STATUS |", "| --- | --- | --- |", "| coredns-5d78c9869d-x8k2p | 1/1 | Running |",
  "LAST SEEN TYPE REASON OBJECT MESSAGE", "10m Normal Pulled pod/coredns-5d78c9869d-x8k2p Successfully pulled image", "NAMESPACE POD NAME CPU(cores) MEMORY(bytes)",
  "Name:         kube-proxy-x8k2p", "Namespace:    kube-system", "Node:         a/10.0.0.1", "QoS Class:    Burstable", "Controlled By:  ReplicaSet/x",
  "apiVersion: v1", "kind: Pod", "metadata:", "  name: etcd-node1", "  namespace: kube-system", "items:", "- apiVersion: apps/v1", "  kind: DaemonSet", "  metadata:", "    name: kube-proxy",
  '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "kube-dns", "namespace": "kube-system"}}', '{"kind": "List", "items": [', '"metadata": {', '"name": "etcd",', "}}]}",
  "pod/coredns-5d78c9869d-x8k2p", "deployment.apps/coredns", "service.serving.knative.dev/coredns", "customresourcedefinition.apiextensions.k8s.io/ippools.crd.projectcalico.org",
  'deployment "coredns" created', 'pod "web-0" deleted from prod namespace', "deployment.apps/coredns configured", "daemonset.apps/kube-proxy-windows 0 0 0 0 0 kubernetes.io/os=windows 3d",
  "kube-flannel-ds-arm64", "endpointslice.discovery.k8s.io/kube-dns-x8k2p", "secret/coredns-token-x8k2p", "poddisruptionbudget.policy/coredns", "controllerrevision.apps/kube-proxy-7d9c8b6f5",
  "これは説明です。", "kube-system に coredns があります", "É kube-proxy", "pod/ｅｔｃｄ", "😀 etcd", "the etcd of node1 is etcd-node1", "error: the server doesn't have a resource type",
  "Warning: v1 Endpoints is deprecated", "a".repeat(300), `pod/${"a-".repeat(130)}x8k2p`, "12", "3d", "0/1", "<none>", "True", "12345678901234567890", "default default", "kube-system etcd",
  "CONTAINER ID        IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID", "IMAGE   TAG   IMAGE ID   SIZE", "REPOSITORY   TAG   IMAGE ID   CREATED   SIZE",
  "USER   PID %CPU %MEM    VSZ   RSS TTY   STAT START   TIME COMMAND", "root   812  1.5  2.0 741000 40100 ?   Ssl  10:20   1:02 /usr/local/bin/kube-proxy --v=2",
  "3f0c2a1b4d5e6   9f1a2b3c4d5e6   2 hours ago   Running   coredns   0   a1b2c3d4e5f60   coredns-5d78c9869d-x8k2p   kube-system", "7a8b9c0d1e2f3   registry.k8s.io/kube-proxy:v1   2 hours ago   Exited   kube-proxy   0",
  "a1b2c3d4e5f60   2 hours ago   NotReady   coredns-5d78c9869d-x8k2p   kube-system   0", '0a1b2c3d4e5f   8d14   "/coredns"   2 hours ago   Up 2 hours   k8s_coredns_coredns-5d78c9869d-x8k2p_kube-system_4f1e2d3c_0',
  "registry.k8s.io/coredns/coredns:v1.11.1", "registry.k8s.io/coredns/coredns   v1.11.1   cbb01a7bd410d   18.2MB", "evicting pod kube-system/coredns-5d78c9869d-x8k2p", 'error when evicting pods/"coredns-5d78c9869d-x8k2p" -n "kube-system"',
  'E1128 10:20:31.1 812 pod_workers.go:190] Error syncing pod 4f1e ("kube-proxy-7f6q9_kube-system(4f1e)")', "/registry/pods/kube-system/etcd-node-1", "/registry/services/specs/kube-system/kube-dns", "coredns-5d78c9869d-x8k2p etcd-node-1",
  "GET /api/v1/namespaces/kube-system/pods/kube-proxy-7f6q9/log", "kube-system/deployment/coredns", "coredns-xxxxx   1/1   Running   0   3d", "pod/coredns-5d78c9869d-XXXXX", "pod/kube-proxy-<hash>", "kube-proxy-*   1/1   Running   0   3d",
  "| Namespace | Pod name | Status |", "| kube-system | kube-proxy-7f6q9 | Running |", "│ # │ NAMESPACE │ NAME │ READY │", "│ 0 │ kube-system │ coredns-5d78c9869d-x8k2p │ 1/1 │", "name   ready   status", "POD NAME   READY   STATUS",
  "DEPLOYMENT   READY   AGE", "NAME   READY   STATUS   RESTARTS   AGE   NAMESPACE", "coredns-5d78c9869d-x8k2p   1/1   Running   3 (5d ago)   20d   kube-system   # broken", "12: kube-system   etcd-node-1   1/1   Running   0   3d",
  "<tr><td>kube-system</td><td>etcd-node-1</td><td>1/1</td><td>Running</td></tr>", "kube-proxy-7f6q9 1/1 Running 0 3d<br>etcd-node-1 1/1 Running 0 3d<br>", "etcd-node-1&nbsp;1/1&nbsp;Running&nbsp;0&nbsp;3d",
  "NAME NAMESPACE REVISION UPDATED STATUS CHART APP VERSION", "coredns kube-system 3 2026-01-31 10:20:30.1 +0000 UTC deployed coredns-1.29.0 1.11.1", "system:coredns   ClusterRole/system:coredns   20d", "kube-system   coredns   Role/coredns   20d",
  "clusterrole.rbac.authorization.k8s.io/system:coredns   2026-01-01T10:00:00Z", "serviceaccount/metrics-server   0   20d", "kube-system   kube-scheduler   node-1_0a1b2c3d-0660-11e8-a2d7-02e2502c086a   20d", "coredns-x8k2p   3m   20Mi",
  "v1beta1.metrics.k8s.io   kube-system/metrics-server   True   20d", "local-path (default)   rancher.io/local-path   Delete   WaitForFirstConsumer   false   20d", "monitor   blue-kube-state-metrics-5d78c9869d-x8k2p   1/1   Running   0   20d",
  "kube-system   gke-a-web-0a1b2c3d-x8k2   1/1   Running   0   3d", "> > etcd-node-1   1/1   Running   0   3d",
];
/** Replacements for characters and words. */
const ODD = [
  "\x1b[1;32m", "\x1b[0m", "\x1b", "\x9b", "\x1b]8;;x\x1b\\", "\ufeff", "\u00a0", "\u3000", "\u200b", "\u2028", "\u0085", "\v", "\f", "\r", "\b", "…", "...", "`", "|", "#", "- ", "* ", "\t", "  ",
  "{", "}", "[", '"', "'", "“", "\\", ":", "=", "/", ".", "-", "_", ",", "**", "├─", "└─", "│ ", "</span>", "<b>", "é", "\u0130", "\u212a", "Σ", "ß", "😀", "あ", "0", "a", "Z", "$", "%", ">", "&&", "||", ";",
  "--", "@", "(", ")", "<br>", "<td>", "&nbsp;", "&lt;", "<hash>", "xxxxx", "*", "┃", "║", "├", "# ", " # ", "<-- ", "k8s_", "//",
];
const KINDS = ["Pod", "po", "pods", "Service", "svc", "deploy", "DAEMONSET", "ds", "statefulset", "sts", "job.batch", "cronjob.batch", "nodes", "No", "ns", "crd", "sa", "lease", "route", "widget", "event"];
const LETTERS = "bcdfghjklmnpqrstvwxz2456789", DIGITS = "0123456789", WORD = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Returns mutated listings. */
function mutated(count, seed) {
  const random = numbers(seed), pick = (all) => all[random(all.length)];
  const word = (length, letters = LETTERS) => Array.from({ length }, () => letters[random(letters.length)]).join("");
  const sources = listings.map((text) => text.split("\n")), everything = sources.flat();
  const { components, providers, derived } = ksys.guide;
  const patterns = components.flatMap(({ listing }) => listing);
  const filled = {
    version: () => pick(["0.5.2", "1.33.0-gke.1", "20", "v1", "1..2"]), number: () => String(random(1000)), hash: () => word(5 + random(6), WORD), random: () => word(5),
    word: () => word(1 + random(8), WORD), node: () => pick(["node-1", "ip-10-0-0-1.ec2.internal", `gke-a-${word(8, WORD)}-${word(4, WORD)}`, "i-0ad86f23f13499914"]),
    template: () => word(6 + random(5), pick([LETTERS, DIGITS])), n: () => String(random(12)),
  };
  /** Returns a row that fits a pattern, in one of the formats of kubectl. */
  const rowOf = ([kind, name, namespace]) => {
    const [of, appended] = pick(derived[kind] ?? [[kind, []]]);
    const full = [name, ...appended.map((part) => `{${part}}`)].join("-").replace(/\{(.*?)\}/g, (_, part) => filled[part]()), where = namespace || pick(["kube-system", "default", "web"]);
    const cells = { Pod: "1/1   Running   0   3d", Deployment: "1/1   1   1   3d", DaemonSet: `${random(2)}   1   1   1   1   a=b   3d`, Service: "ClusterIP   10.0.0.1   <none>   443/TCP   3d" }[of] ?? "3d";
    return pick([`${of.toLowerCase()}/${full}`, `${where}   ${of.toLowerCase()}/${full}   ${cells}`, `${where}   ${full}   ${cells}`, `${full}   ${cells}`, full, `${where}   ${full}`]);
  };
  /** Returns a listing with objects of one provider, or of any. */
  const made = () => {
    const provider = random(4) ? random(providers.length) : undefined, here = patterns.filter(([, , , , of]) => provider === undefined || of.includes(provider) || (!of.length && !random(8)));
    const header = pick(["", "NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE", "NAME   READY   STATUS   RESTARTS   AGE", "$ kubectl get all -n kube-system", "$ kubectl get pods -A"]);
    return [header, ...Array.from({ length: 1 + random(40) }, () => rowOf(pick(here.length ? here : patterns)))];
  };
  const inLine = [
    // Column widths.
    (line) => line.replace(/ {2,}/g, () => " ".repeat(1 + random(6))),
    (line) => line.replace(/ {2,}/g, () => "\t"),
    // Another hash, another random suffix, another number.
    (line) => line.replace(/-[a-z0-9]{5}(?= |$)/, () => `-${word(5, pick([LETTERS, DIGITS, WORD]))}`),
    (line) => line.replace(/-[a-z0-9]{6,10}-(?=[a-z0-9]{5}\b)/, () => `-${word(5 + random(7), pick([LETTERS, DIGITS, WORD]))}-`),
    (line) => line.replace(/\d+/, () => String(random(3) ? random(100) : random(2 ** 31))),
    (line) => line.replace(/\b[A-Z]/, (letter) => letter.toLowerCase()),
    (line) => line.replace(/-\w+/, ""),
    (line) => line.replace(/\S+/, (name) => `${name}-${pick(["windows", "amd64", "linux-arm64", "0", "1", word(5), "token-x8k2p", "v1.2.3"])}`),
    (line) => line.replace(/^[a-z]+\.?[a-z0-9.]*(?=\/)/, () => pick(KINDS)),
    (line) => `${pick(KINDS)}/${line}`,
    // Another namespace, or an added one.
    (line) => line.replace(/^\S+(?= +\S+\/)/, () => pick(["kube-system", "default", "web", "team-a", "gmp-system", "Web", "<none>"])),
    (line) => `${pick(["kube-system", "default", "web", "team-a", "kube-system/"])}   ${line}`,
    // Removed, reordered or inserted columns.
    (line) => line.split(/\s+/).toSpliced(random(6), 1).join("  "),
    (line) => line.split(/\s+/).slice(0, 1 + random(5)).join("  "),
    (line) => line.split(/\s+/).reverse().join("  "),
    (line) => line.split(/\s+/).flatMap((cell) => random(5) ? [cell] : [cell, pick(["1/1", "Running", "<none>", "3d", "0", "ClusterIP", "Ready", "True", "kube-proxy"])]).join("  "),
    // Markdown syntax.
    (line) => `| ${line.trim().split(/\s+/).join(" | ")} |`,
    (line) => line.replace(/\S+/, (cell) => `${pick(["`", "**", '"', "[", "("])}${cell}${pick(["`", "**", '"', "]", ")", "…", ":"])}`),
    (line) => pick(["# ", "#", "// ", "> ", "- ", "* ", "1. ", "## ", "    ", "$ ", "• "]) + line,
    (line) => line.slice(0, random(line.length + 1)),
    (line) => line.slice(random(line.length + 1)),
    (line) => line.replace(/(?<=\S{4}).*/, () => pick(["…", "...", "-", ""])),
    (line) => {
      const at = random(line.length + 1);
      return line.slice(0, at) + pick(ODD) + line.slice(at + random(2));
    },
    (line) => line.toUpperCase(),
    (line) => `${line} \\`,
    (line) => `${line}\r`,
    (line) => line + line,
    (line) => line.replace(/\S+/, (name) => name.padEnd(50 + random(30), `-${word(9)}`)),
  ];
  const inLines = [
    (lines) => lines.toSpliced(random(lines.length + 1), 1 + random(4)),
    (lines) => lines.toSpliced(random(lines.length + 1), 0, pick(lines) ?? ""),
    (lines) => lines.toSpliced(random(lines.length + 1), 0, pick(INSERTED)),
    (lines) => lines.toSpliced(random(lines.length + 1), 0, pick(INSERTED), pick(INSERTED), pick(INSERTED)),
    (lines) => lines.toSpliced(random(lines.length + 1), 0, ...Array.from({ length: random(4) }, () => pick(everything))),
    (lines) => {
      const other = pick(sources), from = random(other.length);
      return lines.toSpliced(random(lines.length + 1), 0, ...other.slice(from, from + random(12)));
    },
    (lines) => {
      const [a, b] = [random(lines.length || 1), random(lines.length || 1)];
      return lines.map((line, at) => lines[at === a ? b : at === b ? a : at] ?? line);
    },
    (lines) => lines.toSpliced(random(lines.length + 1), 0, rowOf(pick(patterns)), rowOf(pick(patterns))),
    (lines) => lines.slice(random(lines.length + 1)),
    (lines) => lines.slice(0, random(lines.length + 1)),
    // Without headers, without commands.
    (lines) => lines.filter((line) => !/^(NAME|NAMESPACE|LAST)\b/.test(line)),
    (lines) => lines.filter((line) => !/^[$#>]|kubectl/.test(line)),
    (lines) => ["```", ...lines, "```"],
    (lines) => lines.map((line) => `${pick(["# ", "> "])}${line}`),
    (lines) => lines.map((line) => line.replace(/kube-system/g, "system")),
    (lines) => {
      const [a, mutate] = [random(lines.length || 1), pick(inLine)];
      return lines.map((line, at) => at === a ? mutate(line) : line);
    },
    (lines) => {
      const mutate = pick(inLine);
      return lines.map((line) => random(3) ? line : mutate(line));
    },
  ];
  return Array.from({ length: count }, () => {
    const source = random(3) ? pick(sources) : made(), from = random(4) ? 0 : random(source.length);
    let lines = source.slice(from, random(3) ? from + 1 + random(40) : undefined);
    for (let times = 1 + random(6); times > 0; times--) lines = pick(inLines)(lines);
    // A lone surrogate cannot be encoded in UTF-8.
    return lines.join(random(8) ? "\n" : "\r\n").toWellFormed();
  });
}

/** Returns texts and queries with pieces of every writing system. */
function texts(count, seed) {
  const random = numbers(seed), pick = (all) => all[random(all.length)];
  const ranges = [
    [0x20, 0x7e], [0x20, 0x7e], [0x61, 0x7a], [0x30, 0x39], [0x41, 0x5a], [0xa0, 0x17f], [0x180, 0x24f], [0x300, 0x36f], [0x370, 0x3ff], [0x400, 0x4ff], [0x530, 0x58f], [0x590, 0x6ff], [0x900, 0xdff],
    [0x1c80, 0x1cbf], [0x10a0, 0x10ff], [0x13a0, 0x13ff], [0x1d00, 0x1fff], [0x2000, 0x2bff], [0x2c00, 0x2dff], [0x2e80, 0x303f], [0x3041, 0x309f], [0x3041, 0x309f], [0x30a0, 0x30ff], [0x30a0, 0x30ff],
    [0x3100, 0x33ff], [0x4e00, 0x9fff], [0x4e00, 0x4fff], [0xa640, 0xabff], [0xac00, 0xd7ff], [0xf900, 0xfaff], [0xfb00, 0xfdff], [0xfe00, 0xffef], [0x10000, 0x1ffff], [0x10400, 0x1044f],
    [0x1e900, 0x1e95f], [0x20000, 0x2a6df], [0xe0100, 0xe01ef],
  ];
  const letter = ([from, to] = pick(ranges)) => String.fromCodePoint(from + random(to - from + 1));
  const endings = ["s", "es", "ies", "sses", "ing", "ed", "eed", "tion", "sion", "ation", "ate", "ating", "e", "i", "y", "us", "is", "ss", "zes", "ches", "shes", "xes", "nning", "tted", "lled"];
  const words = ["kube", "proxy", "etcd", "Core", "DNS", "API", "Server", "v1", "1.35", "10250", "TCP", "IPv6", "io", "k8s", "metric", "class", "process", "policy", "cluster", "Webhook", "running", "ΣΊΣΥΦΟΣ", "İstanbul", "straße",
    "ｋｕｂｅ", "ｻｰﾊﾞｰ", "サーバー", "ユーザー", "メモリ", "ー", "キー", "ネットワーク", "ポリシー", "ノード", "再起動", "負荷分散", "証明書", "する", "して", "から", "が", "を", "の", "つながらない", "とき", "㍿", "Ⅳ", "한국어", "々", "〆", "ヽ", "ゝ"];
  const connectors = ["-", ".", "_", "/", "--", "-.", " ", "", "", ":", "=", "\n", "'", "’", "\u00ad", "\u200b", "·", "・"];
  const piece = () => [
    () => pick(words),
    () => pick(words) + pick(endings),
    () => Array.from({ length: 1 + random(8) }, () => letter([0x61, 0x7a])).join("") + pick(endings),
    () => pick(words).toUpperCase(),
    () => Array.from({ length: 1 + random(6) }, () => letter()).join(""),
    () => {
      const range = pick(ranges);
      return Array.from({ length: 1 + random(14) }, () => letter(range)).join("");
    },
    () => String(random(100_000)),
    () => String.fromCodePoint(pick([0xd800 - 1, 0xe000, 0xfffd, 0x10ffff, 0x85, 0x2028, 0xa0, 0x1f600, 0x0345, 0x03c2, 0x1e9e, 0x0130])),
  ][random(8)]();
  // Characters of a later version of Unicode than that of Node.js have no lower case and no canonical order here.
  const known = (text) => text.replace(/\p{Cn}/gu, "").toWellFormed();
  return Array.from({ length: count }, () => known(Array.from({ length: 1 + random(9) }, () => piece() + pick(connectors)).join("")));
}

const EXPLAIN = { script: explained, program: ofProgram, input: (listing) => ({ listing }) };
const TERMS = { script: terms, program: (answer) => answer, input: (text) => ({ text }) };

describe("the program and the scripts agree", () => {
  test("on the listings of the fixtures", () => agree(EXPLAIN, listings));
  test("on mutated listings", () => agree(EXPLAIN, mutated(CASES, SEED)));
  test("on the terms of random texts", () => agree(TERMS, texts(CASES * 4, SEED)));
});
