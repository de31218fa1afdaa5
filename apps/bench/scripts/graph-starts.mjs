/**
 * Compares starts of AD3 over graphs: iterations, processor time, share of graphs proved optimal, and graphs
 * that differ from those of the decoder.
 *
 * - half: all means 1/2 and no multipliers, as `ad3GraphDecoder` starts
 * - bound: the same, after the bound at the multipliers of `basic`, which may prove the basic graph optimal
 * - means: the means of the best basic graph, no multipliers
 * - basic: those means, and multipliers that leave potentials to the factors of the predicates
 *
 * After a build: node apps/bench/scripts/graph-starts.mjs [MODEL GRAPHS.sdp WORDS.conllu [SENTENCES]]
 *
 * MODEL is a graph model without trees, with parts; WORDS has tags of the words. Without them: 300 random
 * problems of up to 12 words with parts of all kinds.
 */
import { readFileSync } from "node:fs";
import { parseConllu, parseSdp, sdpId, sentenceId, sentenceWords } from "@arcwise/conllu";
import { scoreGraph } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { graphProblems } from "@arcwise/decoder-laws";
import { createGraphParser } from "@arcwise/parser";
import { readGraphParserFile } from "@arcwise/parser/node";
import fc from "fast-check";
import { bestBasicGraph } from "../../../packages/decode-ad3/dist/graphs/basic-graph.js";
import { factorsOfGraph } from "../../../packages/decode-ad3/dist/graphs/graph-factors.js";
import { GraphRounding } from "../../../packages/decode-ad3/dist/graphs/graph-rounding.js";
import { choiceOf, graphVariables } from "../../../packages/decode-ad3/dist/graphs/graph-variables.js";
import { PredicateFactor } from "../../../packages/decode-ad3/dist/graphs/predicate-factor.js";
import { scaledGraph, withLabelsBelow } from "../../../packages/decode-ad3/dist/graphs/scaled-graph.js";
import { Ad3Run } from "../../../packages/decode-ad3/dist/solver/ad3.js";
import { layOut } from "../../../packages/decode-ad3/dist/solver/layout.js";

const [, , MODEL, GRAPHS, WORDS, SENTENCES = "300"] = process.argv;
const STARTS = ["half", "bound", "means", "basic", "half"];
/** As in the decoder. */
const SETTINGS = { maxIterations: 10, residualThreshold: 1e-3, eta: 1 };
const MAX_ITERATIONS = 100;
const TOLERANCE = 1e-9;

function randomProblems() {
  const handles = ["grandparent", "sibling", "coparent", "nextSibling", "nextCoparent", "unique"];
  return fc.sample(graphProblems({ handles, words: 12, arcs: 40 }), { numRuns: 300, seed: 1 });
}

async function modelProblems() {
  const parser = createGraphParser(await readGraphParserFile(MODEL));
  const words = new Map(
    parseConllu(readFileSync(WORDS, "utf8")).map((one) => [sentenceId(one), sentenceWords(one)]),
  );
  const sentences = parseSdp(readFileSync(GRAPHS, "utf8")).slice(0, Number(SENTENCES));
  const inputs = sentences.map((one) => ({ sentence: words.get(sdpId(one)) }));
  return parser.read(inputs).map((reading) => reading.problem());
}

/** Returns means of the variables of a graph; those that no factor of the problem has are kept. */
function meansOf({ predicates, labelled }, variables, means) {
  const result = means.slice();
  result.fill(0, 0, variables.potentials.length);
  const turnOn = (variable) => {
    if (variable >= 0) result[variable] = 1;
  };
  for (const [w, on] of predicates.entries()) if (on === 1) turnOn(variables.predicate[w]);
  for (const [a, chosen] of labelled.entries()) {
    if (chosen < 0 || variables.arc[a] < 0) continue;
    turnOn(variables.arc[a]);
    turnOn(variables.label[chosen]);
  }
  return result;
}

