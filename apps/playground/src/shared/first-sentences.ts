import type { ConlluSentence } from "@arcwise/conllu";

/** The sentences of the first text as the model of English parses them: text, then form, lemma, tags, features and arc. */
const FIRST = [
  [
    "I saw the man with the telescope.",
    "I I PRON PRP Case=Nom|Number=Sing|Person=1|PronType=Prs 2 nsubj",
    "saw see VERB VBD Mood=Ind|Number=Sing|Person=1|Tense=Past|VerbForm=Fin 0 root",
    "the the DET DT Definite=Def|PronType=Art 4 det",
    "man man NOUN NN Number=Sing 2 obj",
    "with with ADP IN _ 7 case",
    "the the DET DT Definite=Def|PronType=Art 7 det",
    "telescope telescope NOUN NN Number=Sing 2 obl",
    ". . PUNCT . _ 2 punct",
  ],
  [
    "The storm damaged two old houses.",
    "The the DET DT Definite=Def|PronType=Art 2 det",
    "storm storm NOUN NN Number=Sing 3 nsubj",
    "damaged damage VERB VBD Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 0 root",
    "two two NUM CD NumForm=Word|NumType=Card 6 nummod",
    "old old ADJ JJ Degree=Pos 6 amod",
    "houses house NOUN NNS Number=Plur 3 obj",
    ". . PUNCT . _ 3 punct",
  ],
] as const;

/** The text that is shown first. */
export const FIRST_TEXT = FIRST.map(([text]) => text).join(" ");

/** Returns the sentences of the first text with their trees, which are there before the model is loaded. */
export function firstSentences(): readonly ConlluSentence[] {
  return FIRST.map(([text, ...rows], i) => ({
    comments: [`# sent_id = ${i + 1}`, `# text = ${text}`],
    rows: rows.map((row, m) => {
      const [form, lemma, upos, xpos, feats, head, deprel] = row.split(" ") as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      // The last word stands before a full stop.
      const misc = m === rows.length - 2 ? "SpaceAfter=No" : "_";
      const columns = { form, lemma, upos, xpos, feats, deprel, deps: "_", misc };
      return { kind: "word" as const, id: m + 1, head: Number(head), ...columns };
    }),
    line: 0,
  }));
}
