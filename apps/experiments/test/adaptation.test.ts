import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAMPLE } from "@arcwise/bench/data";
import { parseConllu, sentenceTree } from "@arcwise/conllu";
import { afterAll, describe, expect, test } from "vitest";
import { genresOf } from "../src/adaptation/genres.ts";
import { annotated } from "../src/adaptation/partial.ts";
import { experiments } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "arcwise-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SENTENCES = readFileSync(join(SAMPLE, "dev.conllu"), "utf8").trim().split("\n\n").slice(0, 24);
/** Sentences in documents of four, of the genres news and bio in turn. */
const documents = SENTENCES.map((text, i) => {
  const genre = (i / 4) % 2 < 1 ? "news" : "bio";
  return i % 4 === 0 ? `# newdoc id = GUM_${genre}_${i}\n${text}` : text;
}).join("\n\n");
const treebank = parseConllu(`${documents}\n\n`);

describe("genres", () => {
  test("have the first sentences, and the documents of which none is among them", () => {
    const genres = genresOf(treebank, 5);
    expect(genres.map(({ name, corrected, rest }) => [name, corrected.length, rest.length])).toEqual([
      ["bio", 5, 4],
      ["news", 5, 4],
    ]);
    const [bio] = genres;
    expect(bio!.corrected[0]).toBe(treebank[4]);
    expect(bio!.rest).toEqual(treebank.slice(20, 24));
    expect(genresOf(treebank, 12)).toEqual([]);
  });
});

describe("annotations", () => {
  const headsOf = (sentences: ReturnType<typeof annotated>) =>
    sentences.flatMap(({ rows }) => rows.filter((row) => row.kind === "word" && row.head >= 0)).length;

  test("have about the same number of heads, of all sentences or of whole ones", () => {
    const words = annotated(treebank, "words", 0.5, 1);
    const whole = annotated(treebank, "sentences", 0.5, 1);
    expect(words).toHaveLength(treebank.length);
    expect(headsOf(words) / headsOf(treebank)).toBeCloseTo(0.5, 0);
    expect(headsOf(whole) / headsOf(treebank)).toBeCloseTo(0.5, 0);
    expect(whole.length).toBeLessThan(treebank.length);
    for (const sentence of whole) expect(() => sentenceTree(sentence)).not.toThrow();
    expect(annotated(treebank, "full", 0.5, 1)).toEqual(treebank);
  });
});

test("the experiments measure a small treebank", { tags: "slow" }, async () => {
  for (const split of ["train", "dev", "test"])
    writeFileSync(join(folder, `x-${split}.conllu`), `${documents.replaceAll("GUM_", `GUM_${split}_`)}\n\n`);
  const other = mkdtempSync(join(folder, "other-"));
  for (const split of ["train", "dev", "test"])
    writeFileSync(join(other, `x-${split}.conllu`), `${documents}\n\n`);
  const model = join(folder, "base.model");
  const argv = ["adaptation", "--quick", "--treebank", folder, "--other", other, "--model", model];
  const { code, out, err } = await experiments(argv);
  expect([code, err.match(/news: 8 sentences/)?.length]).toEqual([0, 1]);
  expect(out).toMatch(/bio.*8.*0.*0\.001/);
  expect(existsSync(model)).toBe(true);
  const partial = await experiments(["partial", "--quick", "--treebank", folder]);
  expect(partial.out).toMatch(/half of the heads/);
});
