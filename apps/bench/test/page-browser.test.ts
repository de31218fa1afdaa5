import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
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
    await page.locator("thead button").first().click();
    expect(requests).toEqual([address]);
    expect(errors).toEqual([]);
  });

  test.each([360, 768, 1280])("does not overflow a width of %i pixels", async (width) => {
    const { page } = await open(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test("sorts tables by clicks and by keys", async () => {
    const { page } = await open(1280);
    const firstCells = () => page.locator("table.sortable tbody tr > :first-child").allTextContents();
    const header = page.locator("table.sortable thead th", { hasText: "time" });
    await header.getByRole("button").click();
    expect(await firstCells()).toEqual(["AD3", "Eisner", "nothing"]);
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await header.getByRole("button").press("Enter");
    expect(await firstCells()).toEqual(["Eisner", "AD3", "nothing"]);
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
  });

  test("shows sentences that fit the filter and the search", async () => {
    const { page } = await open(1280);
    const position = page.locator("[data-part=position]");
    expect(await position.textContent()).toContain("1 of 2 (sentence 5");
    await page.getByLabel("Show").selectOption("every");
    expect(await position.textContent()).toContain("1 of 1 (sentence 8");
    expect(await page.locator("[data-part=diagram]").textContent()).toContain("<script>");
    await page.getByLabel("Show").selectOption("all");
    await page.getByLabel("With the text").fill("CATS");
    expect(await position.textContent()).toContain("1 of 1 (sentence 1");
    await page.getByLabel("With the text").fill("no such words");
    expect(await position.textContent()).toBe("No sentence fits");
  });

  test("goes to the next and the previous sentence by keys and buttons", async () => {
    const { page } = await open(1280);
    const position = page.locator("[data-part=position]");
    await page.getByRole("button", { name: "Next" }).click();
    expect(await position.textContent()).toContain("2 of 2");
    await page.keyboard.press("p");
    expect(await position.textContent()).toContain("1 of 2");
    await page.getByRole("button", { name: "Next" }).press("ArrowRight");
    expect(await position.textContent()).toContain("2 of 2");
    // Letters in the search field are text.
    await page.getByLabel("With the text").press("p");
    expect(await position.textContent()).not.toContain("2 of 2");
  });

  test("shows the contestant that is chosen, errors marked", async () => {
    const { page } = await open(1280);
    const diagram = page.locator("[data-part=diagram]");
    expect(await diagram.locator(".relabelled").count()).toBe(0);
    await page.getByRole("button", { name: "second", exact: true }).click();
    expect(await diagram.locator(".relabelled .label").textContent()).toBe("obj / xcomp");
    await page.keyboard.press("n");
    expect(await diagram.locator(".wrong .label").count()).toBe(2);
    expect(await diagram.locator(".missed .label").count()).toBe(2);
  });

  test.each([1280, 360])("labels of plots do not overlap at %i pixels", async (width) => {
    const { page } = await open(width);
    expect(await page.evaluate(overlappingTexts)).toEqual([]);
  });

  test.each(["light", "dark"] as const)("text has the contrast of WCAG AA, %s", async (scheme) => {
    const { page } = await open(1280, scheme);
    const { texts, faint } = await faintTexts(page);
    expect(texts).toBeGreaterThan(100);
    expect(faint).toEqual([]);
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

/** Returns pairs of texts of a plot that overlap. Runs in the page. */
function overlappingTexts(): string[] {
  const found: string[] = [];
  for (const svg of document.querySelectorAll(".plot svg")) {
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent !== "");
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((a, i) => {
      boxes.slice(i + 1).forEach((b, k) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const names = `${texts[i]!.textContent}, ${texts[i + 1 + k]!.textContent}`;
        if (a.width > 0 && b.width > 0 && across > 1 && down > 2) found.push(names);
      });
    });
  }
  return found;
}

/** Returns the number of visible texts, and those of less contrast than 4.5 : 1 with their background. */
async function faintTexts(page: Page): Promise<{ texts: number; faint: string[] }> {
  const texts = await page.evaluate(() => {
    const found: { text: string; colour: string; background: string }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement!;
      const text = walker.currentNode.textContent!.trim();
      if (text === "" || element.closest("script, style, option, title") || !element.checkVisibility())
        continue;
      const style = getComputedStyle(element);
      let behind: Element | null = element;
      while (behind && getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") {
        behind = behind.parentElement;
      }
      found.push({
        text,
        colour: element instanceof SVGElement ? style.fill : style.color,
        background: getComputedStyle(behind ?? document.body).backgroundColor,
      });
    }
    return found;
  });
  const faint = texts
    .filter(({ colour, background }) => contrast(colour, background) < 4.5)
    .map(({ text, colour, background }) => `${text}: ${colour} on ${background}`);
  return { texts: texts.length, faint };
}

/** Returns the contrast ratio of two colours `rgb(r, g, b)` (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
    const value = Number(text) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
