import { crf, svm } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AutomatonFactory,
  type AutomatonModel,
  bioForbidden,
  createAutomatonLabeller,
  type LabelledSentence,
  trainAutomaton,
} from "../src/index.ts";
import { automatonOf, gramAutomaton, type LabelAutomaton, statesOf } from "../src/inference/automaton.ts";
import {
  type AutomatonProblem,
  bestLabelling,
  labellingSums,
  type StepScores,
} from "../src/inference/automaton-search.ts";
import { completeLattice, NoLabelling } from "../src/inference/chain-problem.ts";
import { StateSpace } from "../src/inference/state-space.ts";
import { viterbi } from "../src/inference/viterbi.ts";
import { latticeOf, randomChain } from "./brute-force.ts";

/** Returns the score of a label after a state at a position. */
type TransitionScore = (state: number, label: number, position: number) => number;

const stepScores =
  (transition: TransitionScore): StepScores =>
  ({ from, before, label }, position) =>
    Float64Array.from(before, (state, t) => transition(from.states[state], label[t], position));

interface RandomAutomaton {
  readonly next: readonly (readonly number[])[];
  readonly scores: readonly (readonly number[])[];
  readonly final: readonly boolean[];
  readonly unary: readonly (readonly number[])[];
  readonly allowed: readonly (readonly number[])[];
}

const LABELS = 3;
const STATES = 4;
const score = fc.double({ min: -5, max: 5, noNaN: true });
const automata: fc.Arbitrary<RandomAutomaton> = fc.record({
  next: fc.array(
    fc.array(fc.integer({ min: -1, max: STATES - 1 }), { minLength: LABELS, maxLength: LABELS }),
    {
      minLength: STATES,
      maxLength: STATES,
    },
  ),
  scores: fc.array(fc.array(score, { minLength: LABELS, maxLength: LABELS }), {
    minLength: STATES,
    maxLength: STATES,
  }),
  final: fc.array(fc.boolean(), { minLength: STATES, maxLength: STATES }),
  unary: fc.array(fc.array(score, { minLength: LABELS, maxLength: LABELS }), { minLength: 5, maxLength: 5 }),
  allowed: fc.array(fc.subarray([0, 1, 2], { minLength: 1 }), { minLength: 1, maxLength: 5 }),
});

function problemOf({ next, final, unary, allowed }: RandomAutomaton): AutomatonProblem {
  const automaton: LabelAutomaton = {
    start: 0,
    next: (state, label) => next[state][label],
    isFinal: (state) => final[state],
  };
  const scores = allowed.flatMap((labels, i) => labels.map((label) => unary[i][label]));
  return { lattice: latticeOf(allowed), scores, automaton };
}

/** Returns the labellings that an automaton allows, with their scores, by enumeration. */
function enumerated({ lattice, scores, automaton }: AutomatonProblem, transition: TransitionScore) {
  const { n, start, labels } = lattice;
  let all: { labels: number[]; score: number }[] = [{ labels: [], score: 0 }];
  for (let i = 0; i < n; i++) {
    all = all.flatMap((before) => {
      const state = before.labels.reduce((at, label) => automaton.next(at, label), automaton.start);
      return Array.from(labels.subarray(start[i], start[i + 1]), (label, c) => ({
        labels: [...before.labels, label],
        score: before.score + scores[start[i] + c] + transition(state, label, i),
      })).filter(() => state >= 0);
    });
    all = all.filter((one) => {
      let state = automaton.start;
      for (const label of one.labels) if (state >= 0) state = automaton.next(state, label);
      return state >= 0;
    });
  }
  return all.filter((one) => statesOf(automaton, one.labels) !== undefined);
}

