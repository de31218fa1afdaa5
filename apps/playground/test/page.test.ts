// @module-tag slow
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { dependencyGraph } from "@arcwise/core";
import { saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FIRST_TEXT } from "../src/shared/first-sentences.ts";
import { hasBrowser } from "./browser.ts";
import { downloaded, type PageHost, startPage } from "./page.ts";

/** Maximum size of the scripts and style sheets that the first view and its worker load. */
const MAX_BYTES = 203_000;
/** Milliseconds that loading the model may take on a machine that is busy with other tests. */
const LOADING = 90_000;
/** WebAssembly as text in a script. */
const WASM = /AGFzbQ[A-Za-z0-9+/=]*/g;

const SIZES = [
  { width: 1280, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const;

let host: PageHost;

beforeAll(async () => {
  host = await startPage();
});
afterAll(() => host?.close());

/** Returns files and the files that they import statically, each once. */
function withImports(assets: string, files: readonly string[]): string[] {
  const all = new Set(files);
  for (const file of all) {
    if (!file.endsWith(".js")) continue;
    const code = readFileSync(join(assets, file), "utf8");
    for (const [, imported] of code.matchAll(/(?:from|import)[`'"]\.\/([^`'"]+)[`'"]/g)) all.add(imported!);
  }
  return [...all];
}

test("the view Parse and its worker have at most 203 kB together, gzipped, without WebAssembly", () => {
  const assets = join(host.folder, "assets");
  const named = (...names: string[]) =>
    readdirSync(assets).filter((file) => names.some((name) => file.startsWith(`${name}-`)));
  const first = named("index", "first", "parse-view", "worker").filter((file) => /\.(js|css)$/.test(file));
  const files = withImports(assets, first);
  expect(files.length).toBeGreaterThan(5);
  const sizes = files.map(
    (file) => gzipSync(readFileSync(join(assets, file), "utf8").replaceAll(WASM, "")).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

describe.skipIf(!hasBrowser)("the page in Chromium (skipped without one)", () => {
  /** Opens a view. When the test is over, nothing must be wider than its card or the page. */
  async function open({ width, colorScheme }: (typeof SIZES)[number], hash: string) {
    const page = await host.open(hash, width, colorScheme);
    await page.locator(".tree svg").first().waitFor({ timeout: LOADING });
    onTestFinished(async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const beyond = await page.evaluate(() =>
        [...document.querySelectorAll(".card :is(input, select, textarea, button, table)")].flatMap((one) => {
          const card = one.closest(".card")!;
          // What scrolls by itself may be wider.
          for (let box = one.parentElement!; box !== card; box = box.parentElement!)
            if (getComputedStyle(box).overflowX !== "visible") return [];
          const isBeyond = one.getBoundingClientRect().right > card.getBoundingClientRect().right;
          return isBeyond ? [one.outerHTML.slice(0, 100)] : [];
        }),
      );
      expect(beyond).toEqual([]);
    });
    return page;
  }

  describe.each(SIZES)("at $width pixels, $colorScheme", (size) => {
    test("parses what is typed, and ranks its trees", async () => {
      const page = await open(size, "#parse");
      await page.getByRole("textbox").fill("I saw the man with the telescope. Dogs bark.");
      await expect.poll(() => page.locator(".sentences > li").count()).toBe(2);
      await expect
        .poll(() => page.locator(".sentences > li .tree svg").last().getAttribute("aria-label"), {
          timeout: LOADING,
        })
        .toContain("bark");
      await page.getByLabel("Trees").fill("2");
      await page.getByLabel("Probabilities").check();
      await page.locator(".others .arc.wrong").first().waitFor();
      await page.locator("g.arc[data-probability]").first().waitFor();
      await page.getByLabel("Compare with").selectOption("eisner");
      await page.getByText("proved to be optimal").waitFor();
      await expect.poll(() => page.evaluate(() => location.hash)).toContain("trees=2");
      // A link shows the same.
      const again = await open(size, await page.evaluate(() => location.hash));
      await again.locator(".others .arc.wrong").first().waitFor();
    });

    test("menus are within the page, and their parts within them", async () => {
      const page = await open(size, "#parse");
      const menus = page.locator("details.menu");
      for (let i = 0; i < 3; i++) {
        await menus.nth(i).locator("summary").click();
        const beyond = await menus.nth(i).evaluate((menu) => {
          const panel = menu.querySelector(".menu-panel")!.getBoundingClientRect();
          const parts = [...menu.querySelectorAll(".menu-panel *")].map((part) =>
            part.getBoundingClientRect(),
          );
          return [
            panel.left >= 0 && panel.right <= innerWidth ? 0 : panel.left,
            ...parts.filter(
              ({ left, right, width }) => width > 0 && (left < panel.left || right > panel.right),
            ),
          ];
        });
        expect(beyond).toEqual([0]);
        await page.keyboard.press("Escape");
      }
      expect(await menus.count()).toBe(3);
    });

    test("explains arcs that are picked by keys or by pointer", async () => {
      const page = await open(size, "#why");
      await page.locator(".bars").first().waitFor();
      const heading = page.getByRole("heading", { level: 2 });
      const before = await heading.textContent();
      await page.locator("g.word").first().focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await expect.poll(() => heading.textContent()).not.toBe(before);
      const second = await heading.textContent();
      await page.locator('g.word[data-word="4"] .form').click();
      await expect.poll(() => heading.textContent()).not.toBe(second);
      const shares = await page.locator(".bars").first().locator("td:nth-child(2)").allTextContents();
      const numbers = shares.map((text) => Number(text.replace("−", "-")));
      const total = numbers.pop()!;
      expect(numbers.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 1);
    });

    test.each(["mst", "eisner", "hillclimb", "ad3"])(
      "plays the steps of %s, and steps by keys",
      async (decoder) => {
        const page = await open(size, `#watch?decoder=${decoder}`);
        const slider = page.getByRole("slider", { name: "Step" });
        await slider.waitFor();
        await slider.focus();
        await page.keyboard.press("End");
        const last = await slider.getAttribute("aria-valuetext");
        expect(last).toContain("Found: ");
        await page.getByLabel("First step").click();
        await page.keyboard.press("p");
        await expect.poll(() => slider.inputValue()).not.toBe("0");
        await page.getByRole("button", { name: "Pause" }).click();
      },
    );
  });

  test("exports, and opens files that are chosen", async () => {
    const page = await open(SIZES[0], "#parse");
    for (const [name, begins] of [
      ["CoNLL-U", "# "],
      ["JSON", "["],
      ["SVG", "<svg"],
      ["PNG", "\u0089PNG"],
      ["tikz-dependency", "\\begin{dependency}"],
    ] as const) {
      await page.locator(".export summary").click();
      const file = await downloaded(page, () => page.getByRole("button", { name, exact: true }).click());
      expect(file.name).toMatch(/^sentence-1\./);
      expect(file.bytes.toString("latin1").startsWith(begins), name).toBe(true);
      await page.keyboard.press("Escape");
    }
    // All trees, as they are shown: with probabilities and a second tree of the current sentence.
    await page.getByLabel("Trees").fill("2");
    await page.getByLabel("Probabilities").check();
    await page.locator(".others .arc").first().waitFor();
    await page.locator("g.arc[data-probability]").first().waitFor();
    await page.locator(".export summary").click();
    await page.getByLabel("What is exported").selectOption("all");
    const archive = await downloaded(page, () =>
      page.getByRole("button", { name: "SVG", exact: true }).click(),
    );
    expect(archive.name).toBe("sentences-svg.zip");
    const files = unzipSync(archive.bytes);
    expect(Object.keys(files)).toEqual(["sentence-1.svg", "sentence-1-2.svg", "sentence-2.svg"]);
    expect(strFromU8(files["sentence-1.svg"]!)).toContain("data-probability");
    await page.keyboard.press("Escape");
    const file = {
      name: "one.conllu",
      mimeType: "text/plain",
      buffer: Buffer.from("1\tWords\t_\t_\t_\t_\t0\troot\t_\t_\n\n"),
    };
    await page.locator('input[type="file"]').setInputFiles(file);
    await expect.poll(() => page.getByRole("textbox").inputValue()).toContain("Words");
    await expect.poll(() => page.locator(".sentences > li").count()).toBe(1);
    await page.getByRole("textbox").fill("1\tWords\t_\n");
    await expect.poll(() => page.locator("#input-failure").textContent()).toContain("input:1");
  });

  test("searches, counts and saves tables; the text and the pattern stay while other views are shown", async () => {
    const page = await open(SIZES[0], "#parse");
    const text = "Dogs chase cats. Cats chase old mice.";
    await page.getByRole("textbox").fill(text);
    await expect
      .poll(() => page.locator(".sentence-text").last().textContent(), { timeout: LOADING })
      .toContain("old mice");
    await page.getByLabel("Probabilities").check();
    const tab = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await tab("Search");
    // Each node has a colour of its own.
    const chase = page.locator(".hits g.word", { hasText: "chase" }).first();
    const mice = page.locator(".hits g.word", { hasText: "mice" }).first();
    await expect.poll(() => chase.getAttribute("data-node"), { timeout: LOADING }).toBe("1");
    expect(await mice.getAttribute("data-node")).toBe("2");
    await page.getByText("From an example").click();
    await page.locator('.aid g.arc[data-label="nsubj"] > .label').click();
    await page.locator(".aid g.word", { hasText: "Dogs" }).locator(".form").click();
    const pattern = page.getByRole("searchbox");
    await expect
      .poll(() => pattern.inputValue(), { timeout: LOADING })
      .toBe("{upos:VERB} >nsubj {lemma:dog;upos:NOUN}");
    await pattern.fill("{upos:VERB}=v >obj {}=o");
    await page.getByRole("button", { name: "Counts" }).click();
    await page.getByLabel("Count by").selectOption("1.lemma");
    await page.getByLabel("and by").selectOption("2.lemma");
    const cells = () => page.locator(".counts tbody td:nth-child(n + 3)").allTextContents();
    await expect.poll(cells, { timeout: LOADING }).toEqual(["chase", "cat", "chase", "mouse"]);
    const saveTable = async () => {
      const run = () => page.getByRole("button", { name: "Save as TSV" }).click();
      return (await downloaded(page, run)).text;
    };
    expect(await saveTable()).toBe("count\t1.lemma\t2.lemma\n1\tchase\tcat\n1\tchase\tmouse\n");
    await page.locator(".counts tbody button").last().click();
    await expect.poll(() => page.locator(".lines tr").count(), { timeout: LOADING }).toBe(1);
    expect((await saveTable()).split("\n")[1]).toMatch(/^2\tCats\tchase\told mice \.\tchase\tchase\tVERB/);
    await tab("Parse");
    await page.locator(".sentences").waitFor();
    expect(await page.getByRole("textbox").inputValue()).toBe(text);
    expect(await page.getByLabel("Probabilities").isChecked()).toBe(true);
    await tab("Search");
    await pattern.waitFor();
    expect(await pattern.inputValue()).toBe("{upos:VERB}=v >obj {}=o");
  });

  test("draws the graphs of a graph parser that is dropped, with the other steps of the model of English", async () => {
    const examples = ["Cats", "Dogs", "Birds"].flatMap((noun) =>
      ["sing", "sleep"].map((verb) => ({
        sentence: [
          { form: noun, upos: "NOUN", xpos: "NNS", feats: "Number=Plur" },
          { form: verb, upos: "VERB", xpos: "VBP" },
          { form: ".", upos: "PUNCT", xpos: "." },
        ],
        graph: dependencyGraph(3, { edges: [{ head: 2, modifier: 1, label: "ARG1" }], tops: [2] }),
      })),
    );
    const graphs = await trainGraphParser(examples, { preset: "linear", epochs: 5 });
    const page = await open(SIZES[0], "#parse");
    await page.locator('header input[type="file"]').setInputFiles({
      name: "graphs.model",
      mimeType: "application/octet-stream",
      buffer: Buffer.from(saveGraphParser(graphs)),
    });
    await page.getByRole("textbox").fill("Dogs sleep.");
    await page.locator("g.arc", { hasText: "ARG1" }).first().waitFor({ timeout: LOADING });
    await page.locator(".options summary").click();
    await page.getByRole("combobox", { name: "Graph" }).selectOption("basic");
    await page.locator("g.arc", { hasText: "nsubj" }).first().waitFor();
  });

  test("draws the trees of the first text before the model is loaded, and the model finds the same", async () => {
    const page = await host.browser!.newPage();
    const waiting: (() => Promise<void>)[] = [];
    await page.route("**/*.model", (route) => void waiting.push(() => route.continue()));
    await page.goto(`${host.origin}/#parse`);
    const trees = () =>
      page
        .locator(".sentences > li .tree svg")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    await expect.poll(trees, { timeout: LOADING }).toHaveLength(2);
    await page.getByText("Loading the model").waitFor();
    const before = await trees();
    // The worker asks for the model some time after the page says that it is loading.
    await expect.poll(() => waiting.length, { timeout: LOADING }).toBe(1);
    for (const proceed of waiting) await proceed();
    await page.locator('[data-state="ready"]').waitFor({ timeout: LOADING });
    await page.getByRole("textbox").fill(`${FIRST_TEXT} `);
    await expect.poll(trees).toEqual(before);
    await page.close();
  });

  test("notes a text in another language and lines that are sentences, of which the options decide", async () => {
    const page = await open(SIZES[0], "#parse");
    const notes = page.locator(".notes");
    const trees = () => page.locator(".sentences > li").count();
    await page.getByRole("textbox").fill("Bonjour le monde, je suis content");
    await notes.getByText("The model English does not know most of these words").waitFor();
    await page
      .getByRole("textbox")
      .fill(
        "Stocks slide as oil prices rise\nCity council approves new budget\nMan bites dog\nTeam wins cup final",
      );
    await notes.getByText("4 of 4 lines end without punctuation").waitFor();
    expect(await trees()).toBe(4);
    await page.locator(".options summary").click();
    await page.getByRole("combobox", { name: "One sentence per line" }).selectOption("off");
    await expect.poll(trees).toBe(1);
    await expect.poll(() => notes.textContent()).toBe("");
  });

  test("a text that is written from right to left stands so", async () => {
    const page = await open(SIZES[0], "#parse");
    await page.getByRole("textbox").fill("القطة تنام على السرير.");
    const text = page.locator(".sentences bdi", { hasText: "السرير" });
    await text.waitFor();
    for (const one of [text, page.getByRole("textbox")])
      expect(await one.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  });

  test("a sentence that cannot be drawn says why, and the page goes on", async () => {
    const page = await open(SIZES[0], "#parse");
    const broken = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t9\troot\t_\t_\n\n";
    await page.getByRole("textbox").fill(broken + broken.replace("\t9\t", "\t0\t"));
    await page.locator(".sentences .error", { hasText: "head of word 2" }).waitFor();
    await expect.poll(() => page.locator(".sentences svg").count()).toBe(1);
    for (const view of ["Search", "Why this arc", "Watch decoders", "Parse"])
      await page.getByRole("link", { name: view, exact: true }).click();
    await page.getByRole("textbox").fill("Dogs bark.");
    await expect.poll(() => page.locator(".sentences .error").count()).toBe(0);
    expect(await page.locator(".sentences svg").count()).toBe(1);
  });

  test("the forms of Learn and the arc of Why stay while other views are shown", async () => {
    const page = await open(SIZES[0], "#parse");
    const tab = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await tab("Correct");
    await page.getByRole("button", { name: "The sentences of the view Parse" }).click();
    await tab("Learn");
    await page.getByLabel("Epochs").fill("3");
    await page.getByLabel("Hold out a fifth").uncheck();
    await tab("Why this arc");
    await page.locator(".why h2").waitFor({ timeout: LOADING });
    await page.locator("g.word", { hasText: "telescope" }).first().click();
    await page.locator(".why h2").getByText("telescope").first().waitFor();
    await tab("Watch decoders");
    await page.locator("input[type=range]").waitFor({ timeout: LOADING });
    await tab("Why this arc");
    await page.locator(".why h2", { hasText: /^telescope/ }).waitFor();
    await tab("Learn");
    expect(await page.getByLabel("Epochs").inputValue()).toBe("3");
    expect(await page.getByLabel("Hold out a fifth").isChecked()).toBe(false);
  });

  test("says why a model could not be loaded", async () => {
    const page = await host.browser!.newPage();
    await page.route("**/*.model", (route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto(`${host.origin}/#parse`);
    await page.getByRole("alert").getByText("could not be loaded").waitFor({ timeout: LOADING });
    await page.close();
  });

  test("does not block typing", async () => {
    const page = await open(SIZES[0], "#parse");
    const longest = await page.evaluate(async () => {
      const box = document.querySelector("textarea")!;
      let blocked = 0;
      for (const word of Array.from({ length: 60 }, (_, i) => `word${i}`)) {
        const before = performance.now();
        box.value += ` ${word}`;
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
        blocked = Math.max(blocked, performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return blocked;
    });
    expect(longest).toBeLessThan(50);
  });
});
