// Starts a browser on a served site.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { BASE, serve } from "./server.js";

/** Starts a browser. */
export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** Serves a site and starts a browser. */
export async function start(site, extra) {
  const server = await serve(site, extra);
  const browser = await launch();

  /** Opens a page and calls `use` with it; fails on errors in the console and on requests that leave the site. */
  async function open(path, use, { base = BASE, quiet = false, permissions, url, prepare, ...options } = {}) {
    const extraHTTPHeaders = permissions?.includes("clipboard-read") ? { "x-reads-clipboard": "1" } : undefined;
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions, extraHTTPHeaders, ...options });
    const page = await context.newPage();
    await prepare?.(page);
    const wrong = [];
    // Chromium can't preload fonts for a page that is opened from a disk. It loads them when they are used.
    const isPreload = (text) => url && /\.woff2'|ERR_FAILED/.test(text);
    page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !isPreload(message.text())) wrong.push(message.text()); });
    // Chromium reports a transition between pages that it leaves out.
    const isTransition = (text) => /Transition was (aborted|skipped)/.test(text);
    page.on("pageerror", (error) => { if (!isTransition(String(error))) wrong.push(String(error)); });
    page.on("request", (request) => { if (!url && !request.url().startsWith(server.origin)) wrong.push(`leaves the site: ${request.url()}`); });
    try {
      await page.goto(url ?? server.origin + base + path.slice(1));
      const result = await use(page);
      if (!quiet) assert.deepEqual(wrong, [], path);
      return result;
    } finally {
      await context.close();
    }
  }
  const stop = async () => {
    await browser.close();
    server.close();
  };
  return { open, stop, origin: server.origin };
}

/** Waits until a check in the page returns a truthy value. */
export async function until(page, check, argument) {
  await page.waitForFunction(check, argument, { timeout: 15_000 });
}
