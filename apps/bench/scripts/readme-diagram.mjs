/**
 * Writes docs/images/parse.svg, the picture of the README: a sentence of the test split of the bundled sample
 * with the tree that a first-order parser finds, trained on the sample's other splits with seed 1.
 *
 * After a build: node apps/bench/scripts/readme-diagram.mjs [FILE]
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseConllu, sentenceTree, sentenceWords, withTree } from "@arcwise/conllu";
import { writeWhole } from "@arcwise/core/node";
import { drawSvg, judgeArcs, sentenceDiagram } from "@arcwise/draw";
import { createParser, trainParser } from "@arcwise/parser";

const TEXT = "# text = Police are looking for a man who was seen near the station.";
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [, , file = at("../../../docs/images/parse.svg")] = process.argv;

function sentencesOf(split) {
  return parseConllu(readFileSync(at(`../sample/${split}.conllu`), "utf8"));
}

const examples = ["train", "dev"].flatMap((split) =>
  sentencesOf(split).map((one) => ({ sentence: sentenceWords(one), tree: sentenceTree(one) })),
);
const parser = createParser(await trainParser(examples, { preset: "linear", seed: 1 }));
const source = readFileSync(at("../sample/test.conllu"), "utf8");
const block = source.split("\n\n").find((text) => text.includes(`${TEXT}\n`));
if (block === undefined) throw new Error(`sample/test.conllu: expected "${TEXT}", found no such sentence`);
const [sentence] = parseConllu(`${block}\n\n`);
const parsed = withTree(sentence, parser.parse(sentenceWords(sentence)));
const diagram = sentenceDiagram(parsed);
await writeWhole(file, new TextEncoder().encode(`${drawSvg(diagram)}\n`));
const { predicted } = judgeArcs(diagram.arcs, sentenceDiagram(sentence).arcs);
const right = predicted.filter(({ kind }) => kind === "right").length;
console.log(`${file}: ${right} of ${predicted.length} arcs are right`);
