import { integer, isReceived, list, oneOf, optional, record, string } from "@arcwise/core/options";
import { wordsOf } from "../shared/sentences.ts";
import { contentOf, type EditDocument, type EditSentence, idOfSentence, type Note } from "./document.ts";
import { keep, keptValue } from "./storage.ts";

/** A note with the sentence that it belongs to. */
interface StoredNote extends Note {
  /** The sent_id, or else the number of the sentence. */
  readonly sentence: string;
  /** The words of the sentence: a note is for these words, not for another file of the same name. */
  readonly words: string;
}

const STORED = list(
  record<StoredNote>({
    sentence: string,
    words: string,
    on: oneOf("sentence", "word", "arc"),
    word: optional(integer(1)),
    text: string,
  }),
);
const keyOf = (file: string) => `arcwise-notes ${file}`;

/** Notes of the file in this browser whose sentences the document does not have, by the name of the file. */
const unplaced = new Map<string, readonly StoredNote[]>();
/** The files that had notes when they were stored last. */
const stored = new Set<string>();

/** Keeps the notes of a document in this browser, by the name of its file. O(sentences). */
export function keepNotes({ name, sentences }: EditDocument): void {
  const notes = sentences.flatMap((own, i) => {
    if (own.notes.length === 0) return [];
    const place = placeOf(own, i);
    return own.notes.map((note): StoredNote => ({ ...place, ...note }));
  });
  const all = [...notes, ...(unplaced.get(name) ?? [])];
  if (all.length === 0 && !stored.delete(name)) return;
  if (all.length > 0) stored.add(name);
  keep(keyOf(name), all.length === 0 ? undefined : all);
}

/** Returns a document with the notes that this browser has kept, and the number of notes whose sentences it lacks. */
export function withKeptNotes(document: EditDocument): {
  readonly document: EditDocument;
  readonly left: number;
} {
  const found = keptValue(keyOf(document.name));
  const waiting = isReceived<readonly StoredNote[]>(STORED, found) ? found : [];
  if (waiting.length === 0) return { document, left: 0 };
  stored.add(document.name);
  const byPlace = new Map<string, StoredNote[]>();
  for (const note of waiting) {
    const key = JSON.stringify({ sentence: note.sentence, words: note.words });
    byPlace.set(key, [...(byPlace.get(key) ?? []), note]);
  }
  const sentences = document.sentences.map((own, i) => {
    const key = JSON.stringify(placeOf(own, i));
    const found = byPlace.get(key);
    if (found === undefined) return own;
    byPlace.delete(key);
    return { ...own, notes: found.map(({ sentence: _, words: __, ...note }) => note) };
  });
  const left = [...byPlace.values()].flat();
  unplaced.set(document.name, left);
  return { document: { ...document, sentences }, left: left.length };
}

function placeOf(own: EditSentence, index: number): Pick<StoredNote, "sentence" | "words"> {
  const { sentence } = contentOf(own);
  const words = sentence === undefined ? [own.text] : wordsOf(sentence).map(({ form }) => form);
  return { sentence: idOfSentence(own) ?? `${index + 1}`, words: words.join(" ") };
}
