import { type GraphChoice, scoreGraph, validateGraphProblem } from "@arcwise/core";
import { ModelError, readContainer, writeContainer } from "@arcwise/core/container";
import type { TrainingProgress } from "@arcwise/core/training";
import { decoderNames } from "@arcwise/parser/decoding";
import { beforeAll, describe, expect, test } from "vitest";
import { elsewhere } from "../../../tools/elsewhere.ts";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { checkGraphTrainOptions } from "../src/graph-settings.ts";
import {
  createGraphParser,
  type GraphModel,
  type GraphTrainOptions,
  loadGraphParser,
  saveGraphParser,
  takesTrees,
  trainGraphParser,
} from "../src/index.ts";
import { graphParserFile, trainedGraphParser } from "./fast-training.ts";
import { GRAPHS, PLAIN } from "./graph-support.ts";

const OPTIONS: GraphTrainOptions = {
  preset: "accurate",
  terms: ["network"],
  network: { units: 8, epochs: 4 },
};

let model: GraphModel;
let file: Uint8Array;

beforeAll(async () => {
  file = await graphParserFile(PLAIN, OPTIONS);
  model = loadGraphParser(file);
});

describe("a network alone that finds graphs", () => {
  test.each(decoderNames("graphs", "parsing"))(
    "fills problems that %s decodes to the best graph",
    (decoder) => {
      const parser = createGraphParser(model, { decoder });
      for (const { sentence } of GRAPHS.slice(2, 4)) {
        const reading = parser.read([{ sentence }])[0]!;
        const problem = reading.problem();
        validateGraphProblem(problem);
        expect(problem.parts).toEqual([]);
        // The labels of an arc have probabilities that sum to 1.
        const { count, start, scores } = problem.labels;
        for (let a = 0; a < problem.arcs.head.length; a++) {
          expect(start[a + 1]! - start[a]!).toBe(count);
          const sum = scores
            .subarray(start[a]!, start[a + 1]!)
            .reduce((total, score) => total + Math.exp(score), 0);
          expect(sum).toBeCloseTo(1, 6);
        }
        expect(reading.best().score).toBeCloseTo(bestScore(problem), 6);
      }
    },
  );

  test("gives arcs the probability of the network where their heads are predicates anyway", () => {
    const { sentence } = GRAPHS[2]!;
    const reading = createGraphParser(model, { decoder: "basic" }).read([{ sentence }])[0]!;
    const problem = reading.problem();
    const { arcs, predicates } = reading.marginals();
    for (const probability of [...arcs, ...predicates]) {
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
    }
    // With one candidate arc of a head: p(arc | predicate) is the sigmoid of its log-odds.
    const a = problem.arcs.head.findIndex(
      (h) => problem.arcs.head.filter((other) => other === h).length === 1,
    );
    const h = problem.arcs.head[a]!;
    expect(arcs[a]! / predicates[h]!).toBeCloseTo(1 / (1 + Math.exp(-problem.arcScores[a]!)), 6);
  });

  test("comes to know its training graphs with senses, and reads no trees but for senses", async () => {
    const network = { units: 16, epochs: 400 };
    const options = { ...OPTIONS, network, seed: 3 };
    const learned = createGraphParser(await trainedGraphParser(PLAIN, options));
    const right = PLAIN.flatMap(({ sentence, graph }) => {
      const { edges, predicates } = learned.parse(sentence);
      return [
        ...graph.edges.map((edge) => edges.some((own) => JSON.stringify(own) === JSON.stringify(edge))),
        ...graph.predicates.map(({ sense }) => predicates.some((own) => own.sense === sense)),
      ];
    });
    expect(right.filter(Boolean).length / right.length).toBeGreaterThan(0.7);
    expect(takesTrees(model)).toBe(false);
    const withTrees = await trainedGraphParser(GRAPHS, OPTIONS);
    expect(takesTrees(withTrees)).toBe(true);
    const { sentence, syntax } = GRAPHS[0]!;
    expect(createGraphParser(withTrees).parse(sentence, { syntax }).n).toBe(sentence.length);
  });

  test("is trained to the same bytes in parallel and after interruptions, and measured in the end", async () => {
    const kept = new MemoryCheckpoint();
    const seen: TrainingProgress[] = [];
    const options = { ...OPTIONS, dev: PLAIN };
    const whole = saveGraphParser(
      await trainGraphParser(PLAIN, {
        ...options,
        onProgress: (at) => void seen.push(at),
        checkpoint: kept,
      }),
    );
    expect(kept.moments).toHaveLength(4);
    expect(new Set(seen.map(({ step }) => step))).toEqual(new Set(["network"]));
    expect(seen.at(-1)!.dev!.f1).toBeGreaterThanOrEqual(0);
    for (const write of kept.moments.keys()) {
      const checkpoint = kept.after(write);
      expect(saveGraphParser(await trainGraphParser(PLAIN, { ...options, checkpoint }))).toEqual(whole);
    }
    expect(saveGraphParser(await trainGraphParser(PLAIN, { ...options, place: elsewhere() }))).toEqual(whole);
  });

  test("has neither weights nor a pruner in its file, and is refused with either", () => {
    const loaded = loadGraphParser(file);
    expect(saveGraphParser(loaded)).toEqual(file);
    expect(loaded.description).toMatchObject({ terms: ["network"] });
    expect(loaded.description.learner).toBeUndefined();
    const { header, vectors } = readContainer(file, "graph model");
    expect([vectors.weights, vectors.pruner].map((own) => own?.length ?? 0)).toEqual([0, 0]);
    const { features, pruner } = header as GraphModel;
    for (const change of [
      { features: { ...features, arcs: ["h.word"] } },
      { features: { ...features, arcBits: 3 } },
      { pruner: { ...pruner, bits: 3 } },
      { filter: { start: new Array(1025).fill(0), list: [] } },
      { network: undefined },
    ]) {
      const damaged = writeContainer({
        kind: "graph model",
        header: { ...(header as object), ...change },
        vectors,
      });
      expect(() => loadGraphParser(damaged)).toThrow(ModelError);
    }
  });

  test.each<GraphTrainOptions>([
    { rules: true },
    { parts: ["sibling"] },
    { learner: "mira" },
    { epochs: 3 },
    { network: { weight: 0.5 } },
  ])("refuses settings of features: %j", async (options) => {
    const [at] = Object.keys(options);
    const error = await trainGraphParser(PLAIN, { ...OPTIONS, ...options }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "invalid-option", at: expect.stringMatching(`^${at}`) });
  });
});