/** Returns multipliers that give each potential to the factor of its predicate, or to the first one. */
function ownedBy({ variables, factors, links, start, variable, potential, degree, maximizers }) {
  const owner = new Int32Array(variables).fill(-1);
  for (let f = factors - 1; f >= 0; f--) {
    for (let l = start[f]; l < start[f + 1]; l++) {
      if (owner[variable[l]] < 0 || maximizers[f] instanceof PredicateFactor) owner[variable[l]] = l;
    }
  }
  return Float64Array.from({ length: links }, (_, l) => {
    const v = variable[l];
    return (owner[v] === l ? potential[v] : 0) - potential[v] / degree[v];
  });
}

/** AD3 as in the decoder, for problems without constraints. */
function solve(problem, start) {
  const { n, head } = problem.arcs;
  const basic = { predicates: new Uint8Array(n + 1), labelled: new Int32Array(head.length) };
  bestBasicGraph(problem, basic.predicates, basic.labelled, new Float64Array(n + 1));
  const found = { best: basic, bound: Infinity, iterations: 0 };
  if (problem.parts.length === 0 && scoreGraph(problem, basic) > -Infinity)
    return { ...found, isOptimal: true };
  const scaled = scaledGraph(withLabelsBelow(problem));
  const variables = graphVariables(scaled.problem, false);
  const rounding = new GraphRounding(scaled.problem, variables);
  const tolerance = TOLERANCE * (n + head.length + 1);
  let score = scoreGraph(scaled.problem, basic);
  const offer = (choice) => {
    const value = scoreGraph(scaled.problem, choice);
    if (value <= score) return;
    score = value;
    found.best = choice;
  };
  const isOpen = () => found.bound > score + tolerance;
  const run = new Ad3Run(
    layOut(factorsOfGraph({ problem: scaled.problem, variables, isSplit: false, cuts: [] })),
    SETTINGS,
  );
  const { messages, layout } = run;
  const none = new Float64Array(layout.links);
  const means =
    start === "half" || start === "bound" ? messages.mean.slice() : meansOf(basic, variables, messages.mean);
  const multipliers = start === "bound" || start === "basic" ? ownedBy(layout) : none;
  if (start !== "half") messages.restore({ eta: messages.eta, means, multipliers });
  if (start === "bound") {
    found.bound = messages.boundOf(run.dualBound) + variables.constant;
    messages.reset(messages.eta);
  }
  let status = "unsolved";
  while (isOpen() && found.iterations < MAX_ITERATIONS && status === "unsolved") {
    const floor = score === -Infinity ? -scaled.total - 1 : score + tolerance;
    status = run.run(floor - variables.constant);
    found.iterations += run.iterations;
    found.bound = Math.min(found.bound, run.bound + variables.constant);
    offer(rounding.round(messages.mean));
    if (status === "integral") offer(choiceOf(scaled.problem, variables, run.incumbent));
  }
  return { ...found, isOptimal: !isOpen() };
}

const problems = MODEL === undefined ? randomProblems() : await modelProblems();
const decoder = ad3GraphDecoder();
const expected = problems.map((problem) => decoder.decodeWithReport(problem));
const text = ({ predicates, labelled }) => `${predicates.join("")} ${labelled.join(" ")}`;
for (const problem of problems) solve(problem, "half");
console.log(`${problems.length} problems`);
console.log("| start | iterations | none | ms | optimal | other graphs | better | worse |");
console.log("|---|---:|---:|---:|---:|---:|---:|---:|");
for (const start of STARTS) {
  const from = process.cpuUsage().user;
  const found = problems.map((problem) => solve(problem, start));
  const ms = (process.cpuUsage().user - from) / 1000 / problems.length;
  const gains = found.map(({ best }, i) => scoreGraph(problems[i], best) - expected[i].score);
  const count = (of) => found.filter(of).length;
  if (start === "half" && found.some(({ iterations }, i) => iterations !== expected[i].counts.iterations)) {
    throw new Error("expected the iterations of the decoder");
  }
  const figures = [
    (found.reduce((sum, { iterations }) => sum + iterations, 0) / problems.length).toFixed(1),
    count(({ iterations }) => iterations === 0),
    ms.toFixed(2),
    count(({ isOptimal }) => isOptimal),
    count(({ best }, i) => text(best) !== text(expected[i])),
    gains.filter((gain) => gain > 1e-9).length,
    gains.filter((gain) => gain < -1e-9).length,
  ];
  console.log(`| ${[start, ...figures].join(" | ")} |`);
}
