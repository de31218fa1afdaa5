import { readFile } from "node:fs/promises";
import { createPipeline, loadPipeline } from "arcwise";
import { describe, expect, test } from "vitest";
import { gridErrors, gridResults, gridSentences, gridTable, heldBackForms, WORDS } from "./grid.mjs";

describe("the grid of everyday English", () => {
  const sentences = gridSentences();

  test("has at least 80 constructions and 1,600 sentences, half of them of words held back", () => {
    const names = new Set(sentences.map(({ kind, name }) => `${kind}: ${name}`));
    expect(names.size).toBeGreaterThanOrEqual(80);
    expect(sentences.length).toBeGreaterThanOrEqual(1600);
    expect(sentences.filter(({ isHeldBack }) => isHeldBack)).toHaveLength(sentences.length / 2);
  });

  test("has at least ten words of each half of a list, with as many forms each", () => {
    for (const [name, { free, heldBack = free }] of WORDS) {
      if (heldBack === free) continue;
      expect(Math.min(free.length, heldBack.length), name).toBeGreaterThanOrEqual(10);
      expect(new Set([...free, ...heldBack].map(({ length }) => length)).size, name).toBe(1);
    }
  });

  test("names words that the text has", () => {
    const strange = sentences.filter(({ text, relations }) =>
      relations.some(({ dependent, head = "" }) => !text.includes(dependent) || !text.includes(head)),
    );
    expect(strange).toEqual([]);
  });

  test("holds back no word of the frames, and none of its own texts", async () => {
    const frames = await readFile(
      new URL("../../../../tools/models/frames/english.txt", import.meta.url),
      "utf8",
    );
    const constructions = await readFile(new URL("constructions.txt", import.meta.url), "utf8");
    const lines = frames.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const words = lines.flatMap((line) =>
      line.startsWith("@")
        ? line.split(/[ ,]/).slice(1)
        : line.split(" ").map((token) => token.replace(/^[~+]/, "").split("/")[0]!),
    );
    const texts = constructions.matchAll(/^[^:\n]+: ([^|\n]*)/gm);
    const own = Array.from(texts, ([, text]) => text!.replace(/\{[^}]*\}/g, "").split(/[^\w']+/)).flat();
    const heldBack = heldBackForms();
    const both = [...words, ...own].filter((word) => heldBack.has(word.toLowerCase()));
    expect(both).toEqual([]);
  });

  test.each(["english", "english-small"])(
    "has the shares and errors of %s",
    { tags: ["slow"], timeout: 600_000 },
    async (model) => {
      const bytes = await readFile(new URL(`../../../${model}/${model}.model`, import.meta.url));
      const nlp = createPipeline(loadPipeline(bytes));
      const results = gridResults((texts) => texts.map((text) => nlp.run(text)));
      await expect(gridTable(results)).toMatchFileSnapshot(`shares-${model}.txt`);
      await expect(gridErrors(results)).toMatchFileSnapshot(`errors-${model}.txt`);
    },
  );
});
