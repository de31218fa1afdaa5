import type { Exported } from "../shared/export.ts";
import { otherSentence } from "./compare-actions.ts";
import { contentOf } from "./document.ts";
import * as state from "./state.ts";
import { editorDiagram } from "./view/diagrams.ts";

/** Returns a sentence of the document, or all of them if the index is undefined, with its drawing as the editor shows it. */
export function exported(index: number | undefined): Exported {
  const all = state.treebank.value?.sentences ?? [];
  const mode = state.mode.value;
  const readable = [...all.entries()].flatMap(([i, own]) => {
    const { sentence } = contentOf(own);
    return sentence === undefined || (index ?? i) !== i ? [] : [{ i, own, sentence }];
  });
  const drawings = readable.map(({ i, own, sentence }) => {
    const other = otherSentence(own.key, sentence);
    const probabilities = state.showsDoubts.value ? state.probabilities.get(own) : undefined;
    const drawn = editorDiagram(sentence, { mode, hasLetters: false, probabilities, other });
    return { name: `sentence-${i + 1}`, drawn, options: {} };
  });
  const name = index === undefined ? "sentences" : `sentence-${index + 1}`;
  return { sentences: readable.map(({ sentence }) => sentence), drawings, name };
}