describe("presets of networks alone", () => {
  test.each<[string, GraphTrainOptions, boolean, readonly string[]]>([
    ["read words alone", {}, false, ["network"]],
    ["have features for trees, which networks do not read", {}, true, ["network", "features"]],
    ["have features for settings of features", { parts: ["sibling"] }, false, ["network", "features"]],
    ["have the terms that are given", { terms: ["network"] }, true, ["network"]],
    ["without a network are features", { terms: ["features"] }, false, ["features"]],
  ])("%s", (_, options, hasTrees, terms) => {
    for (const preset of ["fast", "balanced"] as const) {
      const settings = checkGraphTrainOptions({ preset, ...options }, hasTrees);
      expect(settings.terms).toEqual(terms);
      expect(settings.network !== false).toBe(terms.includes("network"));
    }
  });

  test("of sentences with trees learn from these", async () => {
    const parser = await trainGraphParser(GRAPHS, {
      preset: "fast",
      epochs: 1,
      network: { units: 8, epochs: 1 },
    });
    expect(parser.description).toMatchObject({ trees: true, network: { units: 8 } });
    const alone = await trainGraphParser(PLAIN, { preset: "fast", network: { units: 8, epochs: 1 } });
    expect(alone.description).toMatchObject({ terms: ["network"] });
  });
});

/** The highest score of a graph, by enumeration: words are predicates or not, and arcs of predicates have a label or not. */
function bestScore(
  problem: ReturnType<ReturnType<ReturnType<typeof createGraphParser>["read"]>[number]["problem"]>,
) {
  const { arcs, labels, predicateScores } = problem;
  const n = predicateScores.length - 1;
  let best = -Infinity;
  for (let on = 0; on < 2 ** n; on++) {
    const predicates = Uint8Array.from({ length: n + 1 }, (_, w) => (w === 0 ? 1 : (on >> (w - 1)) & 1));
    // Arcs are independent given the predicates.
    const labelled = Int32Array.from(arcs.head, (h, a) => {
      if (predicates[h] === 0) return -1;
      const own = Array.from(
        { length: labels.start[a + 1]! - labels.start[a]! },
        (_, k) => labels.start[a]! + k,
      );
      const top = own.toSorted((x, y) => labels.scores[y]! - labels.scores[x]!)[0]!;
      return problem.arcScores[a]! + labels.scores[top]! > 0 ? top : -1;
    });
    const choice: GraphChoice = { predicates, labelled };
    best = Math.max(best, scoreGraph(problem, choice));
  }
  return best;
}
