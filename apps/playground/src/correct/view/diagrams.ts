import type { ConlluSentence } from "@arcwise/conllu";
import { hasCode } from "@arcwise/core/errors";
import { compareDiagrams, type Diagram, type SentenceDiagramOptions, sentenceDiagram } from "@arcwise/draw";
import { wordLetter } from "../hot-keys.ts";
import type { Mode } from "../state.ts";

/** Contents of the drawing of a sentence. */
export interface DiagramSettings {
  readonly mode: Mode;
  /** Whether words show the letters that choose them as heads. */
  readonly hasLetters: boolean;
  /** Probability of the head of each word. */
  readonly probabilities?: readonly number[] | undefined;
  /** The same words in another annotation. */
  readonly other?: ConlluSentence | undefined;
}

const TAGS: Readonly<Partial<Record<Mode, SentenceDiagramOptions["tags"]>>> = {
  tags: ["upos", "xpos"],
  lemmas: ["upos", "lemma"],
};

/** Returns the diagram of a sentence as the editor shows it. Arcs of heads that are not words are left out. */
export function editorDiagram(sentence: ConlluSentence, settings: DiagramSettings): Diagram {
  const { mode, other, hasLetters, probabilities } = settings;
  const tags = TAGS[mode] ?? ["upos"];
  const isGraph = mode === "graph" && sentence.rows.some(({ deps }) => deps !== "_");
  const own = drawn(sentence, { tags, graph: isGraph ? "enhanced" : "basic" });
  if (isGraph) return own;
  if (other !== undefined) return compareDiagrams(drawn(other, { tags }), own, { gold: "all" });
  const arcs = own.arcs.map((arc) => ({ ...arc, probability: probabilities?.[arc.modifier - 1] }));
  const words = hasLetters
    ? own.words.map((word, i) => {
        const text = wordLetter(i + 1);
        return text === undefined
          ? word
          : { ...word, tags: [...word.tags, { column: "feats", text } as const] };
      })
    : own.words;
  return { ...own, arcs, words };
}

/** Returns the diagram of a sentence; of one that is not a tree or graph over its words, the arcs between its words. */
function drawn(sentence: ConlluSentence, options: SentenceDiagramOptions): Diagram {
  try {
    return sentenceDiagram(sentence, options);
  } catch (error) {
    if (!hasCode(error, "invalid-argument")) throw error;
  }
  const n = sentence.rows.filter(({ kind }) => kind === "word").length;
  const rows = sentence.rows.map((row) =>
    row.kind === "word"
      ? { ...row, deps: "_", head: row.head > n || row.head === row.id ? -1 : row.head }
      : { ...row, deps: "_" },
  );
  return sentenceDiagram({ ...sentence, rows }, options);
}
