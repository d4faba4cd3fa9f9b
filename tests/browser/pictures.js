// Takes the screenshots for README.md from a built site: npm --prefix tests/browser run pictures -- SITE
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { start } from "./browser.js";

const site = process.argv[2] ?? process.env.SITE_DIR;
if (!site) throw new Error("name the folder of a built site: npm --prefix tests/browser run pictures -- SITE");
const folder = resolve(import.meta.dirname, "../../docs/pictures");
const LISTING = `NAMESPACE     NAME                                                  READY   STATUS    RESTARTS   AGE
kube-system   pod/fluentbit-gke-q8nlv                               2/2     Running   0          3m3s
kube-system   pod/konnectivity-agent-autoscaler-5d9dbcc6d8-2qlgw    1/1     Running   0          3m3s
kube-system   pod/kube-proxy-gke-demo-default-pool-3f2k8a1b-x2k8    1/1     Running   0          3m3s
kube-system   pod/pdcsi-node-2x9kq                                  2/2     Running   0          3m3s
`;

/** Each screenshot: its name, the page, the size of the window, the colour scheme, and the actions before it is taken. */
const PICTURES = [
  ["home", "/", { width: 1200, height: 750 }, "light"],
  ["component-ja", "/ja/components/coredns/", { width: 1200, height: 750 }, "dark"],
  ["explain", "/explain/", { width: 1200, height: 750 }, "light", async (page) => {
    await page.locator("textarea").first().fill(LISTING);
    await page.locator("tbody tr").nth(3).waitFor();
    await page.locator("tbody tr").first().evaluate((row) => scrollTo(0, row.closest("table").getBoundingClientRect().top - 220));
  }],
];

await mkdir(folder, { recursive: true });
const { open, stop } = await start(site);
for (const [name, path, viewport, colorScheme, before] of PICTURES) {
  await open(path, async (page) => {
    await before?.(page);
    await page.evaluate(() => document.activeElement?.blur());
    await page.screenshot({ path: `${folder}/${name}.png` });
  }, { viewport, colorScheme, quiet: true });
}
await stop();
