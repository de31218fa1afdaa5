import type { ConlluSentence } from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { epochShare, type TrainingProgress, TrainingReporter } from "@arcwise/core/training";
import type { JobContext } from "@arcwise/jobs";
import { yieldToEventLoop } from "@arcwise/learn";
import { breakProbability, TextAnalyser, type TokenSpan } from "../analysis.ts";
import { CHARACTER_FEATURES, TOKEN_FEATURES, WIDE_CHARACTER_FEATURES } from "../features.ts";
import type { NetworkData, TokenizerModel, TokenizerScores } from "../model.ts";
import { compactNetwork } from "../model-file.ts";
import { learnMultiword, type MultiwordExample } from "../multiword.ts";
import { Classifier } from "../network/classifier.ts";
import { type FeatureIndex, indexFeatures } from "../network/feature-index.ts";
import { networkSize } from "../network/layout.ts";
import { learn } from "../network/learning.ts";
import { SequenceNetwork } from "../network/network.ts";
import { batchOf, probabilities, type Span, type WindowSize } from "../network/windows.ts";
import { sentenceEnds } from "../sentence-ends.ts";
import { readingOf } from "../text/character-reader.ts";
import { spacedPair } from "../text/cluster-codes.ts";
import { type TreebankText, treebankText } from "../text/treebank-text.ts";
import { withAttachedMarks } from "./attached-marks.ts";
import { spanScore, wordScore } from "./scores.ts";
import type { TokenizerSettings } from "./settings.ts";
import {
  characterDecisions,
  characterPositions,
  type LabelledPositions,
  tokenPositions,
} from "./training-data.ts";

/** Settings of one of the two networks. */
interface Kind {
  readonly stage: "characters" | "tokens";
  readonly features: {
    readonly kinds: number;
    readonly minimum: readonly number[];
    readonly unknown: readonly number[];
  };
  readonly units: number;
  readonly window: number;
  readonly dropout: number;
  readonly rate: number;
  /** Positions to learn from, over all epochs, and the limits of epochs. */
  readonly work: number;
  readonly epochs: readonly [min: number, max: number];
}

const CHARACTERS: Kind = {
  stage: "characters",
  features: CHARACTER_FEATURES,
  units: 32,
  window: 200,
  dropout: 0.3,
  rate: 0.004,
  work: 2e7,
  epochs: [5, 20],
};

/** For treebanks many of whose tokens have several words, or spaces. */
const WIDE_CHARACTERS: Kind = { ...CHARACTERS, features: WIDE_CHARACTER_FEATURES, units: 64 };

const TOKENS: Kind = {
  stage: "tokens",
  features: TOKEN_FEATURES,
  units: 48,
  window: 100,
  dropout: 0.4,
  rate: 0.003,
  work: 4e6,
  epochs: [10, 50],
};

/** Maximum number of windows of a batch. */
const MAX_BATCH = 16;
/** Small treebanks have smaller batches, and shorter windows, for about this many steps an epoch. */
const STEPS = 150;
const MIN_WINDOW = 20;
/**
 * Weight of the losses of auxiliary labels, tags and relations: they teach what little text does not show. It
 * decreases with the length of larger treebanks.
 */
const AUXILIARY_WEIGHT = 0.1;
const AUXILIARY_POSITIONS = 50_000;
/** Training ends after this share of epochs, and number of epochs, without a better score. */
const PATIENCE = 0.25;
const MIN_PATIENCE = 3;
/** Costs of a sentence that are tried on the development set, and the cost without one. */
const COSTS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];
const COST = 0.4;

/** Settings that determine a tokeniser, in addition to its sentences. Plain data. */
export interface TokenizerLearning extends TokenizerSettings {
  readonly dev?: readonly ConlluSentence[] | undefined;
  readonly seed: number;
}

/** Learns a tokeniser. */
export async function learnTokenizer(
  sentences: readonly ConlluSentence[],
  options: TokenizerLearning,
  { onProgress, signal }: Pick<JobContext, "onProgress" | "signal">,
): Promise<TokenizerModel> {
  const { seed } = options;
  const data = treebankText(withAttachedMarks(sentences));
  if (data.sentenceEnd.length === 0)
    throw invalidArgument("trainTokenizer: sentences", "sentences to learn from", "none");
  const dev = options.dev && treebankText(options.dev);
  const decisions = characterDecisions(data);
  const { isWide, findsWords } = decisions;
  const kind = isWide ? WIDE_CHARACTERS : CHARACTERS;
  const positions = { characters: characterPositions(data, decisions), tokens: tokenPositions(data) };
  const work = {
    characters: workOf(kind, positions.characters, options),
    tokens: workOf(TOKENS, positions.tokens, options),
  };
  const run = { ...options, signal, report: networkReports(work, onProgress) };
  const devCharacters = dev && characterPositions(dev, decisions);
  const characters = await trainNetwork(kind, positions.characters, run, {
    positions: devCharacters,
    score: (found, classes) => partScore(devCharacters!, found, classes),
  });
  const tokens = await trainNetwork(TOKENS, positions.tokens, run, {
    positions: dev && tokenPositions(dev),
    score: (found, classes) => bestCost(dev!, found, classes).score,
  });
  const model: TokenizerModel = {
    description: {
      seed,
      trainingSentences: sentences.length,
      trainingTokens: data.sentenceEnd.length,
    },
    isWide: isWide || undefined,
    spacedPairs: spacedPairsOf(data),
    sentenceCost: COST,
    multiword: learnMultiword(findsWords ? [] : examplesOf(data)),
    characters,
    tokens,
  };
  return dev === undefined || dev.sentenceEnd.length === 0 ? model : tuned(model, dev);
}

