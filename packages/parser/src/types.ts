import type { DependencyTree, ParsingProblem, Sentence } from "@arcwise/core";

/** A sentence with its gold tree. */
export interface TrainingExample {
  readonly sentence: Sentence;
  readonly tree: DependencyTree;
}

/** What training reports: often (every few dozen sentences) within an epoch, and once at its end. */
export interface TrainingProgress {
  /** "prune": the arc pruner is trained; "learn": the parser. */
  readonly stage: "prune" | "learn";
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, and all of them. */
  readonly done: number;
  readonly total: number;
  /** Share of training words that got a wrong head or label so far in this epoch. */
  readonly trainingError: number;
  /** At the end of an epoch, when there is a development set: attachment scores in percent. */
  readonly dev?: { readonly uas: number; readonly las: number };
  readonly epochDone: boolean;
}

export interface TrainOptions {
  /** "mst" (order 1) or "eisner", which for orders 2 and 3 means the exact projective decoder of that order. */
  readonly decoder?: "mst" | "eisner" | "projective";
  /** 1: arcs; 2: grandparents and neighbouring siblings too; 3: grand-siblings and tri-siblings too. */
  readonly order?: 1 | 2 | 3;
  /** "kbest-mira" looks at the five best trees; "crf", which only order 1 has, at the probabilities of all. */
  readonly learner?: "mira" | "perceptron" | "kbest-mira" | "crf";
  readonly epochs?: number;
  readonly seed?: number;
  readonly dev?: readonly TrainingExample[];
  readonly onProgress?: (progress: TrainingProgress) => void;
  /** Given the state after each epoch: `resume` continues from it to the same model, byte for byte. */
  readonly onCheckpoint?: (state: Uint8Array) => void | Promise<void>;
  readonly resume?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface ParserModel {
  readonly description: {
    readonly decoder: string;
    readonly order: number;
    readonly learner: string;
    readonly epochs: number;
    readonly seed: number;
    readonly labels: readonly string[];
    readonly trainingSentences: number;
    readonly trainingWords: number;
    readonly nonZeroWeights: number;
    /** What the pruner keeps: see `Pruner`; recall of gold heads and heads a word in unseen training sentences. */
    readonly pruning: {
      readonly ratio: number;
      readonly most: number;
      readonly recall: number;
      readonly candidates: number;
    };
    readonly [more: string]: unknown;
  };
}

export interface Parse extends DependencyTree {
  readonly score: number;
  readonly bound: number;
}

export interface Parser {
  parse(sentence: Sentence): Parse;
  /** The scored candidates of a sentence, as the parser's decoder is given them. */
  problem(sentence: Sentence): ParsingProblem;
}
