import { type ConlluSentence, parseConllu } from "@arcwise/conllu";

/** Rows `FORM UPOS LEMMA HEAD DEPREL`, by ID; a range has a form alone. No space is before the last token. */
function sentence(rows: readonly (readonly [id: string, columns: string])[]): string {
  return rows
    .map(([id, columns], i) => {
      const [form, upos = "_", lemma = "_", head = "_", deprel = "_"] = columns.split(" ");
      const misc = i === rows.length - 2 ? "SpaceAfter=No" : "_";
      return [id, form, lemma, upos, "_", "_", head, deprel, "_", misc].join("\t");
    })
    .join("\n");
}

const SUBJECTS = ["Ann", "Bob", "Cats", "Dogs", "She", "Mr."];
const VERBS = ["sleeps", "sings", "runs", "sees"];
const ADVERBS = ["now", "well", "here", "often"];

/** 192 sentences such as "Ann can't sing now." and "Cats sleeps here!", in paragraphs of sixteen. */
export const TREEBANK: ConlluSentence[] = SUBJECTS.flatMap((subject) =>
  [false, true].flatMap((negated) => {
    const sentences = VERBS.flatMap((verb) =>
      ADVERBS.map((adverb) => rowsOf(subject, verb, adverb, negated)),
    );
    return parseConllu(`# newpar\n${sentences.map((rows) => `${sentence(rows)}\n`).join("\n")}\n`);
  }),
);

function rowsOf(subject: string, verb: string, adverb: string, negated: boolean): [string, string][] {
  const end = verb.length > 4 ? "." : "!";
  const lemma = verb.slice(0, -1);
  if (!negated) {
    return [
      ["1", `${subject} NOUN ${subject.toLowerCase()} 2 nsubj`],
      ["2", `${verb} VERB ${lemma} 0 root`],
      ["3", `${adverb} ADV ${adverb} 2 advmod`],
      ["4", `${end} PUNCT ${end} 2 punct`],
    ];
  }
  return [
    ["1", `${subject} NOUN ${subject.toLowerCase()} 4 nsubj`],
    ["2-3", "can't"],
    ["2", "ca AUX can 4 aux"],
    ["3", "n't PART not 4 advmod"],
    ["4", `${lemma} VERB ${lemma} 0 root`],
    ["5", `${adverb} ADV ${adverb} 4 advmod`],
    ["6", `${end} PUNCT ${end} 4 punct`],
  ];
}
