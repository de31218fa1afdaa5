import fc from "fast-check";
import { expect, test } from "vitest";
import { documentText, openDocument } from "../../src/correct/document.ts";
import {
  continued,
  type EditHistory,
  isChanged,
  markSaved,
  perform,
  redo,
  startHistory,
  undo,
  unsavedSteps,
} from "../../src/correct/history.ts";

const row = (id: number, head: number) => `${id}\tw${id}\t_\tNOUN\t_\t_\t${head}\tdep\t_\t_\n`;
const TEXT = `${row(1, 0)}${row(2, 1)}\n${row(1, 0)}${row(2, 1)}\n`;

/** Random edits, undone and repeated steps, and savings. */
const ACTIONS = fc.array(fc.constantFrom("edit", "split", "undo", "redo", "save"), { maxLength: 30 });

test("what is not saved, after what is, is the document: after a crash, nothing is lost", () => {
  fc.assert(
    fc.property(ACTIONS, (actions) => {
      let history: EditHistory = startHistory(openDocument("a.conllu", TEXT));
      let saved = TEXT;
      for (const [i, action] of actions.entries()) {
        const { key, text } = history.document.sentences[i % 2]!;
        const edit = { kind: "columns", sentence: key, row: "1", columns: { lemma: `l${i}` } } as const;
        if (action === "edit") history = perform(history, `edit ${i}`, [edit]);
        const split = { kind: "splitSentence", sentence: key, word: 2 } as const;
        if (action === "split" && text.includes("\n2\t")) history = perform(history, `split ${i}`, [split]);
        if (action === "undo") history = undo(history);
        if (action === "redo") history = redo(history);
        if (action !== "save") continue;
        saved = documentText(history.document);
        history = markSaved(history);
      }
      const steps = structuredClone(unsavedSteps(history));
      const after = continued(startHistory(openDocument("a.conllu", saved)), steps);
      expect(documentText(after.document)).toBe(documentText(history.document));
      const { sentences, nextKey } = after.document;
      expect(new Set(sentences.map(({ key }) => key)).size).toBe(sentences.length);
      expect(Math.max(...sentences.map(({ key }) => key))).toBeLessThan(nextKey);
      if (!isChanged(history)) expect(steps).toEqual([]);
    }),
    { examples: [[["edit", "save", "undo", "edit"]]] },
  );
});
