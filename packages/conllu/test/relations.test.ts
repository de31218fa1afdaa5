import { areUniversal, validateText } from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

/** Returns a sentence of words `HEAD RELATION [UPOS [FEATS [MISC]]]`. */
function sentence(words: readonly string[]): string {
  const rows = words.map((word, i) => {
    const [head, deprel, upos = "X", feats = "_", misc = "_"] = word.split(" ");
    return [i + 1, "w", "_", upos, "_", feats, head, deprel, "_", misc].join("\t");
  });
  const text = words.map((word) => (word.includes("SpaceAfter=No") ? "w" : "w ")).join("");
  return `# sent_id = s\n# text = ${text.trimEnd()}\n${rows.join("\n")}\n\n`;
}

/** Words of a tree, and the rules that they break, each as `rule:word`. */
const TREES: readonly (readonly [words: readonly string[], ...findings: string[]])[] = [
  [["0 root", "1 nsubj", "1 obj"]],
  [["0 root", "1 nsubj", "1 nsubj:pass"], "too-many-subjects:1"],
  [["0 root", "1 csubj", "1 nsubj"], "too-many-subjects:1"],
  [["0 root", "1 nsubj", "1 nsubj:outer"]],
  [["0 root", "1 nsubj", "1 csubj:outer", "1 nsubj:outer"]],
  [["0 root", "1 nsubj", "1 nsubj X _ Note|Subject=Outer"]],
  [["0 root", "1 nsubj", "1 conj", "3 nsubj"]],
  [["0 root", "1 obj", "1 obj:lvc"], "too-many-objects:1"],
  [["0 root", "1 iobj", "1 iobj", "1 ccomp", "1 obj"]],
  [["0 root", "1 punct PUNCT", "2 punct PUNCT", "2 dep"], "leaf-punct:4"],
  [["0 root", "1 punct PUNCT", "2 advmod PART Polarity=Neg"], "leaf-punct:3"],
  [
    ["0 root", "1 case", "2 advmod ADV", "2 obl:tmod", "2 fixed", "2 conj"],
    "fixed-without-extpos:2",
    "fixed-gap:2",
  ],
  [["0 root", "1 case", "2 nmod"], "leaf-mark-case:3"],
  [["0 root", "1 mark", "2 case"], "leaf-mark-case:3"],
  [["0 root", "1 clf", "2 nummod NUM"], "leaf-clf:3"],
  [["0 root", "1 aux:pass AUX", "2 advmod ADV"], "leaf-aux-cop:3"],
  [["0 root", "1 aux:pass AUX", "2 advmod ADV Degree=Pos|Polarity=Neg"]],
  [["0 root", "1 cop AUX", "2 advmod NOUN Polarity=Neg"], "leaf-aux-cop:3", "rel-upos-advmod:3"],
  [["0 root", "1 cc", "2 cc"], "leaf-cc:3"],
  [["0 root", "1 cc", "2 conj", "2 punct PUNCT"]],
  [["0 root", "1 fixed", "2 fixed"], "fixed-without-extpos:1", "fixed-without-extpos:2", "leaf-fixed:3"],
  [["0 root", "1 goeswith", "2 punct PUNCT"], "leaf-goeswith:3"],
  [["0 root", "1 det PRON PronType=Prs", "2 nmod"], "leaf-det:3"],
  [["0 root", "1 det DET Poss=Yes|PronType=Prs", "2 nmod:poss", "2 acl:relcl", "2 appos"]],
  [["0 root", "1 det DET Poss=Yes|PronType=Prs", "2 nsubj"], "leaf-det:3"],
  [["2 flat:name", "0 root"], "right-to-left-flat:1"],
  [["2 conj", "0 root"], "right-to-left-conj:1"],
  [["2 appos", "0 root"], "right-to-left-appos:1"],
  [["2 fixed", "0 root X ExtPos=ADV"], "right-to-left-fixed:1"],
  [["2 goeswith", "0 root X Typo=Yes"], "right-to-left-goeswith:1", "goeswith-gap:2"],
  [["0 dep"], "0-is-not-root:1"],
  [["0 root", "1 root"], "root-is-not-0:2"],
  [["0 root", "1 advmod NOUN"], "rel-upos-advmod:2"],
  [["0 root", "1 advmod NOUN ExtPos=ADV"]],
  [["0 root", "1 advmod NOUN Typo=Yes", "2 goeswith"]],
  [
    ["0 root", "1 aux VERB", "1 case PROPN", "1 cc VERB", "1 cop NOUN", "1 det NOUN"],
    "rel-upos-aux:2",
    "rel-upos-case:3",
    "rel-upos-cc:4",
    "rel-upos-cop:5",
    "rel-upos-det:6",
  ],
  [
    ["0 root", "1 expl NOUN", "1 mark INTJ", "1 nummod ADJ", "1 punct SYM"],
    "rel-upos-expl:2",
    "rel-upos-mark:3",
    "rel-upos-nummod:4",
    "rel-upos-punct:5",
  ],
  [["0 root", "1 aux AUX", "1 case ADP", "1 cc CCONJ", "1 cop PRON PronType=Prs", "1 det DET PronType=Art"]],
  [["0 root", "1 expl PART", "1 mark SCONJ", "1 nummod NUM", "1 punct PUNCT"]],
  [["0 root", "1 discourse PUNCT"], "upos-rel-punct:2"],
  [["0 root PUNCT"]],
  [["0 root PROPN ExtPos=PROPN", "1 fixed"], "rel-upos-fixed:1"],
  [["0 root X ExtPos=ADV", "1 fixed PROPN"], "rel-upos-fixed:2"],
  [["0 root X ExtPos=ADV", "1 fixed", "1 dep", "1 fixed"], "fixed-gap:1"],
  [["0 root X ExtPos=ADV", "1 punct PUNCT", "1 fixed"]],
  [["0 root", "1 obj NOUN", "2 obl"], "obl-should-be-nmod:3"],
  [["0 root", "1 obj NOUN", "2 obl", "2 cop AUX"]],
  [["0 root", "1 conj NOUN", "2 obl"]],
  [["0 root", "1 nmod", "2 orphan"], "orphan-parent:3"],
  [["0 root", "1 conj", "2 orphan"]],
  [["0 root X Typo=Yes", "1 dep", "1 goeswith"], "goeswith-gap:1"],
  [["0 root X Typo=Yes SpaceAfter=No", "1 goeswith"], "goeswith-nospace:1"],
  [["0 root X Typo=Yes", "1 goeswith NOUN Case=Nom"], "goeswith-upos:2", "goeswith-feats:2"],
  [["0 root", "1 goeswith", "1 dep X Case=Nom"], "goeswith-missing-typo:1"],
  [["0 root", "1 dep", "1 flat:foreign X Foreign=Yes"], "flat-foreign-upos-feats:1"],
  [["0 root X Foreign=Yes", "1 flat:foreign X Foreign=Yes"]],
  [["0 root", "1 det DET", "1 dep X Case=Nom"], "pron-det-without-prontype:2"],
  [["0 root", "1 det DET"]],
  [["0 root VERB VerbForm=Fin", "1 conj VERB Mood=Ind|VerbForm=Fin"], "verbform-fin-without-mood:1"],
  [["3 dep", "4 dep", "4 punct PUNCT", "0 root"], "leaf-punct:1"],
  [["4 punct PUNCT", "0 root", "2 dep", "3 dep"], "punct-is-nonproj:1"],
  [["2 dep", "0 root", "2 dep", "1 punct PUNCT"], "punct-is-nonproj:4"],
  [["0 root", "4 dep", "1 punct PUNCT", "1 dep"], "punct-causes-nonproj:3"],
  [["0 root", "1 dep", "1 punct PUNCT", "2 dep"], "punct-causes-nonproj:3"],
  [["0 root", "1 dep", "1 aux AUX", "2 dep", "3 punct PUNCT"], "punct-is-nonproj:5"],
  [["0 root", "4 aux AUX", "2 punct PUNCT", "1 dep"]],
];

describe("rules on relations", () => {
  it.each(TREES.map(([words, ...findings]) => ({ words, findings })))(
    "$words: $findings",
    ({ words, findings }) => {
      const found = [...validateText(sentence(words))].map(({ rule, line }) => `${rule}:${line - 2}`);
      expect(found).toEqual(findings);
      expect([...validateText(sentence(words), { level: 2 })]).toEqual([]);
    },
  );

  it.each([
    [["root", "nsubj:pass", "acl:relcl"], true],
    [["nsubj", "obj"], false],
    [["root", "dobj"], false],
    [["ROOT", "nsubj"], false],
    [[], false],
  ] as const)("knows whether %j are relations of Universal Dependencies", (relations, expected) => {
    expect(areUniversal(relations)).toBe(expected);
  });
});
