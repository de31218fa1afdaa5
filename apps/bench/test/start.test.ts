import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, sentenceId, validateText } from "@arcwise/conllu";
import { expect, test } from "vitest";
import type { ComparisonResult } from "../src/measures/compare-trees.ts";
import { bench, nestingFaults, outsideReferences, temporaryFolder } from "./support.ts";

const read = (file: string): string => readFileSync(new URL(`../ewt/${file}`, import.meta.url), "utf8");

test("start: prints a tree, and writes a report of the text, the accuracy, the errors and the decoders", {
  tags: "slow",
}, async () => {
  const folder = temporaryFolder();
  const [json, html] = [join(folder, "start.json"), join(folder, "start.html")];
  const argv = ["start", "Dogs", "bark. Cats sleep.", "--time", "1", "--json", json, "--html", html];
  const { code, out, err } = await bench(argv);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  for (const verb of ["bark  VERB", "sleep  VERB"]) expect(out).toContain(verb);
  expect(out).toContain("npm run playground");
  expect(out.split("\n").length).toBeLessThan(31);
  const { results } = JSON.parse(readFileSync(json, "utf8")) as {
    results: { wordsPerSecond: number; las: number; comparison: ComparisonResult };
  };
  const { wordsPerSecond, las, comparison } = results;
  expect(wordsPerSecond).toBeGreaterThan(100);
  expect(las).toBeGreaterThan(0.8);
  expect(las).toBeLessThan(comparison.decoders[0]!.las);
  expect(comparison).toMatchObject({ sentences: 200, words: 2222, certified: 1 });
  // The model scores arcs alone: decoders that would ignore their parts are left out.
  expect(comparison.decoders.map(({ decoder }) => decoder)).toEqual([
    "maximum spanning arborescence",
    "Eisner",
    "AD3",
    "hill climbing",
    "AD3 with branch and bound",
  ]);
  const [arborescence, eisner] = comparison.decoders;
  expect(arborescence!.optimal).toBe(1);
  expect(eisner!.optimal).toBeLessThan(1);
  for (const { las } of comparison.decoders) expect(las).toBeGreaterThan(0.8);
  const page = readFileSync(html, "utf8");
  expect(nestingFaults(page)).toEqual([]);
  const headings = [...page.matchAll(/<(?:h2|p class="chapter")>(.*?)</g)].map(([, title]) => title);
  expect(headings).toEqual([
    "Contents",
    "Your text",
    "How right it is",
    "Where it errs",
    "What next",
    "For those who write parsers",
    "Decoders on 200 sentences of UD_English-EWT",
  ]);
  for (const text of ["Dogs bark.", "Cats sleep.", "spaCy 3.8"]) expect(page).toContain(text);
  expect(outsideReferences(page)).toEqual([]);
});

test("the sentences of EWT are valid, distinct and counted by their README", () => {
  const text = read("en_ewt-sample-test.conllu");
  const errors = [...validateText(text, { file: "sample" })].filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  const sentences = parseConllu(text);
  expect(new Set(sentences.map(sentenceId)).size).toBe(200);
  const genres = ["weblog", "email", "newsgroup", "answers", "reviews", ""];
  for (const genre of genres) {
    const own = sentences.filter((sentence) => sentenceId(sentence)?.startsWith(genre));
    const words = own.reduce((sum, { rows }) => sum + rows.filter(({ kind }) => kind === "word").length, 0);
    expect(read("README.md")).toContain(
      `| ${genre || "all"} | ${own.length} | ${words.toLocaleString("en-US")} |`,
    );
  }
  expect(read("LICENSE.txt")).toContain("Attribution-ShareAlike 4.0 International");
});
