// A worker that validates HTML files. `valid.test.js` starts several.
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

// Only violations of the standard, no matters of style.
const checker = new HtmlValidate(new StaticConfigLoader({ root: true, extends: ["html-validate:standard"], rules: { "no-dup-id": "error", "no-redundant-role": "error", "heading-level": "error" } }));
const wrong = [];
for (const file of workerData) {
  const { results } = await checker.validateString(await readFile(file, "utf8"), file);
  for (const { messages } of results) for (const { line, column, ruleId, message } of messages) wrong.push(`${file}:${line}:${column} ${ruleId}: ${message}`);
}
parentPort.postMessage(wrong);
