import type { ConlluSentence, WordRow } from "@arcwise/conllu";
import { reportError } from "../app/store.ts";
import { wordsOf } from "../shared/sentences.ts";
import { edit } from "./actions.ts";
import { differencesOf, sameWords, type WordDifference } from "./agreement.ts";
import { treeOf } from "./document.ts";
import type { OwnEdit } from "./edits.ts";
import * as state from "./state.ts";

/** Returns a sentence in the second annotation, if it has the same words; by default, the current sentence. */
export function otherSentence(
  key = state.currentKey.value,
  own = state.content.value,
): ConlluSentence | undefined {
  const other = state.second.value?.pairs.get(key);
  return other !== undefined && own !== undefined && sameWords(own, other) ? other : undefined;
}

/** The words of the current sentence on which the annotations differ. */
export function differences(): readonly WordDifference[] {
  const [own, other] = [state.content.value, otherSentence()];
  return (own && other && differencesOf(own, other, state.second.value!.columns)) ?? [];
}

function tagEdit({ id, lemma, upos, xpos, feats }: WordRow): OwnEdit {
  return { kind: "columns", row: `${id}`, columns: { lemma, upos, xpos, feats } };
}

/** Gives a word the tags, the head and the relation of the second annotation. */
export function takeOther(word: number): void {
  const other = otherSentence();
  if (other === undefined) {
    reportError(new Error("Compare with a second annotation of this sentence first: Compare…"));
    return;
  }
  const [row, own] = [wordsOf(other)[word - 1]!, state.words.value[word - 1]!];
  const { head, deprel } = row;
  const edits = [tagEdit(row)];
  if (head >= 0 && head !== own.head) edits.push({ kind: "head", word, head, deprel });
  else if (deprel !== own.deprel) edits.push({ kind: "columns", row: `${word}`, columns: { deprel } });
  edit("Take other", ...edits);
}

/** Gives all words the annotation of the second file. */
export function takeOtherSentence(): void {
  const other = otherSentence();
  if (other === undefined) return;
  const words = wordsOf(other);
  edit(
    "Take other",
    ...words.map(tagEdit),
    { kind: "fix", words: words.map(({ id }) => id), isFixed: false },
    { kind: "tree", ...treeOf(other) },
  );
}
