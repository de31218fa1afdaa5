import { areUniversal, validateText } from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

/** Returns a sentence of words `HEAD RELATION [UPOS [FEATS [MISC]]]`. */
function sentence(words: readonly string[]): string {
  const rows = words.map((word, i) => {
    const [head, deprel, upos = "X", feats = "_", misc = "_"] = word.split(" ");
    return [i + 1, "w", "_", upos, "_", feats, head, deprel, "_", misc].join("\t");
  });
  const text = words.map(() => "w").join(" ");
  return `# sent_id = s\n# text = ${text}\n${rows.join("\n")}\n\n`;
}

/** Words of a tree, and the rules that they break, each as `rule:word`. */
const TREES: readonly (readonly [words: readonly string[], ...findings: string[]])[] = [
  [["0 root", "1 nsubj", "1 obj"]],
  [["0 root", "1 nsubj", "1 nsubj:pass"], "deprel-repeated:3"],
  [["0 root", "1 csubj", "1 nsubj"], "deprel-repeated:3"],
  [["0 root", "1 nsubj", "1 nsubj:outer"]],
  [["0 root", "1 nsubj", "1 csubj:outer", "1 nsubj:outer"]],
  [["0 root", "1 nsubj", "1 nsubj X _ Note|Subject=Outer"]],
  [["0 root", "1 nsubj", "1 nsubj", "1 nsubj"], "deprel-repeated:3"],
  [["0 root", "1 nsubj", "1 conj", "3 nsubj"]],
  [["0 root", "1 obj", "1 obj:lvc"], "deprel-repeated:3"],
  [["0 root", "1 iobj", "1 iobj", "1 ccomp", "1 obj"]],
  [["0 root", "1 punct", "2 punct", "2 dep"], "deprel-children:4"],
  [["0 root", "1 punct", "2 advmod PART Polarity=Neg"], "deprel-children:3"],
  [["0 root", "1 case", "2 advmod", "2 obl:tmod", "2 fixed", "2 conj"]],
  [["0 root", "1 case", "2 nmod"], "deprel-children:3"],
  [["0 root", "1 mark", "2 case"], "deprel-children:3"],
  [["0 root", "1 clf", "2 nummod"], "deprel-children:3"],
  [["0 root", "1 aux:pass", "2 advmod ADV"], "deprel-children:3"],
  [["0 root", "1 aux:pass", "2 advmod ADV Degree=Pos|Polarity=Neg"]],
  [["0 root", "1 cop", "2 advmod NOUN Polarity=Neg"], "deprel-children:3"],
  [["0 root", "1 cc", "2 cc"], "deprel-children:3"],
  [["0 root", "1 cc", "2 conj", "2 fixed", "2 punct"]],
  [["0 root", "1 fixed", "2 fixed"], "deprel-children:3"],
  [["0 root", "1 goeswith", "2 punct"], "deprel-children:3"],
  [["0 root", "1 det", "2 nmod", "2 advmod"], "deprel-children:3"],
  [["0 root", "1 det DET Poss=Yes|PronType=Prs", "2 nmod:poss", "2 acl:relcl", "2 appos"]],
  [["0 root", "1 det DET Poss=Yes", "2 nsubj"], "deprel-children:3"],
  [["2 flat:name", "0 root"], "deprel-direction:1"],
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
