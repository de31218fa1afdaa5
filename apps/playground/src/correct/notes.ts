import {
  contentOf,
  documentText,
  type EditDocument,
  type EditSentence,
  idOfSentence,
  type Note,
  sentenceText,
} from "./document.ts";

/** Returns the comment lines of the notes of a sentence: `# note = …`, `# note 3 = …`, `# note arc 3 = …`. */
export function noteComments(notes: readonly Note[]): string[] {
  return notes.map(({ on, word, text }) => {
    const place = on === "sentence" ? "" : on === "word" ? ` ${word}` : ` arc ${word}`;
    return `# note${place} = ${text.replace(/\s+/g, " ").trim()}`;
  });
}

/** Returns the text of a file with the notes as comments behind the other comments of their sentences. */
export function textWithNotes(document: EditDocument): string {
  return documentText({ ...document, sentences: document.sentences.map(withNotes) });
}

function withNotes(own: EditSentence): EditSentence {
  const { sentence } = contentOf(own);
  if (own.notes.length === 0 || sentence === undefined) return own;
  const comments = [...sentence.comments, ...noteComments(own.notes)];
  return { ...own, text: sentenceText({ ...sentence, comments }, own.text) };
}

/** Notes of a file as plain data, by the ID and the number of their sentences. */
export interface NotesFile {
  readonly file: string;
  readonly notes: readonly (Note & { readonly sentence: number; readonly id?: string | undefined })[];
}

/** Returns the notes of a document. Sentences are counted from 1. */
export function notesOf({ name, sentences }: EditDocument): NotesFile {
  const notes = sentences.flatMap((one, i) => {
    const id = idOfSentence(one);
    return one.notes.map((note) => ({ sentence: i + 1, id, ...note }));
  });
  return { file: name, notes };
}

/** Returns a sentence's notes with the note on a place replaced; an empty text removes it. */
export function withNote(notes: readonly Note[], note: Note): Note[] {
  const others = notes.filter(({ on, word }) => on !== note.on || word !== note.word);
  return note.text.trim() === "" ? others : [...others, note];
}
