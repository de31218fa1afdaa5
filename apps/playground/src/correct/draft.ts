import { invalidArgument } from "@arcwise/core/errors";
import type { EditDocument, EditSentence } from "./document.ts";

/** A copy of the sentences of a document that edits change. */
export class Draft {
  readonly sentences: EditSentence[];
  /** A key that no sentence ever had. */
  nextKey: number;
  /** Changes and losses beyond what edits were asked for. */
  readonly remarks: string[] = [];
  /** Index of each sentence by its key; absent after sentences were split or joined. */
  #indices: Map<number, number> | undefined;

  constructor({ sentences, nextKey }: EditDocument) {
    this.sentences = [...sentences];
    this.nextKey = nextKey;
  }

  /** Returns the index of a sentence. */
  indexOf(key: number): number {
    this.#indices ??= new Map(this.sentences.map((sentence, i) => [sentence.key, i]));
    const index = this.#indices.get(key);
    if (index === undefined) throw invalidArgument("sentence", "a sentence of the document", `key ${key}`);
    return index;
  }

  /** Puts sentences in the place of `count` sentences from an index on. */
  replace(index: number, count: number, ...added: readonly EditSentence[]): void {
    this.sentences.splice(index, count, ...added);
    if (count !== added.length) this.#indices = undefined;
  }
}