describe("against enumeration", () => {
  test("the best labelling, log-partition and marginals of any automaton", () => {
    fc.assert(
      fc.property(automata, (random) => {
        const problem = problemOf(random);
        const transition: TransitionScore = (state, label, i) => random.scores[state][label] * (1 + (i % 2));
        const all = enumerated(problem, transition);
        if (all.length === 0) {
          expect(() => bestLabelling(problem, stepScores(transition))).toThrow(NoLabelling);
          expect(() => labellingSums(problem, stepScores(transition))).toThrow(NoLabelling);
          return;
        }
        const best = bestLabelling(problem, stepScores(transition));
        expect(best.score).toBeCloseTo(Math.max(...all.map((one) => one.score)), 9);
        const own = all.find((one) => one.labels.join() === best.labels.join());
        expect(own!.score).toBeCloseTo(best.score, 9);
        const total = all.reduce((sum, one) => sum + Math.exp(one.score), 0);
        const { logPartition, marginals, eachTransition } = labellingSums(problem, stepScores(transition));
        expect(logPartition).toBeCloseTo(Math.log(total), 9);
        const { start, labels } = problem.lattice;
        const expected = new Float64Array(marginals.length);
        for (const one of all) {
          for (const [i, label] of one.labels.entries()) {
            const c = labels.subarray(start[i], start[i + 1]).indexOf(label);
            expected[start[i] + c] += Math.exp(one.score) / total;
          }
        }
        for (const [k, probability] of expected.entries()) expect(marginals[k]).toBeCloseTo(probability, 9);
        const sums = new Float64Array(problem.lattice.n);
        eachTransition((i, _state, _label, probability) => {
          sums[i] += probability;
        });
        for (const sum of sums) expect(sum).toBeCloseTo(1, 9);
      }),
      { numRuns: 300 },
    );
  });

  test.each([2, 3] as const)("k-grams of order %i give what Viterbi's algorithm gives on chains", (order) => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 6 }), (seed, n) => {
        const chain = randomChain({ seed, order, n, count: LABELS, shared: true });
        const { lattice, grams, table, scores } = chain;
        const base = LABELS + 1;
        const transition: TransitionScore = (state, label, i) => {
          const second = i > 0 ? (state % base) - 1 : 0;
          const first = order === 3 && i > 1 ? Math.floor(state / base) - 1 : 0;
          return grams[table[i] + (first * (i > 0 ? LABELS : 1) + second) * LABELS + label];
        };
        const automaton = gramAutomaton(LABELS, order);
        const found = bestLabelling({ lattice, scores, automaton }, stepScores(transition));
        expect(found.score).toBeCloseTo(viterbi(chain).score, 9);
      }),
    );
  });
});

describe("the states that sequences reach", () => {
  const labels = Int32Array.of(0, 1, 2);
  const walk = (space: StateSpace, n: number) => {
    const sets = [space.start];
    for (let i = 0; i < n; i++) sets.push(space.step(sets[i], labels).to);
    return sets;
  };

  test("of k-grams are the same from k - 1 labels on, and shared", () => {
    const sets = walk(new StateSpace(gramAutomaton(LABELS, 4)), 6);
    expect(sets.map(({ states }) => states.length)).toEqual([1, 3, 9, 27, 27, 27, 27]);
    expect(sets[4]).toBe(sets[3]);
    expect(sets[2]).not.toBe(sets[3]);
  });

  test("are the same when no transitions are kept", () => {
    const automaton = gramAutomaton(LABELS, 3);
    const [kept, anew] = [new StateSpace(automaton), new StateSpace(automaton, 0)];
    expect(walk(anew, 5).map(({ states }) => states)).toEqual(walk(kept, 5).map(({ states }) => states));
    expect(anew.start.steps.size).toBe(0);
    expect(kept.start.steps.size).toBe(1);
  });
});

