import type { ConlluSentence } from "@arcwise/conllu";
import { arcIndex } from "@arcwise/core";
import type { Pipeline, PipelineReading } from "@arcwise/pipeline";
import { plainSentence, wordsOf } from "../shared/sentences.ts";

type ScoreShare = ReturnType<PipelineReading["shares"]>[number];

/** What is explained: the arc of a word against another head; by default the head of the best tree without the arc. */
export interface ExplainInput {
  readonly sentence: ConlluSentence;
  readonly word: number;
  readonly head: number;
  readonly rival?: number | undefined;
}

/** The share of a term or template of features in the scores of two trees. */
export interface ShareRow {
  readonly term: string;
  readonly template?: string | undefined;
  /** Its sum over the tree with the arc. */
  readonly ours: number;
  /** Its sum over the best tree with the rival. */
  readonly rival: number;
  readonly difference: number;
}

/** By how much a word moves the difference of the scores of two arcs. */
export interface WordInfluence {
  readonly word: number;
  readonly influence: number;
}

/** Why a word has a head and not another one. */
export interface Explanation {
  readonly head: number;
  readonly label: string;
  readonly rival: number;
  readonly rivalLabel: string;
  /** Score of the best tree with the arc, less the score of the best tree with the rival; the sum of the rows. */
  readonly difference: number;
  readonly rows: readonly ShareRow[];
  readonly candidates: readonly {
    readonly head: number;
    readonly score: number;
    readonly probability: number;
  }[];
  /** Other words whose heads differ between the two trees. */
  readonly otherWords: readonly number[];
  /** Undefined for models without a network. */
  readonly influences: readonly WordInfluence[] | undefined;
}

/** Explains why a word has a head and not another one. Sentences keep their tags. */
export function explainArc(pipeline: Pipeline, { sentence, word, head, rival }: ExplainInput): Explanation {
  const [reading] = pipeline.read([sentence], { tags: "given" });
  const with_ = (h: number) => reading!.best({ constraints: { heads: headsWith(sentence, word, h) } });
  const ours = with_(head);
  const other =
    rival === undefined ? reading!.best({ constraints: { forbiddenArcs: [[head, word]] } }) : with_(rival);
  const rivalHead = other.heads[word]!;
  const [mine, theirs] = [reading!.shares(ours.heads), reading!.shares(other.heads)];
  const rows = shareRows(mine, theirs);
  const hasNetwork = [...mine, ...theirs].some(({ term }) => term === "network");
  return {
    head,
    label: ours.labels[word]!,
    rival: rivalHead,
    rivalLabel: other.labels[word]!,
    difference: total(mine) - total(theirs),
    rows,
    candidates: candidatesOf(reading!, word),
    otherWords: Array.from(ours.heads.keys()).filter(
      (m) => m > 0 && m !== word && ours.heads[m] !== other.heads[m],
    ),
    influences: hasNetwork ? influencesOf(pipeline, sentence, { word, head, rival: rivalHead }) : undefined,
  };
}

function headsWith(sentence: ConlluSentence, word: number, head: number): Int32Array {
  const heads = new Int32Array(wordsOf(sentence).length + 1).fill(-1);
  heads[word] = head;
  return heads;
}

function total(shares: readonly ScoreShare[]): number {
  return shares.reduce((sum, { score }) => sum + score, 0);
}

/** Sums shares by term and template, and sorts them by the size of their difference. */
function shareRows(mine: readonly ScoreShare[], theirs: readonly ScoreShare[]): ShareRow[] {
  const rows = new Map<
    string,
    { term: string; template?: string | undefined; ours: number; rival: number }
  >();
  const add = (shares: readonly ScoreShare[], side: "ours" | "rival") => {
    for (const { term, template, score } of shares) {
      const key = `${term} ${template ?? ""}`;
      const row = rows.get(key) ?? { term, template, ours: 0, rival: 0 };
      row[side] += score;
      rows.set(key, row);
    }
  };
  add(mine, "ours");
  add(theirs, "rival");
  return [...rows.values()]
    .map((row) => ({ ...row, difference: row.ours - row.rival }))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}

/** The candidate heads of a word with their scores and probabilities, most probable first. */
function candidatesOf(reading: PipelineReading, word: number): Explanation["candidates"] {
  const { arcs, arcScores } = reading.problem();
  const { arcProbabilities } = reading.marginals();
  return Array.from({ length: arcs.start[word + 1]! - arcs.start[word]! }, (_, i) => {
    const arc = arcs.start[word]! + i;
    return { head: arcs.head[arc]!, score: arcScores[arc]!, probability: arcProbabilities[arc]! };
  }).sort((a, b) => b.probability - a.probability);
}

interface Choice {
  readonly word: number;
  readonly head: number;
  readonly rival: number;
}

/**
 * Returns by how much each other word moves the difference of the scores of the two arcs: the difference, less the
 * difference in the sentence without the word.
 */
function influencesOf(pipeline: Pipeline, sentence: ConlluSentence, choice: Choice): WordInfluence[] {
  const count = wordsOf(sentence).length;
  const others = Array.from({ length: count }, (_, i) => i + 1).filter(
    (w) => w !== choice.word && w !== choice.head && w !== choice.rival,
  );
  const shortened = others.map((w) => withoutWord(sentence, w));
  const [whole, ...readings] = pipeline.read([sentence, ...shortened], { tags: "given" });
  const full = gap(whole!, choice);
  return others.map((w, i) => {
    const moved = (position: number) => (position > w ? position - 1 : position);
    const { word, head, rival } = choice;
    const rest = gap(readings[i]!, { word: moved(word), head: moved(head), rival: moved(rival) });
    return { word: w, influence: full - rest };
  });
}

/** Returns the score of the arc from the head less the score of the arc from the rival. */
function gap(reading: PipelineReading, { word, head, rival }: Choice): number {
  const scoreOf = (h: number) => {
    const heads = new Int32Array(reading.words.length + 1).fill(-1);
    heads[word] = h;
    // A constraint makes candidates of arcs that are pruned.
    const { arcs, arcScores } = reading.problem({ constraints: { heads } });
    return arcScores[arcIndex(arcs, h, word)]!;
  };
  return scoreOf(head) - scoreOf(rival);
}

/** Returns the words of a sentence without one of them; heads, which are not read, are left out. */
export function withoutWord(sentence: ConlluSentence, position: number): ConlluSentence {
  const rows = wordsOf(sentence)
    .filter((_, i) => i + 1 !== position)
    .map((row, i) => ({ ...row, id: i + 1, head: -1, deprel: "_", deps: "_" }));
  return plainSentence({ ...sentence, rows });
}