/** Returns the work of a network: its positions in all epochs. */
function workOf(
  kind: Kind,
  { targets }: LabelledPositions,
  { epochs = epochsOf(kind, targets.length) }: TokenizerSettings,
): number {
  return epochs * targets.length;
}

/** A report of an epoch of one of the networks. */
interface NetworkReport {
  readonly stage: Kind["stage"];
  readonly epoch: number;
  readonly epochs: number;
  readonly loss: number;
  readonly score: number | undefined;
  readonly isLast: boolean;
}

/** Reports the progress of the characters, and then of the tokens. */
function networkReports(
  { characters, tokens }: Readonly<Record<Kind["stage"], number>>,
  onProgress: (progress: TrainingProgress) => void,
): (at: NetworkReport) => void {
  const reporter = new TrainingReporter<"tokenizer">({ tokenizer: 1 }, onProgress);
  const first = characters / (characters + tokens);
  return ({ stage, epoch, epochs, loss, score, isLast }) => {
    const own = isLast ? 1 : epochShare(epoch, epochs, 1, 1);
    const share = stage === "characters" ? first * own : own === 1 ? 1 : first + (1 - first) * own;
    reporter.report("tokenizer", {
      ...{ step: "tokenizer", target: stage, epoch, epochs, epochDone: true, share },
      loss: { value: loss, per: stage === "characters" ? "character" : "token" },
      dev: score === undefined ? undefined : { [stage === "characters" ? "tokens" : "sentences"]: score },
    });
  };
}

/** The reports of the training of a network, and what ends it. */
interface NetworkRun {
  readonly report: (at: NetworkReport) => void;
  readonly signal: AbortSignal | undefined;
}

/** How a network is scored on the development set. */
interface Measure {
  readonly positions: LabelledPositions | undefined;
  /** @param probabilities of `classes` classes of each position */
  readonly score: (probabilities: Float32Array, classes: number) => number;
}

/**
 * Trains a network; returns the network of the epoch with the best score, or of the last one without scores.
 */
async function trainNetwork(
  kind: Kind,
  { keys, targets, labels, sequences, alternatives }: LabelledPositions,
  options: TokenizerLearning & NetworkRun,
  dev: Measure,
): Promise<NetworkData> {
  const { seed, report, signal, embeddingUnits: embedding = 32 } = options;
  const { features: table, units, stage } = kind;
  const index = indexFeatures([keys, ...alternatives], table.minimum);
  const classes = 1 + targets.reduce((largest, target) => Math.max(largest, target), 1);
  // Classes of tokens are sums of 1 and 2: with multiword tokens there are always four.
  const shape = {
    ...{ features: index.size, embedding, units },
    classes: classes > 2 && stage === "tokens" ? 4 : classes,
  };
  const kinds = labels.map(numbered).filter(({ count }) => count > 1);
  const auxiliary = kinds.map(({ ids }) => ids);
  const network = new SequenceNetwork(
    shape,
    true,
    kinds.map(({ count }) => count),
  );
  const epochs = options.epochs ?? epochsOf(kind, targets.length);
  const devFeatures = dev.positions && index.featuresOf(dev.positions.keys);
  let best = { epoch: 0, score: -1, parameters: new Float32Array() };
  const pause = yieldToEventLoop(signal);
  const examples = {
    ...{ kinds: table.kinds, features: index.featuresOf(keys), targets, auxiliary, sequences },
    alternatives: alternatives.map((one) => index.featuresOf(one)),
  };
  await learn(network, examples, {
    ...kind,
    epochs,
    seed,
    ...sizesOf(kind, targets.length),
    unknown: table.unknown,
    auxiliaryWeight: AUXILIARY_WEIGHT * Math.min(1, AUXILIARY_POSITIONS / targets.length),
    pause,
    onEpoch: (epoch, loss) => {
      const found = devFeatures && classify(network, devFeatures, index, dev.positions!);
      const score = found && dev.score(found, shape.classes);
      if (score === undefined || score >= best.score) {
        best = {
          epoch,
          score: score ?? -1,
          parameters: network.parameters.values.slice(0, networkSize(shape)),
        };
      }
      const isSettled = epoch - best.epoch >= Math.max(MIN_PATIENCE, PATIENCE * epochs);
      report({ stage, epoch, epochs, loss, score, isLast: isSettled || epoch === epochs });
      return isSettled;
    },
  });
  return compactNetwork({ shape, keys: index.keys, parameters: best.parameters });
}