describe("k-grams", () => {
  test.each([1, 2, 3, 4, 5])(
    "of order %i are states of the labels before, and features of all lengths",
    (order) => {
      const automaton = gramAutomaton(LABELS, order);
      const sequence = fc.array(fc.nat(LABELS - 1), { minLength: 1, maxLength: 7 });
      fc.assert(
        fc.property(sequence, sequence, (one, other) => {
          const [a, b] = [statesOf(automaton, one)!.at(-1)!, statesOf(automaton, other)!.at(-1)!];
          const history = (labels: readonly number[], k: number) =>
            (k < 2 ? [] : [...Array<number>(order).fill(-1), ...labels].slice(1 - k)).join();
          expect(a === b).toBe(history(one, order) === history(other, order));
          const features = automaton.features!(a, 1);
          expect(features).toHaveLength(order - 1);
          for (const [k, code] of automaton.features!(b, 1).entries()) {
            expect(features.includes(code)).toBe(history(one, k + 2) === history(other, k + 2));
          }
        }),
      );
    },
  );

  test.each([
    ["no order", () => gramAutomaton(3, 0)],
    ["too many states", () => gramAutomaton(1000, 6)],
    ["forbidden pairs without states", () => gramAutomaton(3, 1, new Uint8Array(12))],
  ])("are refused with %s", (_what, make) => {
    expect(make).toThrow(RangeError);
  });

  test("keep only reached states", () => {
    const labels = ["B-X", "I-X", "O"];
    const automaton = gramAutomaton(3, 4, bioForbidden(labels));
    expect(statesOf(automaton, [2, 1])).toBeUndefined();
    const scores = Float64Array.from({ length: 30 }, (_, k) => (k % 3 === 1 ? 5 : 0));
    const problem = { lattice: completeLattice(10, 3), scores, automaton };
    const { labels: best } = bestLabelling(
      problem,
      stepScores(() => 0),
    );
    expect(Array.from(best)).toEqual([0, ...Array<number>(9).fill(1)]);
  });
});

const sentences = (texts: readonly string[]): LabelledSentence[] =>
  texts.map((labels) => ({ sentence: [...labels].map(() => ({ form: "w" })), labels: [...labels] }));
const words = (n: number) => Array.from({ length: n }, () => ({ form: "w" }));

describe("a model", () => {
  // The label depends on the three before it: pairs and triples of labels are ambiguous.
  const period = "aababb".repeat(4);
  const learners = {
    "the perceptron": undefined,
    "a conditional random field": (dimension: number) => crf(dimension),
    "a structured SVM": (dimension: number) => svm(dimension, { optimizer: "adagrad", rate: 0.1 }),
  };

  test.each(Object.entries(learners))(
    "of 4-grams learns by %s what trigrams cannot",
    async (_name, learner) => {
      const errors = async (order: number): Promise<number> => {
        const automaton: AutomatonFactory = (labels) => gramAutomaton(labels.length, order);
        const options = { templates: ["bias"], automaton, learner, epochs: 60 };
        const model = await trainAutomaton(sentences([period]), options);
        const found = createAutomatonLabeller(model, automaton).label(words(period.length));
        return found.filter((label, i) => label !== period[i]).length;
      };
      expect(await errors(4)).toBe(0);
      expect(await errors(3)).toBeGreaterThan(0);
    },
  );

  test("is made after each epoch, the last one as it is returned", async () => {
    const made: AutomatonModel[] = [];
    const model = await trainAutomaton(sentences([period]), {
      templates: ["bias"],
      automaton: (labels) => gramAutomaton(labels.length, 4),
      epochs: 3,
      onEpoch: (epoch, current) => {
        expect(epoch).toBe(made.length + 1);
        made.push(current());
      },
    });
    expect(made).toHaveLength(3);
    expect(made[2]).toEqual(model);
    expect(made[0]).not.toEqual(model);
  });

  /** States of one's own: whether the number of x so far is even; a sequence has an even number of them. */
  const parity: AutomatonFactory = (labels) =>
    automatonOf(
      {
        start: { even: true },
        next: ({ even }, label) => ({ even: label === "x" ? !even : even }),
        isFinal: ({ even }) => even,
      },
      labels,
    );

  test("of states of one's own has only labellings that end in a final state", async () => {
    const model = await trainAutomaton(sentences(["xx.", "x.x", ".xx", "..."]), {
      templates: ["bias", "form"],
      automaton: parity,
    });
    const labeller = createAutomatonLabeller(structuredClone(model), parity);
    for (let n = 1; n < 7; n++) {
      const found = labeller.label(words(n));
      expect(found.filter((label) => label === "x").length % 2).toBe(0);
      for (const row of labeller.marginals(words(n))) {
        expect(row.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
      }
    }
    expect(labeller.label([])).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["gold labels that the automaton forbids", ["bias"], ["x.."]],
    ["templates with labels", ["bias", "label-1"], ["xx"]],
  ])("is refused with %s", async (_what, templates, texts) => {
    await expect(trainAutomaton(sentences(texts), { templates, automaton: parity })).rejects.toThrow(
      RangeError,
    );
  });
});
