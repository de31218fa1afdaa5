import type { ConlluSentence } from "@arcwise/conllu";

/** Numbers of words with DEPS and of empty nodes that other trees or graphs replace. */
export class GraphCounts {
  readonly #deps: DepsSetting | undefined;
  #words = 0;
  #emptyNodes = 0;

  constructor(deps: DepsSetting | undefined) {
    this.#deps = deps;
  }

  add({ rows }: ConlluSentence): void {
    const words = rows.filter((row) => row.kind === "word" && row.deps !== "_").length;
    // Empty nodes that DEPS do not mention are kept, unless DEPS are made anew.
    if (words === 0 && this.#deps !== "enhance") return;
    this.#words += words;
    this.#emptyNodes += rows.filter(({ kind }) => kind === "empty").length;
  }

  /** Returns a note on the graphs that were replaced or left out; undefined if all were kept. */
  note(): string | undefined {
    const text = this.#text();
    if (text === "" || this.#deps === "keep") return undefined;
    if (this.#deps === "enhance") return `${text} of the input replaced by new DEPS`;
    const advice =
      this.#deps === "drop"
        ? ""
        : ": --deps keep keeps them, --deps enhance makes DEPS anew by rules of English";
    return `${text} of the input left out, which belong to other trees${advice}`;
  }

  /** `DEPS of 4 words and 1 empty node` */
  #text(): string {
    const [words, emptyNodes] = [this.#words, this.#emptyNodes];
    const parts = [
      ...(words > 0 ? [`DEPS of ${words} ${words === 1 ? "word" : "words"}`] : []),
      ...(emptyNodes > 0 ? [`${emptyNodes} empty ${emptyNodes === 1 ? "node" : "nodes"}`] : []),
    ];
    return parts.join(" and ");
  }
}

/** How DEPS are treated: see `AnalysisSettings` of @arcwise/pipeline. */
export type DepsSetting = "drop" | "keep" | "enhance";
