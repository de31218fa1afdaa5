/**
 * Makes the pictures of the tutorial (docs/guide/tutorial.md) by doing what it says, in Chromium:
 * `node scripts/pictures.mjs [FOLDER]`; default: `docs/images/tutorial`. The page is built first.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { argv, env, getuid } from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { buildPage } from "./build.mjs";

/** The text of the tutorial. */
const TEXT =
  "The committee discussed the report on the floods. It approved the plan with some changes. Critics read the plan before the vote. They found two errors in the budget.";

const folder = resolve(argv[2] ?? fileURLToPath(new URL("../../../docs/images/tutorial", import.meta.url)));
const outDir = mkdtempSync(join(tmpdir(), "arcwise-pictures-"));
mkdirSync(folder, { recursive: true });
await buildPage(outDir);
const server = await preview({
  configFile: false,
  logLevel: "error",
  build: { outDir },
  preview: { host: "127.0.0.1", port: 0 },
});
const browser = await chromium.launch({
  executablePath: env.ARCWISE_CHROMIUM ?? "/usr/bin/chromium",
  args: getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage({ viewport: { width: 900, height: 640 }, colorScheme: "light" });
page.setDefaultTimeout(120_000);

const tab = (name) => page.getByRole("link", { name, exact: true }).click();
const button = (name) => page.getByRole("button", { name, exact: true });
async function picture(name, height = 640) {
  await page.setViewportSize({ width: 900, height });
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const { port } = server.httpServer.address();
await page.goto(`http://127.0.0.1:${port}/`);
await page.locator('[data-state="ready"]').waitFor();
await page.getByRole("textbox").fill(TEXT);
await page.locator("#sentence-3").waitFor();
await picture("parse");

await page.locator("#sentence-1").click();
await page.getByLabel("Probabilities").check();
await page.getByLabel("Trees").fill("2");
await page.locator(".others .arc").first().waitFor();
await page.locator("g.arc[data-probability]").first().waitFor();
// The second sentence alone.
await page.locator(".sentences > li:not([aria-current])").evaluateAll((all) => {
  for (const one of all) one.style.display = "none";
});
await picture("doubt", 800);

await tab("Correct");
await button("The sentences of the view Parse").click();
await button("Next sentence").click();
const form = (id) => page.locator(`.edit-tree g.word[data-id="${id}"] .form`);
await form(1).waitFor();
await page.locator('.edit-tree g.arc[data-modifier="7"] > .label').first().dragTo(form(4));
await page.locator('.edit-tree g.arc[data-head="4"][data-modifier="7"] > .label').first().click();
await picture("correct");
await page
  .getByRole("group", { name: "Values" })
  .getByRole("button", { name: /^nmod\b/ })
  .first()
  .click();

await page.locator(".export summary").click();
const [figure] = await Promise.all([page.waitForEvent("download"), button("SVG").click()]);
await figure.saveAs(join(folder, "figure.svg"));

await tab("Search");
await page.getByRole("searchbox").fill("{upos:VERB}=verb >obj {}=object");
await button("Counts").click();
await page.getByLabel("Count by").selectOption("1.lemma");
await page.getByLabel("and by").selectOption("2.lemma");
await page.locator(".counts tbody tr").nth(2).waitFor();
await picture("counts");

await browser.close();
await server.close();
rmSync(outDir, { recursive: true });
