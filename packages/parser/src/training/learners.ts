import { type Decoder, hasCapability, projectivize } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  crfLearner,
  exponentiatedGradientLearner,
  frankWolfeLearner,
  kBestMiraLearner,
  type Learner,
  lbfgsLearner,
  miraLearner,
  perceptronLearner,
  requireLearner,
  svmLearner,
  type TaskMethod,
} from "@arcwise/learn";
import { type FactoryModule, isModule } from "../decoding/make-decoder.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

/** Makes a learner. */
export type LearnerFactory = () => Learner;

/** A factory from the default export of a module, which other threads can load as well: see `loadLearner`. */
export type LearnerModule = FactoryModule<LearnerFactory>;

/** The name of a learner, a learner, or a function or module that makes one. */
export type LearnerChoice = string | Learner | LearnerFactory | LearnerModule;

/** Options of the learners that have names. */
export interface NamedLearnerOptions {
  /** Strength of the penalty l2 / 2 · |w|², which is added to the mean loss per sentence. */
  readonly l2?: number | undefined;
}

/** A learner by its name, as plain data. */
export interface LearnerReference extends NamedLearnerOptions {
  /** The name of a built-in learner, or the learner's own name. */
  readonly name: string;
  /** The URL of its module, if it came from one. */
  readonly url?: string | undefined;
}

/** A learner that has a name, and the options that it takes. */
interface NamedLearner {
  /** Whether it minimises a mean loss with a penalty. */
  readonly isPenalised: boolean;
  create(given: { readonly l2?: number }): Learner;
}

const AGGRESSIVENESS = 0.1;
/** Step size of the conditional random field, and its default penalty. */
const CRF = { rate: 0.02, l2: 1e-3, damping: 0.1 };

const LEARNERS: Readonly<Record<string, NamedLearner>> = {
  mira: { isPenalised: false, create: () => miraLearner({ aggressiveness: AGGRESSIVENESS }) },
  perceptron: { isPenalised: false, create: () => perceptronLearner() },
  "kbest-mira": {
    isPenalised: false,
    create: () => kBestMiraLearner({ k: 5, aggressiveness: AGGRESSIVENESS }),
  },
  svm: { isPenalised: true, create: (given) => svmLearner({ l2: 1e-3, ...given }) },
  crf: { isPenalised: true, create: (given) => crfLearner({ ...CRF, ...given }) },
  "frank-wolfe": { isPenalised: true, create: frankWolfeLearner },
  "exponentiated-gradient": { isPenalised: true, create: exponentiatedGradientLearner },
  lbfgs: { isPenalised: true, create: (given) => lbfgsLearner({ tolerance: 1e-4, ...given }) },
};

/** Learners that models of earlier versions name, and a learner of the same objective for each. */
const REPLACED: Readonly<Record<string, string>> = { "cutting-plane": "frank-wolfe" };

/** Names of the learners that a parser can be trained with. */
export const LEARNER_NAMES: readonly string[] = Object.keys(LEARNERS);

export function learnerNamed({ name, url, l2 }: LearnerReference): Learner {
  if (url !== undefined)
    throw new RangeError(`the learner "${name}" of the work is not built in: give it as well`);
  const named = Object.hasOwn(LEARNERS, name) ? LEARNERS[name] : undefined;
  if (named === undefined) {
    const same = Object.hasOwn(REPLACED, name) ? `; "${REPLACED[name]}" has the same objective` : "";
    throw new RangeError(`no learner is named "${name}"${same}; there are ${LEARNER_NAMES.join(", ")}`);
  }
  if (l2 === undefined) return named.create({});
  if (!named.isPenalised) throw new RangeError(`the learner "${name}" takes no l2`);
  if (!(l2 > 0 && l2 < Infinity)) throw new RangeError(`expected l2 above 0, got ${l2}`);
  return named.create({ l2 });
}

/** Returns the learner of a choice. */
export function learnerOf(choice: LearnerChoice, { l2 }: NamedLearnerOptions = {}): Learner {
  if (typeof choice === "string") return learnerNamed({ name: choice, l2 });
  if (l2 !== undefined)
    throw new RangeError("l2 is for a learner that is named, got one that is made: set it up there");
  if (isModule(choice)) return requireLearner(choice.make(), choice.specifier);
  return requireLearner(typeof choice === "function" ? choice() : choice, "the option learner");
}

/** Returns the learner of a choice as plain data, from which other threads make it; undefined for objects. */
export function referenceOf(
  choice: LearnerChoice,
  { name }: Learner,
  { l2 }: NamedLearnerOptions,
): LearnerReference | undefined {
  if (typeof choice === "string") return { name: choice, l2 };
  return isModule(choice) ? { name, url: choice.url } : undefined;
}

/** The decoder and the order do not provide a method that the learner needs. */
export class UnsupportedLearner extends ArcwiseError {
  override readonly name = "UnsupportedLearner";
  readonly learner: string;
  /** The missing method. */
  readonly method: TaskMethod;

  constructor(learner: string, method: TaskMethod, decoder: string, order: number) {
    super(
      "unsupported-learner",
      `the learner "${learner}" needs ${NEEDS[method]}, which the decoder "${decoder}" with order ` +
        `${order} does not give`,
    );
    this.learner = learner;
    this.method = method;
  }
}

const NEEDS: Readonly<Record<TaskMethod, string>> = {
  kBest: "the k best trees",
  expectations: "sums over trees",
  parts: "sums over trees",
  search: "a search that builds trees step by step",
};

/**
 * @throws ArcwiseError `unsupported-learner` when decoder and order do not provide a method that the learner needs
 */
export function checkLearner({ name, needs }: Learner, decoder: Decoder, order: number): void {
  const sums = hasCapability(decoder, "marginals") && order === 1;
  const given: Readonly<Record<TaskMethod, boolean>> = {
    kBest: hasCapability(decoder, "kBest"),
    expectations: sums,
    parts: sums,
    search: false,
  };
  for (const method of needs) {
    if (!given[method]) throw new UnsupportedLearner(name, method, decoder.name, order);
  }
}

/**
 * Returns the tree that a learner uses as gold. A log-linear model of projective trees gives no probability
 * to others, so it uses their arcs lifted until none crosses another; all other learners use the tree itself.
 */
export function goldFor({ unit }: Learner, { trees }: Decoder, gold: EncodedTree): EncodedTree {
  if (unit !== "log-probability" || trees !== "projective") return gold;
  const heads = projectivize(gold.heads);
  return { heads, labels: gold.labels };
}
