/* The page in Chromium, for tests of one view. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildPage } from "../scripts/build.mjs";
import { launchBrowser, serve } from "./browser.ts";

/** A page, and what it wrote to its console. */
export interface OpenPage {
  readonly page: Page;
  readonly errors: readonly string[];
}

/** The built page, served to a browser. */
export interface PageHost {
  open(hash: string, width?: number, colorScheme?: "light" | "dark"): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Builds the page, serves it, and starts a browser. */
export async function startPage(): Promise<PageHost> {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-page-"));
  await buildPage(folder);
  const server = await serve(folder);
  const browser = await launchBrowser();
  return {
    async open(hash, width = 1280, colorScheme = "light") {
      const page = await browser.newPage({
        viewport: { width, height: 820 },
        colorScheme,
        hasTouch: true,
      });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => errors.push(message.text()));
      await page.goto(`${server.origin}/${hash}`);
      return { page, errors };
    },
    async close() {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
