// Serves a built site as a strict host would: at / and below /docs/, everything from the site itself.
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml", ".json": "application/json", ".csv": "text/csv; charset=utf-8", ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8", ".png": "image/png",
};
export const BASE = "/docs/";

/** Starts the server. `extra` holds pages that are not in the folder, by their path. */
export async function serve(folder, extra = {}) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const inside = path.startsWith(BASE) ? path.slice(BASE.length - 1) : path;
    const send = (status, body, type) => {
      response.writeHead(status, { "content-type": type, "content-security-policy": "default-src 'self'" });
      response.end(body);
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

/** The paths of all pages, sorted; addresses that only lead on to another are none. */
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
