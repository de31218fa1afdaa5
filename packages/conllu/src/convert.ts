import type { DependencyTree, Sentence, Word } from "@arcwise/core";
import { sentenceId } from "./comments.ts";
import { ConlluError } from "./error.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence, Row, WordRow } from "./types.ts";
import { lineAt } from "./write.ts";

/**
 * The words of a sentence as parsers see them: ranges and empty nodes left out, columns that are `_` absent.
 * A form is kept as it stands, and so is the lemma `_` of the form `_`. O(n).
 */
export function sentenceWords(sentence: ConlluSentence): Sentence {
  const words: Word[] = [];
  for (const row of sentence.rows) if (row.kind === "word") words.push(wordOf(row));
  return words;
}

function wordOf(row: WordRow): Word {
  const { form, lemma, upos, xpos, feats } = row;
  return makeWord(form, lemma, upos, xpos, feats);
}

/** A word from its columns. */
export function makeWord(form: string, lemma: string, upos: string, xpos: string, feats: string): Word {
  // One shape for all words keeps the code that reads them fast, so absent columns are empty strings here.
  return {
    form,
    lemma: lemma === "_" && form !== "_" ? "" : lemma,
    upos: upos === "_" ? "" : upos,
    xpos: xpos === "_" ? "" : xpos,
    feats: feats === "_" ? "" : feats,
  };
}

/**
 * The dependency tree of a sentence of n words, from HEAD and DEPREL; a DEPREL of `_` becomes the empty label.
 * Several words may depend on the root. O(n).
 *
 * @throws ConlluError when a head is missing or out of range, or there is a cycle
 */
export function sentenceTree(sentence: ConlluSentence): DependencyTree {
  const { rows, comments, line } = sentence;
  const heads = [-1];
  const labels = [""];
  const lines = [0];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row.kind !== "word") continue;
    heads.push(row.head);
    labels.push(row.deprel === "_" ? "" : row.deprel);
    lines.push(lineAt(line, comments.length + i));
  }
  const tree = { heads: Int32Array.from(heads), labels };
  checkHeads(tree.heads, lines, (rule, at, expected, found) => {
    throw new ConlluError({ line: at, sentence: sentenceId(sentence) ?? "", rule, expected, found });
  });
  return tree;
}

/**
 * Reports words whose head is missing, out of range or the word itself, and one word of each cycle. O(n).
 *
 * @param lines the line of each word
 */
export function checkHeads(heads: Int32Array, lines: readonly number[], report: Report): void {
  const n = heads.length - 1;
  let sound = true;
  for (let m = 1; m <= n; m++) {
    const h = heads[m]!;
    if (h >= 0 && h <= n && h !== m) continue;
    sound = false;
    if (h === m) report("head-cycle", lines[m]!, `a head other than ${m} itself`, `${h}`);
    else if (h < 0) report("head-missing", lines[m]!, `a head from 0 to ${n}`, "_");
    else report("head-range", lines[m]!, `a head from 0 to ${n}`, `${h}`);
  }
  if (sound) checkCycles(heads, lines, report);
}

function checkCycles(heads: Int32Array, lines: readonly number[], report: Report): void {
  // The walk on which each word was first met; 0 = not yet.
  const walk = new Int32Array(heads.length);
  for (let m = 1; m < heads.length; m++) {
    let word = m;
    while (word !== 0 && walk[word] === 0) {
      walk[word] = m;
      word = heads[word]!;
    }
    if (word !== 0 && walk[word] === m) {
      report("head-cycle", lines[word]!, "a path of heads to the root", `a cycle through word ${word}`);
    }
  }
}

/**
 * A copy of a sentence with HEAD and DEPREL of its words replaced, and all else kept (DEPS too). The empty
 * label becomes `_`. O(n).
 *
 * @throws RangeError when the tree has another number of words, or a head is not from 0 to n
 */
export function withTree(sentence: ConlluSentence, tree: DependencyTree): ConlluSentence {
  const { heads, labels } = tree;
  const n = countWords(sentence.rows);
  checkSize(tree, n);
  const rows: Row[] = [];
  for (const row of sentence.rows) {
    if (row.kind !== "word") rows.push({ ...row });
    else rows.push({ ...row, head: heads[row.id]!, deprel: labels[row.id]! === "" ? "_" : labels[row.id]! });
  }
  return { comments: [...sentence.comments], rows, line: sentence.line };
}

function countWords(rows: readonly Row[]): number {
  let n = 0;
  for (const row of rows) if (row.kind === "word") n++;
  return n;
}

/** @throws RangeError unless the tree has n words and heads from 0 to n */
export function checkSize(tree: DependencyTree, n: number): void {
  const { heads, labels } = tree;
  if (heads.length !== n + 1 || labels.length !== n + 1) {
    const found = `${heads.length} heads and ${labels.length} labels`;
    throw new RangeError(`a tree for ${n} words has ${n + 1} heads and labels, got ${found}`);
  }
  for (let m = 1; m <= n; m++) {
    if (heads[m]! < 0 || heads[m]! > n) {
      throw new RangeError(`the head of word ${m} must be from 0 to ${n}, got ${heads[m]}`);
    }
  }
}
