import type { DependencyTree, Sentence, Word } from "@arcwise/core";
import { counted, invalidArgument } from "@arcwise/core/errors";
import {
  words as areWords,
  checkArgument,
  checkOptions,
  defineOptions,
  tree as isTree,
  list,
  type OptionsOf,
  oneOf,
} from "@arcwise/core/options";
import { throwingFor } from "./error.ts";
import type { Report } from "./rows.ts";
import { requireSentence } from "./sentence-check.ts";
import type { ConlluSentence, Row, WordRow } from "./types.ts";
import { lineAt } from "./write.ts";

/**
 * Returns the words of a sentence as parsers read them: without ranges and empty nodes, columns that are `_`
 * absent. A form is not changed, and neither is the lemma `_` of the form `_`. O(n).
 */
export function sentenceWords(sentence: ConlluSentence): Sentence {
  requireSentence(sentence, "sentenceWords");
  const words: Word[] = [];
  for (const row of sentence.rows) if (row.kind === "word") words.push(wordOf(row));
  return words;
}

function wordOf(row: WordRow): Word {
  const { form, lemma, upos, xpos, feats } = row;
  return makeWord(form, lemma, upos, xpos, feats);
}

/** Returns a word from its columns. */
export function makeWord(form: string, lemma: string, upos: string, xpos: string, feats: string): Word {
  // All words have one hidden class, which keeps code that reads them fast: absent columns are empty strings.
  return {
    form,
    lemma: lemma === "_" && form !== "_" ? "" : lemma,
    upos: upos === "_" ? "" : upos,
    xpos: xpos === "_" ? "" : xpos,
    feats: feats === "_" ? "" : feats,
  };
}

/**
 * Returns the dependency tree of a sentence from HEAD and DEPREL. A DEPREL of `_` becomes the empty label.
 * Several words may depend on the root. O(n).
 *
 * @throws ConlluError when a head is missing or out of range, or there is a cycle
 */
export function sentenceTree(sentence: ConlluSentence): DependencyTree {
  requireSentence(sentence, "sentenceTree");
  return treeOf(headedWords(sentence), throwingFor(sentence.comments));
}

/**
 * Returns the tree of a sentence that is annotated in part: `sentenceTree` in which words with the HEAD `_` have the head -1.
 * `trainParser` with `partial` learns from it. O(n).
 *
 * @throws ConlluError when a head is out of range, or there is a cycle
 */
export function partialTree(sentence: ConlluSentence): DependencyTree {
  requireSentence(sentence, "partialTree");
  return treeOf(headedWords(sentence), throwingFor(sentence.comments), true);
}

/** Returns the heads and relations of the words of a sentence. */
export function headedWords({ rows, comments, line }: ConlluSentence): Headed[] {
  const headed: Headed[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind !== "word") continue;
    headed.push({ head: row.head, deprel: row.deprel, line: lineAt(line, comments.length + i) });
  }
  return headed;
}

/** Head and relation of a row. */
export interface Headed {
  readonly head: number;
  readonly deprel: string;
  readonly line: number;
}

/** Returns the tree of words 1..n; reports heads that do not form a tree. @param partial whether words may lack heads */
function treeOf(words: readonly Headed[], report: Report, partial = false): DependencyTree {
  const heads = new Int32Array(words.length + 1);
  const labels = [""];
  heads[0] = -1;
  for (let m = 1; m <= words.length; m++) {
    const { head, deprel } = words[m - 1]!;
    heads[m] = head;
    labels.push(deprel === "_" ? "" : deprel);
  }
  checkHeads(words, report, partial);
  return { heads, labels };
}

/**
 * Reports words whose head is missing, out of range or the word itself, and one word of each cycle. Returns
 * whether all heads are sound. O(n).
 *
 * @param partial whether words may lack heads
 */
export function checkHeads(words: readonly Headed[], report: Report, partial = false): boolean {
  const n = words.length;
  let sound = true;
  for (let m = 1; m <= n; m++) {
    const { head, line } = words[m - 1]!;
    if (Number.isInteger(head) && head >= 0 && head <= n && head !== m) continue;
    if (head === -1 && partial) continue;
    sound = false;
    if (head === m) report("head-self-loop", line, `a head other than ${m} itself`, `${head}`);
    else if (head === -1) report("invalid-head", line, `a head from 0 to ${n}`, "_");
    else report("unknown-head", line, `a head from 0 to ${n}`, `${head}`);
  }
  return sound && checkCycles(words, report);
}

function checkCycles(words: readonly Headed[], report: Report): boolean {
  // The walk that first visited each word; 0 = none yet.
  const walk = new Int32Array(words.length + 1);
  let sound = true;
  for (let m = 1; m <= words.length; m++) {
    let word = m;
    while (word > 0 && walk[word] === 0) {
      walk[word] = m;
      word = words[word - 1]!.head;
    }
    if (word <= 0 || walk[word] !== m) continue;
    sound = false;
    report("non-tree", words[word - 1]!.line, "heads that lead to 0", `a cycle through word ${word}`);
  }
  return sound;
}

