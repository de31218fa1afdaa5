// @module-tag slow
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VIEW_NAMES, VIEWS, type ViewName } from "../src/app/view-names.ts";
import { hasBrowser } from "./browser.ts";
import { type PageHost, startPage } from "./page.ts";

/** Without a verb and an object, which Search asks for at first: its notes are those of a page without sentences. */
const TEXT = encodeURIComponent("The old dog. A red sofa.");
const FILE = {
  name: "a.conllu",
  mimeType: "text/plain",
  buffer: Buffer.from(
    "# sent_id = a\n1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n",
  ),
};
/** Milliseconds that a view or the model may take on a machine that is busy with other tests. */
const LOADING = 120_000;
/** What shows that a view has all that it shows without an action. */
const READY: Readonly<Record<ViewName, string>> = {
  parse: ".sentences .tree svg",
  correct: ".open-panel",
  learn: ".learn-form",
  search: ".search [role=status]",
  why: ".bars",
  watch: "input[type=range]",
};

/** Returns each element of the view with its box, in light and in dark colours. */
async function boxes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const shown = await page.locator("#view").evaluate((view) =>
      [...view.querySelectorAll("*")]
        .filter((one) => one.closest("svg svg, svg *") === null)
        .map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const box = [x, y + scrollY, width, height].map(Math.round).join(" ");
          return `${one.localName}.${one.getAttribute("class") ?? ""} ${box}`;
        }),
    );
    found.push(...shown.map((one) => `${colorScheme} ${one}`));
  }
  return found;
}

/** Returns the boxes once readings of more than a second are the same. */
async function settledBoxes(page: Page): Promise<string[]> {
  for (let before = await boxes(page); ; ) {
    await page.waitForTimeout(1200);
    const now = await boxes(page);
    if (now.join() === before.join()) return now;
    before = now;
  }
}

/** Waits for a view, which is there or is being loaded. */
async function waitForView(page: Page, view: ViewName): Promise<void> {
  await page.locator(`main[data-view=${view}] ${READY[view]}`).first().waitFor({ timeout: LOADING });
}

/** Returns views in which every ordered pair of different views stands side by side, and that begin in the given order. */
function walk(views: readonly ViewName[]): ViewName[] {
  const path = [...views];
  const left = new Set(views.flatMap((a) => views.filter((b) => b !== a).map((b) => `${a} ${b}`)));
  const take = (at: number) => left.delete(`${path[at - 1]} ${path[at]}`);
  for (let i = 1; i < path.length; i++) take(i);
  while (left.size > 0) {
    const from = path.at(-1)!;
    const next = views.find((one) => left.has(`${from} ${one}`)) ?? ([...left][0]!.split(" ")[0] as ViewName);
    path.push(next);
    take(path.length - 1);
  }
  return path;
}

test("the walk has every ordered pair", () => {
  const path = walk(VIEW_NAMES);
  const pairs = new Set(path.slice(1).map((view, i) => `${path[i]} ${view}`));
  expect(pairs.size).toBeGreaterThanOrEqual(VIEW_NAMES.length * (VIEW_NAMES.length - 1));
});

describe.skipIf(!hasBrowser)("views in Chromium (skipped without one)", () => {
  let host: PageHost;
  beforeAll(async () => {
    host = await startPage();
  });
  afterAll(() => host?.close());

  test.each([1280, 390])(
    "have the same boxes whichever views were open before, in light and in dark colours: %i",
    { timeout: 1_200_000 },
    async (width) => {
      const open = async (view: ViewName) => {
        const page = await host.open(`#${view}?text=${TEXT}`, width);
        await page.locator('[data-state="ready"]').waitFor({ timeout: LOADING });
        return page;
      };
      const openEditor = async (page: Page) => {
        await waitForView(page, "correct");
        await page.locator("input[data-open]").setInputFiles(FILE);
        await page.locator(".edit-tree svg").waitFor({ timeout: LOADING });
      };
      const alone = new Map<ViewName, string[]>();
      let editor: string[] = [];
      for (const view of VIEW_NAMES) {
        const page = await open(view);
        await waitForView(page, view);
        alone.set(view, await settledBoxes(page));
        if (view === "correct") {
          await openEditor(page);
          editor = await settledBoxes(page);
        }
        await page.close();
      }
      // A style sheet that is loaded later wins: both orders of each pair are loaded.
      for (const order of [VIEW_NAMES, VIEW_NAMES.toReversed()]) {
        const page = await open(order[0]!);
        let before = "";
        for (const view of walk(order)) {
          // By its address, with the text: Parse begins with its first text otherwise.
          await page.evaluate((hash) => {
            location.hash = hash;
          }, `#${view}?text=${TEXT}`);
          await waitForView(page, view);
          await expect
            .poll(() => boxes(page), { timeout: 30_000, message: `${view} after ${before}` })
            .toEqual(alone.get(view));
          before = view;
        }
        await page.getByRole("link", { name: VIEWS.correct.title, exact: true }).click();
        await openEditor(page);
        await expect.poll(() => boxes(page), { timeout: 30_000, message: "the editor" }).toEqual(editor);
        await page.close();
      }
    },
  );
});
