/**
 * What parts of several arcs, a network and trees add to a parser of PropBank graphs. Trains models with gold
 * tokens, tags, morphology and lemmas, and prints a row a model: labelled precision, recall and F1,
 * unlabelled F1, exact match, F1 of predicates and of their senses, share of certificates, words per second,
 * seconds of training, and the p-value of its labelled F1 against that of basic parts (paired bootstrap).
 * Then the same models with one network beside the sparse features.
 *
 * After a build: node apps/bench/scripts/semantic-graphs.mjs GRAPHS TREEBANK SPLIT TREES FOLDER [MODEL ...]
 *
 * GRAPHS and TREEBANK are files without "-train.sdp" and "-train.conllu"; SPLIT is dev or test; TREES is
 * none, gold, or two parsed files with a comma between, of the training sentences (see jackknife.mjs) and of
 * SPLIT. A MODEL is basic, unique, a kind of parts, or full: all unless named; with "-network", with the
 * network too. Models are kept in FOLDER: what is there already is not trained again, its seconds of training
 * are then 0.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSdp, sdpGraph, sdpId } from "@arcwise/conllu";
import { dependencyGraph, GRAPH_PART_KINDS } from "@arcwise/core";
import { graphCounts, graphScores, pairedBootstrap } from "@arcwise/evaluate";
import { createGraphParser, trainGraphParser } from "@arcwise/parser";
import { readGraphParserFile, writeGraphParserFile } from "@arcwise/parser/node";

const [, , GRAPHS, TREEBANK, SPLIT = "dev", TREES = "none", FOLDER, ...CHOSEN] = process.argv;
const SEED = 1;
/** Chosen on the development split. */
const SETTINGS = { seed: SEED, costs: { falsePositive: 0.3, falseNegative: 0.7 }, epochs: 8 };
const NETWORK = { units: 128, epochs: 12, weight: 0.6, labelWeight: 0.3 };
const PARTS = {
  basic: {},
  unique: { unique: true },
  ...Object.fromEntries(GRAPH_PART_KINDS.map((kind) => [kind, { parts: [kind], unique: true }])),
  full: { parts: GRAPH_PART_KINDS, unique: true },
};

/** Rows of the words of each sentence of a CoNLL-U file, by its identifier. */
function treebankRows(path) {
  const blocks = readFileSync(path, "utf8").split("\n\n");
  return new Map(
    blocks.map((block) => {
      const lines = block.split("\n");
      const id = lines.find((line) => line.startsWith("# sent_id = "))?.slice("# sent_id = ".length);
      return [id, lines.filter((line) => /^\d+\t/.test(line)).map((line) => line.split("\t"))];
    }),
  );
}

/** The graphs of a split, with the words of the treebank, and trees of another file or of the treebank. */
function examplesOf(split, trees) {
  const rowsOf = treebankRows(`${TREEBANK}-${split}.conllu`);
  const treesOf = trees === undefined ? rowsOf : treebankRows(trees);
  return parseSdp(readFileSync(`${GRAPHS}-${split}.sdp`, "utf8")).map((sentence) => {
    const rows = rowsOf.get(sdpId(sentence));
    const words = rows.map(([, form, lemma, upos, xpos, feats]) => ({
      form,
      lemma,
      upos,
      xpos,
      ...(feats !== "_" && { feats }),
    }));
    const parsed = treesOf.get(sdpId(sentence));
    const heads = Int32Array.from([-1, ...parsed.map((row) => Number(row[6]))]);
    return {
      sentence: words,
      graph: sdpGraph(sentence),
      tree: { heads, labels: ["", ...parsed.map((row) => row[7])] },
    };
  });
}

const withoutTree = ({ sentence, graph }) => ({ sentence, graph });
const withTree = ({ sentence, graph, tree }) => ({ sentence, graph, syntax: tree });

/** Returns the model of this name in FOLDER, trained and written there when it is missing. */
async function kept(name, train) {
  const path = join(FOLDER, `${name}.model`);
  if (existsSync(path)) return readGraphParserFile(path);
  const model = await train();
  await writeGraphParserFile(path, model);
  return model;
}

const seconds = () => process.cpuUsage().user / 1e6;
const percent = (share) => (100 * share).toFixed(2);

/** Parses the split and prints a row; returns what the bootstrap compares. */
function measure(name, model, held, trained, baseline) {
  const parser = createGraphParser(model);
  const from = seconds();
  const parses = held.map(({ sentence, syntax }) => parser.parse(sentence, { syntax }));
  const words = held.reduce((sum, { sentence }) => sum + sentence.length, 0);
  const speed = (words / (seconds() - from)).toFixed(0);
  const pairs = parses.map(({ n, edges, predicates }, i) => ({
    gold: held[i].graph,
    predicted: dependencyGraph(n, { edges, predicates }),
  }));
  const { labelled, unlabelled, predicates, senses } = graphScores(pairs);
  const counts = graphCounts(pairs, "labelled");
  const proven = parses.filter(({ score, bound }) => bound - score < 1e-6).length / parses.length;
  const p = baseline && pairedBootstrap({ a: baseline, b: counts }).pValue.toFixed(4);
  const figures = [labelled.precision, labelled.recall, labelled.f1, unlabelled.f1, labelled.exactMatch];
  const others = [predicates.f1, senses.f1, proven];
  console.log(`| ${[name, ...[...figures, ...others].map(percent), speed, trained, p ?? ""].join(" | ")} |`);
  return counts;
}

const names = CHOSEN.length > 0 ? CHOSEN : Object.keys(PARTS).flatMap((name) => [name, `${name}-network`]);
const unknown = names.find((name) => !Object.hasOwn(PARTS, name.replace(/-network$/, "")));
if (FOLDER === undefined || unknown !== undefined) {
  throw new Error("expected GRAPHS TREEBANK SPLIT TREES FOLDER and names of models, see the comment");
}
const parsedFiles = TREES === "none" || TREES === "gold" ? [] : TREES.split(",");
const [train, held] = [examplesOf("train", parsedFiles[0]), examplesOf(SPLIT, parsedFiles[1])];
const prepare = TREES === "none" ? withoutTree : withTree;
const [examples, targets] = [train.map(prepare), held.map(prepare)];
console.log(
  "| model | P | R | F1 | unlabelled | exact | predicates | senses | proven | words/s | training s | p |",
);
console.log("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
mkdirSync(FOLDER, { recursive: true });
const baselines = new Map();
for (const name of names) {
  const [parts] = name.split("-network");
  const from = seconds();
  const basicEpochs = parts === "basic" ? 0 : SETTINGS.epochs - 2;
  const sparse = await kept(`${parsedFiles.length > 0 ? "parsed" : TREES}-${parts}`, () =>
    trainGraphParser(examples, { preset: "fast", ...SETTINGS, ...PARTS[parts], basicEpochs }),
  );
  const isNeural = name !== parts;
  // One network serves all models: it depends on neither parts nor trees.
  const neural = () =>
    trainGraphParser(train.map(withoutTree), { preset: "fast", seed: SEED, epochs: 1, network: NETWORK });
  const model = isNeural ? { ...sparse, network: (await kept("network", neural)).network } : sparse;
  const trained = (seconds() - from).toFixed(0);
  const counts = measure(name, model, targets, trained, baselines.get(isNeural));
  if (parts === "basic") baselines.set(isNeural, counts);
}
console.log(`\npeak memory of this process: ${(process.resourceUsage().maxRSS / 2 ** 20).toFixed(2)} GiB`);
