// Bundles and minifies the scripts of the theme that have several source files. `npm --prefix tests/browser run scripts` writes the bundles.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify } from "terser";

const ROOT = join(import.meta.dirname, "../..");
/** Each script with the folder of its sources, and the sources in order. */
export const SCRIPTS = {
  "search.js": ["web/search/", ["words.js", "names.js", "answers.js", "index.js", "box.js"]],
  "explain-engine.js": ["web/explain/", ["objects.js", "columns.js", "manifests.js", "lines.js", "runtimes.js", "mentions.js", "known-messages.js", "known-names.js", "kubectl.js", "patterns.js", "findings.js", "report.js", "input.js", "sections.js", "result.js"]],
  // With its license at the top.
  "yaml.js": ["", ["tests/browser/node_modules/js-yaml/dist/js-yaml.min.js", "web/explain/yaml.js"]],
  "explain.js": ["web/explain/", ["page.js"]],
  // Other scripts use the functions of site.js.
  "site.js": ["web/site/", ["site.js"]],
  "extras.js": ["web/site/", ["extras.js"]],
  "diagram.js": ["web/site/", ["diagram.js"]],
};
/** Scripts whose names at the top are used by others, or that have none of their own. */
const SHARED = ["yaml.js", "site.js", "extras.js", "diagram.js"];

/** Returns the content of a file in static/. `without` names sources to leave out. */
export async function bundle(script = "search.js", without = []) {
  const [folder, names] = SCRIPTS[script];
  const paths = names.filter((name) => !without.includes(name)).map((name) => join(ROOT, folder, name));
  const texts = await Promise.all(paths.filter(existsSync).map((path) => readFile(path, "utf8")));
  const { code } = await minify(texts.join("\n"), {
    compress: { passes: 3, ecma: 2022 },
    mangle: { toplevel: !SHARED.includes(script) },
    format: { ecma: 2022, comments: /^!/ },
  });
  return `// ${folder || "js-yaml (MIT), see notices/js-yaml.txt"}\n${code}\n`;
}

if (process.argv[1] === import.meta.filename) {
  for (const script of Object.keys(SCRIPTS)) await writeFile(join(ROOT, "static", script), await bundle(script));
}
