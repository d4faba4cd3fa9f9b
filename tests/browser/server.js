// Serves a built site with the headers of deploy/_headers, at / and below /docs/.
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml", ".json": "application/json", ".csv": "text/csv; charset=utf-8", ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8", ".png": "image/png",
  ".mp4": "video/mp4", ".webm": "video/webm", ".vtt": "text/vtt; charset=utf-8",
};
export const BASE = "/docs/";

/** The rules of deploy/_headers: path patterns, each with its headers. */
const rules = [];
for (const line of (await readFile(join(import.meta.dirname, "../../deploy/_headers"), "utf8")).split("\n")) {
  const [, name, value] = /^\s+([\w-]+): (.*)$/.exec(line) ?? [];
  if (name) rules.at(-1).headers.push([name.toLowerCase(), value]);
  else if (line.startsWith("/")) rules.push({ pattern: new RegExp(`^${line.trim().replace(/[^\w*]/g, "\\$&").replaceAll("*", ".*")}$`), headers: [] });
}

/** Returns the headers of a path. Headers with the same name are all sent. */
export function headers(path) {
  const found = {};
  for (const { pattern, headers } of rules) if (pattern.test(path)) for (const [name, value] of headers) (found[name] ??= []).push(value);
  return found;
}

/** Starts the server. `extra`: additional pages by path. `compressed`: send text files compressed with gzip. */
export async function serve(folder, extra = {}, { compressed = false } = {}) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const inside = path.startsWith(BASE) ? path.slice(BASE.length - 1) : path;
    const send = (status, body, type) => {
      const all = headers(inside);
      // Tests of copy buttons need to read the clipboard.
      if (request.headers["x-reads-clipboard"]) all["permissions-policy"] = all["permissions-policy"].map((value) => value.replace("clipboard-read=()", "clipboard-read=(self)"));
      const packed = compressed && /text|json|xml/.test(type) && request.headers["accept-encoding"]?.includes("gzip");
      response.writeHead(status, { ...all, "content-type": type, ...(packed && { "content-encoding": "gzip" }) });
      response.end(packed ? gzipSync(body) : body);
    };
    if (extra[inside]) return send(200, extra[inside], TYPES[".html"]);
    const file = normalize(inside.endsWith("/") ? `${inside}index.html` : inside);
    try {
      send(200, await readFile(join(folder, file)), TYPES[extname(file)] ?? "application/octet-stream");
    } catch {
      send(404, await readFile(join(folder, "404.html")), TYPES[".html"]);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Returns the sorted paths of all pages, without redirects. */
export async function pages(folder, below = "") {
  const found = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    if (entry.isDirectory()) found.push(...await pages(folder, `${below}${entry.name}/`));
    else if (entry.name === "index.html") {
      const html = await readFile(join(folder, below, entry.name), "utf8");
      if (!html.includes('http-equiv="refresh"')) found.push(`/${below}`);
    }
  }
  return found.sort();
}

/** Returns the kind of a page: its path without language and ids. */
export const kind = (path) => path.replace(/^\/ja\//, "/").split("/").slice(1, -1).map((part, at) => (at ? "…" : part)).join("/") || "home";

/** Returns one page of each kind, the one with the most variety, in English and in Japanese. */
export async function kinds(folder, all) {
  const best = new Map();
  for (const path of all.filter((path) => !path.startsWith("/ja/"))) {
    const html = await readFile(join(folder, path, "index.html"), "utf8");
    const variety = new Set(html.match(/<[a-z0-9]+|\b(?:class|role|data-state|data-verdict)="[^"]*"/g)).size;
    if (variety > (best.get(kind(path))?.variety ?? 0)) best.set(kind(path), { path, variety });
  }
  const paths = [...best.values()].map(({ path }) => path);
  return [...paths, ...paths.map((path) => `/ja${path}`).filter((path) => all.includes(path))];
}
