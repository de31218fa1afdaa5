import fc from "fast-check";
import { expect, test } from "vitest";
import type { BatchInput, ParsedBlock } from "../src/batch.ts";
import { countSentences, sentenceStarts } from "../src/blocks.ts";
import { noInput } from "../src/input-fit.ts";
import { lostBlock, parseDespiteDeaths, ThreadDied } from "../src/salvage.ts";
import { conllu } from "./support.ts";

const block = (text: string, line = 1): BatchInput => ({ bytes: Buffer.from(text), file: "in.conllu", line });
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const idsOf = (text: string) => [...text.matchAll(/sent_id = (\w+)/g)].map(([, id]) => id!);

/** Parses blocks to themselves; dies of sentences of these ids as often as it says. */
function threads(deadly: ReadonlyMap<string, number>, knows = true) {
  const left = new Map(deadly);
  const tried: string[][] = [];
  const parse = async ({ bytes, line, constraints, trees, words }: BatchInput): Promise<ParsedBlock> => {
    const ids = idsOf(textOf(bytes));
    tried.push(ids);
    for (const beside of [constraints, trees, words]) {
      if (beside !== undefined) expect(beside.map(({ place }) => place)).toEqual(ids);
    }
    expect(sentenceStarts({ bytes, line })).toHaveLength(ids.length);
    const guilty = ids.findIndex((id) => (left.get(id) ?? 0) > 0);
    if (guilty >= 0) {
      left.set(ids[guilty]!, left.get(ids[guilty]!)! - 1);
      throw new ThreadDied("gone", knows ? guilty : undefined);
    }
    const counts = noInput();
    counts.words = ids.length;
    return { bytes, sentences: ids.length, words: ids.length, lost: [], counts };
  };
  return { parse, tried };
}

const sentence = (id: string) => conllu(id, "Sleep/VERB/0/root ./PUNCT/1/punct");
const abcde = ["a", "b", "c", "d", "e"].map(sentence).join("");

test("a sentence of which threads die costs itself alone", async () => {
  const { parse, tried } = threads(new Map([["c", 9]]));
  const { bytes, sentences, words, lost, counts } = await parseDespiteDeaths(parse, block(abcde, 11));
  expect(idsOf(textOf(bytes))).toEqual(["a", "b", "d", "e"]);
  expect([sentences, words, counts.words]).toEqual([5, 4, 4]);
  expect(lost).toEqual([{ place: "in.conllu:19: sentence c", count: 1, reason: "gone" }]);
  expect(tried).toEqual([["a", "b", "c", "d", "e"], ["a", "b"], ["c"], ["d", "e"]]);
});

test("tries a sentence of which one thread died once more", async () => {
  const { parse } = threads(new Map([["c", 1]]));
  const { bytes, lost } = await parseDespiteDeaths(parse, block(abcde));
  expect([textOf(bytes), lost]).toEqual([abcde, []]);
  const alone = threads(new Map([["c", 1]]));
  expect((await parseDespiteDeaths(alone.parse, block(sentence("c")))).lost).toEqual([]);
});

test("a block of which threads die before its first sentence is tried twice, then lost", async () => {
  const { parse, tried } = threads(new Map([["c", 9]]), false);
  const { bytes, sentences, lost } = await parseDespiteDeaths(parse, block(abcde));
  expect([bytes.length, sentences, tried.length]).toEqual([0, 5, 2]);
  expect(lost).toEqual([{ place: "in.conllu:1-19: 5 sentences (a, b, c, d, e)", count: 5, reason: "gone" }]);
});

test("passes on other errors", async () => {
  const parse = async () => Promise.reject(new TypeError("x is undefined"));
  await expect(parseDespiteDeaths(parse, block(abcde))).rejects.toThrow(TypeError);
});

test("whatever sentences threads die of, all others are there, in their order", async () => {
  const text = fc.record({
    ids: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 12 }),
    deaths: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
    end: fc.constantFrom("", "\n", "\n\n"),
    start: fc.constantFrom("", "\n", "\ufeff"),
  });
  await fc.assert(
    fc.asyncProperty(text, async ({ ids, deaths, start, end }) => {
      const deadly = new Map(ids.map((id, k) => [id, deaths[k]!]));
      const whole = `${start}${ids.map(sentence).join(end === "" ? "" : "\n")}${end}`;
      const place = { forms: [], heads: new Int32Array(0), labels: [] };
      const beside = ids.map((id) => ({ ...place, words: [], place: id }));
      const input = { ...block(whole), constraints: beside, trees: beside, words: beside };
      const { parse } = threads(deadly);
      const { bytes, sentences, lost } = await parseDespiteDeaths(parse, input);
      expect(sentences).toBe(ids.length);
      expect(idsOf(textOf(bytes))).toEqual(ids.filter((id) => deadly.get(id)! < 2));
      expect(lost.map(({ place }) => place.split(" ").at(-1))).toEqual(
        ids.filter((id) => deadly.get(id)! >= 2),
      );
      const lines = whole.split("\n");
      for (const { place } of lost) {
        const [, line, id] = /^in\.conllu:(\d+): sentence (\w+)$/.exec(place)!;
        const first = lines.findIndex((one) => one.endsWith(`sent_id = ${id}`)) + 1;
        // Blank lines before a sentence may be counted with it.
        expect(Number(line)).toBeLessThanOrEqual(first);
        expect(
          lines
            .slice(Number(line) - 1, first - 1)
            .join("")
            .replace("\ufeff", ""),
        ).toBe("");
      }
    }),
  );
});

test("a lost block is reported by file, lines and sent_ids", () => {
  const text = ["a", "b", "c", "d", "e", "f", "g"].map((id) => conllu(id, "Sleep/VERB/0/root")).join("");
  expect(countSentences(block(text))).toBe(7);
  expect(lostBlock(block(text, 10), "gone")).toEqual({
    place: "in.conllu:10-29: 7 sentences (a, b, c, d, e, ..., g)",
    count: 7,
    reason: "gone",
  });
});
