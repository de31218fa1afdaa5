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
/** What shows that a view has all that it shows without an action. */
const READY: Readonly<Record<ViewName, string>> = {
  parse: ".sentences .tree svg",
  correct: ".open-panel",
  learn: ".learn-form",
  search: ".search [role=status]",
  why: ".bars",
  watch: "input[type=range]",
};

/** Returns each element of the view with its box, once two readings are the same. */
async function boxes(page: Page): Promise<string[]> {
  const read = () =>
    page.locator("#view").evaluate((view) =>
      [...view.querySelectorAll("*")]
        .filter((one) => one.closest("svg svg, svg *") === null)
        .map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const box = [x, y + scrollY, width, height].map(Math.round).join(" ");
          return `${one.localName}.${one.getAttribute("class") ?? ""} ${box}`;
        }),
    );
  for (let before = await read(); ; ) {
    await page.waitForTimeout(60);
    const now = await read();
    if (now.join() === before.join()) return now;
    before = now;
  }
}

/** Returns the boxes of a view, which is there or is being loaded. */
async function boxesOf(page: Page, view: ViewName): Promise<string[]> {
  await page.locator(`main[data-view=${view}] ${READY[view]}`).first().waitFor();
  return boxes(page);
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

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)(
    "have the same boxes whichever views were open before: %i, %s",
    { timeout: 600_000 },
    async (width, scheme) => {
      const open = async (view: ViewName) => {
        const { page, errors } = await host.open(`#${view}?text=${TEXT}`, width, scheme);
        await page.locator('[data-state="ready"]').waitFor({ timeout: 120_000 });
        return { page, errors };
      };
      const openEditor = async (page: Page) => {
        await page.locator("input[data-open]").setInputFiles(FILE);
        await page.locator(".edit-tree svg").waitFor();
        return boxes(page);
      };
      const alone = new Map<ViewName, string[]>();
      let editor: string[] = [];
      for (const view of VIEW_NAMES) {
        const { page } = await open(view);
        alone.set(view, await boxesOf(page, view));
        if (view === "correct") editor = await openEditor(page);
        await page.close();
      }
      // A style sheet that is loaded later wins: both orders of each pair are loaded.
      for (const order of [VIEW_NAMES, VIEW_NAMES.toReversed()]) {
        const { page, errors } = await open(order[0]!);
        let before = "";
        for (const view of walk(order)) {
          // By its address, with the text: Parse begins with its first text otherwise.
          await page.evaluate((hash) => {
            location.hash = hash;
          }, `#${view}?text=${TEXT}`);
          expect(await boxesOf(page, view), `${view} after ${before}`).toEqual(alone.get(view));
          before = view;
        }
        await page.getByRole("link", { name: VIEWS.correct.title, exact: true }).click();
        await boxesOf(page, "correct");
        expect(await openEditor(page), "the editor").toEqual(editor);
        expect(errors).toEqual([]);
        await page.close();
      }
    },
  );
});
