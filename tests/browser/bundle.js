// The scripts of the theme that have sources of their own: their files in one, without what only people need. `npm --prefix tests/browser run scripts` writes them.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify } from "terser";

const ROOT = join(import.meta.dirname, "../..");
/** The scripts with the folders of their sources, and these in order. */
export const SCRIPTS = {
  "search.js": ["web/search/", ["words.js", "names.js", "index.js", "box.js"]],
  "explain.js": ["web/explain/", ["kubectl.js", "patterns.js", "report.js", "page.js"]],
};

/** What a file of static/ must be. `without` names sources that shall not be in it. */
export async function bundle(script = "search.js", without = []) {
  const [folder, names] = SCRIPTS[script];
  const paths = names.filter((name) => !without.includes(name)).map((name) => join(ROOT, folder, name));
  const texts = await Promise.all(paths.filter(existsSync).map((path) => readFile(path, "utf8")));
  const { code } = await minify(texts.join("\n"), {
    compress: { passes: 3, ecma: 2022 },
    mangle: { toplevel: true },
    format: { ecma: 2022 },
  });
  return `// ${folder}\n${code}\n`;
}

if (process.argv[1] === import.meta.filename) {
  for (const script of Object.keys(SCRIPTS)) await writeFile(join(ROOT, "static", script), await bundle(script));
}