/**
 * Returns a copy of a sentence with HEAD and DEPREL of its words replaced. The enhanced graph belongs to the
 * tree that it was made with: where words have DEPS, DEPS become `_`, and empty nodes are left out, unless
 * `graph` is "keep". The empty label becomes `_`. O(n).
 *
 * @throws ArcwiseError `invalid-argument` when the tree has another number of words, or a head is not from 0
 *   to n
 */
export function withTree(
  sentence: ConlluSentence,
  tree: DependencyTree,
  options: WithTreeOptions = {},
): ConlluSentence {
  requireSentence(sentence, "withTree");
  const { graph } = checkOptions(WITH_TREE_OPTIONS, options, "withTree");
  checkArgument(isTree, tree, "withTree: tree");
  const { heads, labels } = tree;
  const n = countWords(sentence.rows);
  checkSize(tree, n);
  for (let m = 1; m <= n; m++)
    if (heads[m]! < 0 || heads[m]! > n)
      throw invalidArgument(`tree: word ${m}`, `a head from 0 to ${n}`, `${heads[m]}`);
  const isDropped = graph === "drop" && hasGraph(sentence);
  let m = 0;
  const rows: Row[] = [];
  for (const row of sentence.rows) {
    if (row.kind === "word") {
      m++;
      const deps = isDropped ? "_" : row.deps;
      rows.push({ ...row, head: heads[m]!, deprel: labels[m]! || "_", deps });
    } else if (row.kind === "range" || !isDropped) rows.push({ ...row });
  }
  return withRows(sentence, rows);
}

function hasGraph({ rows }: ConlluSentence): boolean {
  return rows.some((row) => row.kind === "word" && row.deps !== "_");
}

const WITH_TREE_OPTIONS = defineOptions({
  graph: {
    check: oneOf("drop", "keep"),
    default: "drop",
    help: "whether DEPS and empty nodes, the graph of another tree, are kept",
  },
});

/** Options of `withTree`. */
export interface WithTreeOptions extends OptionsOf<typeof WITH_TREE_OPTIONS> {}

/** Returns a sentence with other rows, and a copy of its comments. */
export function withRows({ comments, line, start, offsets }: ConlluSentence, rows: Row[]): ConlluSentence {
  const copy = { comments: [...comments], rows, line };
  return { ...copy, ...(start !== undefined && { start }), ...(offsets !== undefined && { offsets }) };
}

/** Columns that taggers fill in. */
export type TagColumn = "upos" | "xpos" | "feats" | "lemma";
const TAG_COLUMNS = list(oneOf("upos", "xpos", "feats", "lemma"));

/**
 * Returns a copy of a sentence with columns of its words replaced by the columns of tagged words; what is
 * empty becomes `_`. O(n).
 *
 * @throws ArcwiseError `invalid-argument` when there is another number of words
 */
export function withTags(
  sentence: ConlluSentence,
  words: Sentence,
  columns: readonly TagColumn[],
): ConlluSentence {
  requireSentence(sentence, "withTags");
  checkArgument(areWords, words, "withTags: words");
  checkArgument(TAG_COLUMNS, columns, "withTags: columns");
  const n = countWords(sentence.rows);
  if (words.length !== n) throw invalidArgument("withTags", counted(n, "word"), `${words.length}`);
  const [lemma, upos, xpos, feats] = (["lemma", "upos", "xpos", "feats"] as const).map((name) =>
    columns.includes(name),
  );
  let i = 0;
  const rows: Row[] = [];
  for (const row of sentence.rows) {
    if (row.kind !== "word") {
      rows.push({ ...row });
      continue;
    }
    const word = words[i++]!;
    rows.push({
      ...row,
      lemma: lemma ? word.lemma || "_" : row.lemma,
      upos: upos ? word.upos || "_" : row.upos,
      xpos: xpos ? word.xpos || "_" : row.xpos,
      feats: feats ? word.feats || "_" : row.feats,
    });
  }
  return withRows(sentence, rows);
}

function countWords(rows: readonly Row[]): number {
  let n = 0;
  for (const row of rows) if (row.kind === "word") n++;
  return n;
}

/** @throws ArcwiseError `invalid-argument` unless the tree has n words */
export function checkSize({ heads, labels }: DependencyTree, n: number): void {
  if (heads.length !== n + 1 || labels.length !== n + 1) {
    const found = `${counted(heads.length, "head")} and ${counted(labels.length, "label")}`;
    throw invalidArgument("tree", `${counted(n + 1, "head")} and labels for ${counted(n, "word")}`, found);
  }
}
