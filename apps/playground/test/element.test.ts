// @module-tag slow
import type { Browser } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, launchBrowser } from "./browser.ts";

const ROWS = "1 Dogs dog NOUN _ _ 2 nsubj _ _\n2 bark bark VERB _ _ 0 root _ _";

describe.skipIf(!hasBrowser)("<arcwise-tree> in Chromium (skipped without one)", () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    const bundle = await rolldown({
      input: "@arcwise/draw",
      cwd: import.meta.dirname,
      resolve: { conditionNames: ["@arcwise/source", "import", "default"] },
    });
    const { output } = await bundle.generate({ format: "iife", name: "draw" });
    script = `${output[0].code}\ndraw.defineArcwiseTree();draw.defineArcwiseTree();`;
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("draws its text, its property, and what changes; shows what is wrong", async () => {
    const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.setContent(`<arcwise-tree tags="upos lemma">${ROWS}</arcwise-tree>`);
    await page.addScriptTag({ content: script });
    const tree = page.locator("arcwise-tree");
    const shown = () => tree.evaluate((element) => element.shadowRoot!.innerHTML);
    await expect.poll(shown).toContain("nsubj");
    expect(await shown()).toContain(">dog<");
    expect(await tree.evaluate((element) => element.clientWidth)).toBeGreaterThan(300);

    await tree.evaluate((element) => element.setAttribute("layout", "tree"));
    expect(await shown()).toContain('class="aw tree"');
    await tree.evaluate((element) => element.setAttribute("layout", "circle"));
    expect(await shown()).toContain("circle");
    await tree.evaluate((element) => element.removeAttribute("layout"));

    await tree.evaluate((element) => {
      element.textContent = "1 Cats _ _ _ _ 0 root _ _";
    });
    await expect.poll(shown).toContain("Cats");
    await tree.evaluate((element) => {
      element.textContent = "1 Cats";
    });
    await expect.poll(shown).toContain("input:1");

    await tree.evaluate((element) => {
      Object.assign(element, { sentence: { words: [{ form: "<b>", deprel: "root" }] } });
    });
    expect(await shown()).toContain("&lt;b&gt;");
    expect(errors).toEqual([]);
    await page.close();
  });
});
