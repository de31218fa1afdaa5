/**
 * Prints a table of results of `compare` on several treebanks, as Markdown: for each decoder and treebank the
 * LAS and the share of optimal trees in percent, and words per second on the first treebank.
 *
 * npm run bench -- compare --model M... --treebank DIR... --json compare.json
 * node apps/bench/scripts/decoder-table.mjs compare.json
 */
import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("expected compare.json");
const { results } = JSON.parse(readFileSync(file, "utf8"));
const percent = (share, digits) => (100 * share).toFixed(digits);
const names = results.map(({ treebank }) => treebank.replace(/^UD_/, "").replace(/-.*/, ""));

const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
row(["decoder", ...names.flatMap((name) => [`${name} LAS`, "optimal"]), "words/s"]);
console.log(`|---|${"---:|".repeat(2 * names.length + 1)}`);
for (const [k, { decoder, wordsPerSecond }] of results[0].decoders.entries()) {
  const rounding = 10 ** (Math.floor(Math.log10(wordsPerSecond)) - 1);
  const speed = rounding * Math.round(wordsPerSecond / rounding);
  const cells = results.flatMap(({ decoders }) => [
    percent(decoders[k].las, 2),
    percent(decoders[k].optimal, 1),
  ]);
  row([decoder, ...cells, speed.toLocaleString("en")]);
}
