/* The page in Chromium, for tests of its views. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { buildPage } from "../scripts/build.mjs";
import { hasBrowser, launchBrowser, serve } from "./browser.ts";

/** The built page, served to a browser. */
export interface PageHost {
  /** The folder with the files of the page. */
  readonly folder: string;
  readonly origin: string;
  /** Undefined without one. */
  readonly browser: Browser | undefined;
  /**
   * Opens a view until the end of the test, which fails if the page writes to its console or requests something from
   * elsewhere.
   */
  open(hash: string, width?: number, colorScheme?: "light" | "dark"): Promise<Page>;
  close(): Promise<void>;
}

/** Builds the page, serves it, and starts a browser. */
export async function startPage(): Promise<PageHost> {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-page-"));
  await buildPage(folder);
  const server = await serve(folder);
  const { origin } = server;
  const browser = hasBrowser ? await launchBrowser() : undefined;
  return {
    folder,
    origin,
    browser,
    async open(hash, width = 1280, colorScheme = "light") {
      const page = await browser!.newPage({ viewport: { width, height: 820 }, colorScheme, hasTouch: true });
      const faults: string[] = [];
      onTestFinished(async () => {
        await page.close();
        expect(faults).toEqual([]);
      });
      page.on("request", (request) => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(origin))
          faults.push(`requests ${request.url()}`);
      });
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => faults.push(message.text()));
      await page.goto(`${origin}/${hash}`);
      return page;
    },
    async close() {
      await browser?.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Presses keys one after the other; spaces separate them. */
export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(" ")) await page.keyboard.press(key);
}

/** Returns the file that the browser saves when something is done. */
export async function downloaded(page: Page, run: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent("download"), run()]);
  const bytes = readFileSync(await file.path());
  return { name: file.suggestedFilename(), bytes, text: bytes.toString("utf8") };
}
