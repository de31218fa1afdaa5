import { sentenceId } from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { contentOf, type EditDocument, type EditSentence } from "./document.ts";

/** A copy of the sentences of a document that edits change. */
export class Draft {
  readonly #document: EditDocument;
  readonly #sentences: EditSentence[];
  #nextKey: number;
  readonly #remarks: string[] = [];
  /** Index of each sentence by its key; absent after sentences were split or joined. */
  #indices: Map<number, number> | undefined;

  constructor(document: EditDocument) {
    this.#document = document;
    this.#sentences = [...document.sentences];
    this.#nextKey = document.nextKey;
  }

  get sentences(): readonly EditSentence[] {
    return this.#sentences;
  }

  /** What edits had to change or leave out beyond what they were asked for. */
  get remarks(): readonly string[] {
    return this.#remarks;
  }

  /** Adds what an edit had to change or leave out. */
  remark(...remarks: readonly string[]): void {
    this.#remarks.push(...remarks);
  }

  /** Returns the index of a sentence. */
  indexOf(key: number): number {
    this.#indices ??= new Map(this.#sentences.map((sentence, i) => [sentence.key, i]));
    const index = this.#indices.get(key);
    if (index === undefined) throw invalidArgument("sentence", "a sentence of the document", `key ${key}`);
    return index;
  }

  /** Puts sentences in the place of `count` sentences from an index on. */
  replace(index: number, count: number, added: readonly EditSentence[]): void {
    this.#sentences.splice(index, count, ...added);
    if (count !== added.length) this.#indices = undefined;
  }

  /** Returns a key that no sentence ever had. */
  takeKey(): number {
    return this.#nextKey++;
  }

  /** Whether a sentence has an ID. O(sentences). */
  hasId(id: string): boolean {
    return this.#sentences.some((one) => {
      const { sentence } = contentOf(one);
      return sentence !== undefined && sentenceId(sentence) === id;
    });
  }

  /** Returns the document with the changed sentences. */
  done(): EditDocument {
    return { ...this.#document, sentences: this.#sentences, nextKey: this.#nextKey };
  }
}
