import { type Decoder, hasCapability, projectivize } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  crfLearner,
  cuttingPlaneLearner,
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
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

/** Makes a learner. */
export type LearnerFactory = () => Learner;

/** A factory from the default export of a module, which other threads can load as well: see `loadLearner`. */
export interface LearnerModule {
  readonly make: LearnerFactory;
  /** The URL of the module. */
  readonly url: string;
  /** The module as the user specified it. */
  readonly specifier: string;
}

/** The name of a learner, a learner, or a function or module that makes one. */
export type LearnerChoice = string | Learner | LearnerFactory | LearnerModule;

/** Options of the learners that have names. */
export interface NamedLearnerOptions {
  /** Strength of the penalty l2 / 2 · |w|², which is added to the mean loss per sentence. */
  readonly l2?: number | undefined;
  /** Distance from the minimum of the objective (of its gradient from 0) at which training stops. */
  readonly tolerance?: number | undefined;
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
  readonly options: readonly (keyof NamedLearnerOptions)[];
  create(given: { readonly l2?: number | undefined; readonly tolerance?: number | undefined }): Learner;
}

const AGGRESSIVENESS = 0.1;
const PENALISED = ["l2"] as const;
const MINIMISING = ["l2", "tolerance"] as const;
/** Step size of the conditional random field, and its default penalty. */
const CRF = { rate: 0.02, l2: 1e-3, damping: 0.1 };

const LEARNERS: Readonly<Record<string, NamedLearner>> = {
  mira: { options: [], create: () => miraLearner({ aggressiveness: AGGRESSIVENESS }) },
  perceptron: { options: [], create: () => perceptronLearner() },
  "kbest-mira": {
    options: [],
    create: () => kBestMiraLearner({ k: 5, aggressiveness: AGGRESSIVENESS }),
  },
  svm: { options: PENALISED, create: (given) => svmLearner({ l2: 1e-3, ...given }) },
  crf: { options: PENALISED, create: (given) => crfLearner({ ...CRF, ...given }) },
  "frank-wolfe": { options: MINIMISING, create: frankWolfeLearner },
  "cutting-plane": { options: MINIMISING, create: cuttingPlaneLearner },
  "exponentiated-gradient": { options: MINIMISING, create: exponentiatedGradientLearner },
  lbfgs: { options: MINIMISING, create: (given) => lbfgsLearner({ tolerance: 1e-4, ...given }) },
};

/** Names of the learners that a parser can be trained with. */
export const LEARNER_NAMES: readonly string[] = Object.keys(LEARNERS);

/** @throws RangeError when no built-in learner has the name, or it does not take an option */
export function learnerNamed({ name, url, ...options }: LearnerReference): Learner {
  if (url !== undefined)
    throw new RangeError(`the learner "${name}" of the work is not built in: give it as well`);
  const named = Object.hasOwn(LEARNERS, name) ? LEARNERS[name] : undefined;
  if (named === undefined)
    throw new RangeError(`no learner is named "${name}"; there are ${LEARNER_NAMES.join(", ")}`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value = NaN] of given) {
    if (!named.options.includes(option as keyof NamedLearnerOptions))
      throw new RangeError(`the learner "${name}" takes no ${option}`);
    if (!(value > 0 && value < Infinity)) throw new RangeError(`expected ${option} above 0, got ${value}`);
  }
  return named.create(Object.fromEntries(given));
}

/**
 * Returns the learner of a choice.
 *
 * @throws RangeError as `learnerNamed`, or when options are given for a learner object
 * @throws InvalidLearner when a value, or the result of a function, is not a learner
 */
export function learnerOf(choice: LearnerChoice, options: NamedLearnerOptions): Learner {
  const { l2, tolerance } = options;
  if (typeof choice === "string") return learnerNamed({ name: choice, l2, tolerance });
  if (l2 !== undefined || tolerance !== undefined)
    throw new RangeError(
      "l2 and tolerance are for a learner that is named, got one that is made: set it up there",
    );
  if (isLearnerModule(choice)) return requireLearner(choice.make(), choice.specifier);
  return requireLearner(typeof choice === "function" ? choice() : choice, "the option learner");
}

/** Returns the learner of a choice as plain data, from which other threads make it; undefined for objects. */
export function referenceOf(
  choice: LearnerChoice,
  { name }: Learner,
  { l2, tolerance }: NamedLearnerOptions,
): LearnerReference | undefined {
  if (typeof choice === "string") return { name: choice, l2, tolerance };
  return isLearnerModule(choice) ? { name, url: choice.url } : undefined;
}

function isLearnerModule(choice: LearnerChoice): choice is LearnerModule {
  return typeof choice === "object" && choice !== null && "make" in choice;
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
 * @throws UnsupportedLearner when decoder and order do not provide a method that the learner needs
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
  const { heads } = projectivize({ heads: gold.heads, labels: Array.from(gold.heads, () => "") });
  return { heads, labels: gold.labels };
}
