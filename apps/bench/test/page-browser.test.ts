import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlReport } from "../src/report/html.ts";
import { pageScript } from "../src/report/page-script.ts";
import { pageExample } from "./page-example.ts";
import { temporaryFolder } from "./support.ts";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = [process.env.CHROMIUM_PATH ?? "", ...BROWSERS].find((path) => existsSync(path));
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";

// One browser for all tests: starting it takes longer than any of them.
describe.skipIf(executablePath === undefined)("the page in Chromium (skipped without one)", () => {
  let browser: Browser;
  let html: string;

  beforeAll(async () => {
    html = htmlReport(pageExample, await pageScript());
    browser = await chromium.launch({ executablePath: executablePath!, args: FLAGS.split(" ") });
  });
  afterAll(() => browser?.close());

  /** Opens the page, and collects its requests and errors. */
  async function open(width: number, colorScheme: "light" | "dark" = "light") {
    const file = join(temporaryFolder(), "page.html");
    writeFileSync(file, html);
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const requests: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => errors.push(message.text()));
    const address = pathToFileURL(file).href;
    await page.goto(address);
    return { page, requests, errors, address };
  }

  test("requests nothing, and has no errors", async () => {
    const { page, requests, errors, address } = await open(1280);
    await page.locator("thead th").first().click();
    expect(requests).toEqual([address]);
    expect(errors).toEqual([]);
  });

  test.each([360, 1280])("does not overflow a width of %i pixels", async (width) => {
    const { page } = await open(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test("sorts tables by clicks and by keys", async () => {
    const { page } = await open(1280);
    const firstCells = () =>
      page.locator("#section-1 table.sortable tbody tr > :first-child").allTextContents();
    const header = page.locator("table.sortable thead th", { hasText: "time" });
    await header.click();
    await expect.poll(firstCells).toEqual(["AD3", "Eisner", "nothing"]);
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await header.press("Enter");
    await expect.poll(firstCells).toEqual(["Eisner", "AD3", "nothing"]);
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
  });

  test("light and dark differ", async () => {
    const backgrounds = await Promise.all(
      (["light", "dark"] as const).map(async (scheme) => {
        const { page } = await open(1280, scheme);
        return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      }),
    );
    expect(new Set(backgrounds).size).toBe(2);
  });
});
