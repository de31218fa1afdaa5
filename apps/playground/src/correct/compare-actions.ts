import type { ConlluSentence, WordRow } from "@arcwise/conllu";
import { reportError } from "../app/store.ts";
import * as actions from "./actions.ts";
import { differencesOf, sameWords, type WordDifference } from "./agreement.ts";
import { wordsOf } from "./constraints.ts";
import * as state from "./state.ts";

/** The current sentence in the second annotation, if it has the same words. */
export function otherSentence(): ConlluSentence | undefined {
  const other = state.second.value?.pairs.get(state.currentKey.value);
  const own = state.content.value;
  return other !== undefined && own !== undefined && sameWords(own, other) ? other : undefined;
}

/** The words of the current sentence on which the annotations differ. */
export function differences(): readonly WordDifference[] {
  const [own, other] = [state.content.value, otherSentence()];
  return (own && other && differencesOf(own, other, state.second.value!.columns)) ?? [];
}

function editsOf(row: WordRow, own: WordRow): actions.OwnEdit[] {
  const { lemma, upos, xpos, feats, head, deprel } = row;
  const edits: actions.OwnEdit[] = [
    { kind: "columns", row: `${row.id}`, columns: { lemma, upos, xpos, feats } },
  ];
  if (head >= 0 && head !== own.head) edits.push({ kind: "head", word: row.id, head, deprel });
  else if (deprel !== own.deprel) edits.push({ kind: "columns", row: `${row.id}`, columns: { deprel } });
  return edits;
}

/** Gives a word the tags, the head and the relation of the second annotation. */
export function takeOther(word: number): void {
  const [own, other] = [state.content.value, otherSentence()];
  if (own === undefined || other === undefined) {
    reportError(new Error("Compare with a second annotation of this sentence first: Compare…"));
    return;
  }
  actions.edit("Take other", ...editsOf(wordsOf(other)[word - 1]!, wordsOf(own)[word - 1]!));
}

/** Gives all words the annotation of the second file. */
export function takeOtherSentence(): void {
  const [own, other] = [state.content.value, otherSentence()];
  if (own === undefined || other === undefined) return;
  const words = wordsOf(other);
  const tags = words.map(
    ({ id, lemma, upos, xpos, feats }): actions.OwnEdit => ({
      kind: "columns",
      row: `${id}`,
      columns: { lemma, upos, xpos, feats },
    }),
  );
  const heads = [-1, ...words.map(({ head }) => head)];
  const labels = ["", ...words.map(({ deprel }) => deprel)];
  const all = words.map(({ id }) => id);
  actions.edit(
    "Take other",
    ...tags,
    { kind: "fix", words: all, isFixed: false },
    { kind: "tree", heads, labels },
  );
}
