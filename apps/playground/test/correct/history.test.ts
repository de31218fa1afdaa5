import { validateText } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentOf, documentText, type EditSentence, openDocument } from "../../src/correct/document.ts";
import {
  type EditHistory,
  isChanged,
  markSaved,
  mergeLast,
  perform,
  redo,
  startHistory,
  undo,
} from "../../src/correct/history.ts";
import { documentOf, editFrom, editSeeds, fileText } from "./examples.ts";

type Seeds = [number, number, number, number, string];

/** Performs edits that may not fit: an edit that is refused leaves the history as it is. */
function performed(history: EditHistory, seeds: readonly Seeds[]): EditHistory {
  let now = history;
  for (const seed of seeds) {
    const edit = editFrom(now.document, seed);
    if (edit === undefined) continue;
    try {
      now = perform(now, edit.kind, [edit]);
    } catch (error) {
      if (!(error instanceof ArcwiseError)) throw error;
    }
  }
  return now;
}

const seedsList = fc.array(editSeeds, { maxLength: 12 });
const undone = (history: EditHistory) => history.past.reduce(undo, history);
const redone = (history: EditHistory) => history.future.reduce(redo, history);

describe("files", () => {
  test("a file that is opened and saved has the same bytes", () => {
    fc.assert(
      fc.property(fileText, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(new TextEncoder().encode(documentText(openDocument("a", bytes)))).toEqual(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("\n", "\r", "a", "\t", "\ufeff", "#") }), (text) => {
        expect(documentText(openDocument("a", text))).toBe(text);
      }),
    );
  });

  test("bytes that are not UTF-8 are refused", () => {
    expect(() => openDocument("a.conllu", Uint8Array.of(0xff, 0xfe, 0x31, 0))).toThrow(
      /a\.conllu: expected UTF-8, found /,
    );
  });
});

describe("any sequence of edits", () => {
  test("undone, gives the same bytes, and done again, the edited ones", () => {
    fc.assert(
      fc.property(fileText, seedsList, (text, seeds) => {
        const start = startHistory(documentOf(text));
        const edited = performed(start, seeds);
        const back = undone(edited);
        expect(documentText(back.document)).toBe(text);
        expect(back.document.sentences).toEqual(start.document.sentences);
        expect(redone(back).document).toEqual(edited.document);
      }),
    );
  });

  test("changes the lines of the edited sentences only", () => {
    fc.assert(
      fc.property(fileText, editSeeds, (text, seed) => {
        const start = startHistory(documentOf(text));
        const edited = performed(start, [seed]);
        const after = new Map(edited.document.sentences.map((one) => [one.key, one]));
        const target = editFrom(start.document, seed)?.sentence;
        const at = start.document.sentences.findIndex(({ key }) => key === target);
        const isTouched = (i: number) =>
          i === at || (editFrom(start.document, seed)?.kind === "joinSentences" && i === at + 1);
        for (const [i, sentence] of start.document.sentences.entries())
          if (!isTouched(i)) expect(after.get(sentence.key)).toBe(sentence);
      }),
    );
  });

  test("leaves sentences that can be read", () => {
    fc.assert(
      fc.property(fileText, seedsList, (text, seeds) => {
        const edited = performed(
          startHistory(documentOf(text)),
          seeds.filter(([, kind]) => kind % 25 !== 22),
        );
        const broken = (sentences: readonly EditSentence[]) =>
          sentences.filter((one) => contentOf(one).error !== undefined).length;
        expect(broken(edited.document.sentences)).toBeLessThanOrEqual(broken(documentOf(text).sentences));
        // What is written is read as the same sentences.
        const again = openDocument("a", documentText(edited.document));
        expect(again.sentences.map((one) => one.text)).toEqual(
          edited.document.sentences.map((one) => one.text),
        );
      }),
    );
  });

  test("keeps trees trees, and graphs connected", () => {
    const broken = new Set([
      ..."head-self-loop non-tree unknown-head multiple-roots invalid-head deps-self-loop unknown-ehead".split(
        " ",
      ),
      ..."misplaced-word-interval reversed-word-interval word-interval-out overlapping-word-intervals".split(
        " ",
      ),
    ]);
    fc.assert(
      fc.property(fileText, seedsList, (text, seeds) => {
        const own = seeds.filter(([, kind]) => ![21, 22].includes(kind % 25));
        const edited = performed(startHistory(documentOf(text)), own);
        const valid = edited.document.sentences.filter((one) => contentOf(one).error === undefined);
        for (const one of valid)
          expect([...validateText(one.text)].filter(({ rule }) => broken.has(rule))).toEqual([]);
      }),
    );
  });
});

describe("steps", () => {
  const text = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n";
  const label = (deprel: string) =>
    ({ kind: "columns", sentence: 0, row: "1", columns: { deprel } }) as const;

  test("know whether the file has them", () => {
    const start = startHistory(documentOf(text));
    expect(isChanged(start)).toBe(false);
    const edited = perform(start, "label", [label("obj")]);
    expect(isChanged(edited)).toBe(true);
    const saved = markSaved(edited);
    expect(isChanged(saved)).toBe(false);
    expect(isChanged(undo(saved))).toBe(true);
    expect(isChanged(redo(undo(saved)))).toBe(false);
  });

  test("without a change do not count", () => {
    const start = startHistory(documentOf(text));
    expect(
      perform(start, "nothing", [{ kind: "columns", sentence: 0, row: "1", columns: { upos: "NOUN" } }]),
    ).toBe(start);
  });

  test("are all or nothing", () => {
    const start = startHistory(documentOf(text));
    expect(() =>
      perform(start, "two", [label("obj"), { kind: "head", sentence: 0, word: 9, head: 1 }]),
    ).toThrow(ArcwiseError);
    expect(documentText(start.document)).toBe(text);
  });

  test("merge with the step before", () => {
    const start = startHistory(documentOf(text));
    const two = perform(perform(start, "first", [label("obj")]), "second", [
      { kind: "columns", sentence: 0, row: "2", columns: { upos: "AUX" } },
    ]);
    const one = mergeLast(two);
    expect(one.past.map(({ name }) => name)).toEqual(["first"]);
    expect(documentText(undo(one).document)).toBe(text);
    expect(redo(undo(one)).document).toEqual(two.document);
  });
});
