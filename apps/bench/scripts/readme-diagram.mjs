/**
 * Writes docs/images/parse.svg, the picture of the README: a sentence of the test split of the bundled sample
 * with the tree that a first-order parser finds, trained on the sample's other splits with seed 1.
 *
 * After a build: node apps/bench/scripts/readme-diagram.mjs [FILE]
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { writeWhole } from "@arcwise/core/node";
import { createParser, trainParser } from "@arcwise/parser";
import { arcDiagram } from "../dist/report/page/arc-diagram.js";
import { judgeEdges } from "../dist/report/page/sentences.js";

const TEXT = "# text = Police are looking for a man who was seen near the station.";
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [, , file = at("../../../docs/images/parse.svg")] = process.argv;

/** Colours for light and dark pages, which an image takes from the reader's preference. */
const STYLE =
  "svg{color:#1f2328}.page{fill:#fff}.arc{stroke:#0b6bcb;stroke-width:1.3}.arrow{fill:#0b6bcb}" +
  ".label{fill:#57606a;stroke:#fff;stroke-width:4;paint-order:stroke}.root{fill:#57606a;font-style:italic}" +
  ".wrong .arc,.relabelled .arc{stroke:#b3261e;stroke-dasharray:9 3}" +
  "@media(prefers-color-scheme:dark){svg{color:#e6edf3}.page{fill:#0d1117}.arc{stroke:#6cb6ff}" +
  ".arrow{fill:#6cb6ff}.label,.root{fill:#9ea7b3}.label{stroke:#0d1117}}";

function sentencesOf(split) {
  return parseConllu(readFileSync(at(`../sample/${split}.conllu`), "utf8"));
}

function edgesOf({ heads, labels }) {
  return [...heads].slice(1).map((head, i) => ({ head, modifier: i + 1, label: labels[i + 1] }));
}

const examples = ["train", "dev"].flatMap((split) =>
  sentencesOf(split).map((one) => ({ sentence: sentenceWords(one), tree: sentenceTree(one) })),
);
const parser = createParser(await trainParser(examples, { seed: 1 }));
const source = readFileSync(at("../sample/test.conllu"), "utf8");
const block = source.split("\n\n").find((text) => text.includes(`${TEXT}\n`));
if (block === undefined) throw new Error(`sample/test.conllu: expected "${TEXT}", found no such sentence`);
const [sentence] = parseConllu(`${block}\n\n`);
const words = sentenceWords(sentence);
const { found } = judgeEdges(edgesOf(parser.parse(words)), edgesOf(sentenceTree(sentence)));
const svg = arcDiagram({ words: words.map(({ form }) => form), above: found, below: [] });
const standalone = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
const page = `<style>${STYLE}</style><rect class="page" width="100%" height="100%" rx="6"/>`;
await writeWhole(file, `${standalone.replace(/^(<svg [^>]*>)/, `$1${page}`)}\n`);
console.log(
  `${file}: ${found.filter(({ kind }) => kind === "right").length} of ${found.length} arcs are right`,
);