/** Numbers labels by their first occurrences; returns their numbers, and how many there are. */
function numbered(labels: readonly string[]): { readonly ids: Int32Array; readonly count: number } {
  const known = new Map<string, number>();
  const ids = Int32Array.from(labels, (label) => {
    if (!known.has(label)) known.set(label, known.size);
    return known.get(label)!;
  });
  return { ids, count: known.size };
}

/** Returns the positions of a window, and the windows of a batch. */
function sizesOf(kind: Kind, positions: number): { readonly window: number; readonly batch: number } {
  const window = Math.min(kind.window, Math.max(MIN_WINDOW, Math.round(positions / STEPS)));
  return { window, batch: Math.min(MAX_BATCH, Math.max(1, Math.round(positions / window / STEPS))) };
}

/** Windows in which the development set is read. */
const DEV_WINDOW: WindowSize = { length: 512, context: 64 };

function classify(
  network: SequenceNetwork,
  features: Int32Array,
  { kinds }: FeatureIndex,
  { sequences }: LabelledPositions,
): Float32Array {
  const inputOf = (windows: readonly Span[]) => batchOf(features, kinds, windows);
  const positions = features.length / kinds;
  return probabilities(network, inputOf, positions, sequences, DEV_WINDOW);
}

function epochsOf({ work, epochs: [min, max] }: Kind, positions: number): number {
  return Math.min(max, Math.max(min, Math.round(work / positions)));
}

/** F1 of tokens in percent, or of their words if the network finds words. */
function partScore({ targets, sequences }: LabelledPositions, found: Float32Array, classes: number): number {
  const [gold, ends]: [number[], number[]] = [[], []];
  for (const { from, end } of sequences) {
    for (let i = from; i < end; i++) {
      if (targets[i] !== 0) gold.push(i + 1);
      if (i + 1 === end || found[classes * i]! < 0.5) ends.push(i + 1);
    }
  }
  return spanScore(gold, ends);
}

/** The cost with the best F1 of sentences, and that in percent. */
function bestCost(data: TreebankText, found: Float32Array, classes: number) {
  const { sequences } = tokenPositions(data);
  const gold: number[] = [];
  for (const [t, isEnd] of data.sentenceEnd.entries()) if (isEnd) gold.push(t + 1);
  const ends = Float64Array.from(data.sentenceEnd, (_, t) => breakProbability(found, classes, t));
  let best = { cost: COST, score: -1 };
  for (const cost of COSTS) {
    const cuts = sequences.flatMap(({ from, end }) =>
      sentenceEnds(ends.subarray(from, end), { cost, maxTokens: Infinity }).map((at) => from + at),
    );
    const score = spanScore(gold, cuts);
    if (score > best.score) best = { cost, score };
  }
  return best;
}

/** Returns the model with the best cost of a sentence for the development set, and its scores. */
function tuned(model: TokenizerModel, dev: TreebankText): TokenizerModel {
  const classifier = new Classifier(model.tokens, TOKEN_FEATURES.kinds);
  const { keys, sequences } = tokenPositions(dev);
  const classes = classifier.classify(keys, sequences, DEV_WINDOW);
  const { cost } = bestCost(dev, classes, classifier.shape.classes);
  const analyser = new TextAnalyser({ ...model, sentenceCost: cost }, Infinity);
  const found = analyser.sentences(dev.characters);
  const scores = scoresOf(dev, found);
  return { ...model, sentenceCost: cost, description: { ...model.description, dev: scores } };
}

function scoresOf(gold: TreebankText, found: readonly (readonly TokenSpan[])[]): TokenizerScores {
  const words = Array.from(gold.words, (own, t) => {
    return { from: gold.tokens[t]!, end: gold.tokens[t + 1]!, words: own };
  });
  const sentences = words.filter((_, t) => gold.sentenceEnd[t] === 1);
  const tokens = found.flat();
  return {
    tokens: spanScore(endsOf(words), endsOf(tokens)),
    sentences: spanScore(endsOf(sentences), endsOf(found.map((sentence) => sentence.at(-1)!))),
    words: wordScore(words, tokens),
  };
}

function endsOf(tokens: readonly Span[]): number[] {
  return tokens.map(({ end }) => end);
}

/** Returns the pairs of classes between which a token has a space. */
function spacedPairsOf({ characters, tokens }: TreebankText): number[] {
  const { code, space } = characters;
  const pairs = new Set<number>();
  for (let t = 0; t + 1 < tokens.length; t++) {
    for (let i = tokens[t]! + 1; i < tokens[t + 1]!; i++) {
      if (space[i] !== 0) pairs.add(spacedPair(code[i - 1]!, code[i]!));
    }
  }
  return [...pairs];
}

function examplesOf({ characters, tokens, words }: TreebankText): MultiwordExample[] {
  return words.map((own, t) => ({ form: readingOf(characters, tokens[t]!, tokens[t + 1]!), words: own }));
}
