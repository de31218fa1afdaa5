// @module-tag slow
import { readFileSync } from "node:fs";
import { loadPipeline } from "@arcwise/pipeline";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { type PageHost, startPage } from "./page.ts";

/** Milliseconds that a training may take on a machine that is busy with other tests. */
const LEARNING = 120_000;
const SAMPLE = readFileSync(new URL("../../bench/sample/dev.conllu", import.meta.url), "utf8");
/** Sentences of the sample, of which one is annotated in part. */
const TWELVE = SAMPLE.split("\n\n")
  .slice(0, 12)
  .join("\n\n")
  .replace(/^(3(?:\t[^\t]+){5})\t\d+\t[^\t]+/m, "$1\t_\t_");

let host: PageHost;

beforeAll(async () => {
  if (hasBrowser) host = await startPage();
}, LEARNING);
afterAll(() => host?.close());

async function openSentences(page: Page, text = `${TWELVE}\n\n`): Promise<void> {
  await page
    .getByLabel("CoNLL-U file")
    .setInputFiles({ name: "twelve.conllu", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByText("has 12 sentences").waitFor();
}

describe.skipIf(!hasBrowser)("the view Learn in Chromium (skipped without one)", () => {
  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 360, colorScheme: "dark" },
  ] as const)(
    "continues the model, which the other views use and which can be saved: $width, $colorScheme",
    { timeout: 2 * LEARNING },
    async ({ width, colorScheme }) => {
      const page = await host.open("#learn", width, colorScheme);
      await openSentences(page);
      await page.getByLabel("Epochs").fill("2");
      // By keys alone.
      await page.getByLabel("Epochs").press("Enter");
      await page.getByRole("progressbar").waitFor();
      await page.getByRole("heading", { name: "English +1" }).waitFor({ timeout: LEARNING });
      await expect(page.getByRole("row").allInnerTexts()).resolves.toEqual([
        expect.stringMatching(/^Sentences\s+UAS\s+LAS\s+UPOS/),
        expect.stringMatching(/^2 held out\s+[\d.]+ → [\d.]+/),
        expect.stringMatching(/^10 learned\s+[\d.]+ → [\d.]+/),
      ]);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save the model" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("English+1.model");
      const model = loadPipeline(readFileSync(await download.path()));
      expect(model.parser!.description.continued).toMatchObject({ sentences: 10 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.getByRole("link", { name: "Parse", exact: true }).click();
      await page.getByLabel("The model English +1 is ready").waitFor({ timeout: LEARNING });
      await page.locator("svg g.arc, svg .arc").first().waitFor({ timeout: LEARNING });
    },
  );

  test("can be cancelled, and says why a training fails", { timeout: 2 * LEARNING }, async () => {
    const page = await host.open("#learn");
    await openSentences(page);
    await page.getByLabel("Epochs").fill("100");
    await page.getByRole("button", { name: "Learn from 12 sentences" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The training was cancelled").waitFor();
    await expect(page.getByRole("progressbar").count()).resolves.toBe(0);
  });
});
