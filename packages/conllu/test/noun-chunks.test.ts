import { type ConlluSentence, nounChunks, parseConllu } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentence as anySentence } from "./generators.ts";

/** A sentence from `form/UPOS/HEAD/DEPREL/FEATS` words; `-` behind a form joins it to the next one. */
function tree(text: string): ConlluSentence {
  const rows = text.split(" ").map((word, i) => {
    const [form, upos, head, deprel, feats = "_"] = word.split("/");
    const misc = form!.endsWith("+") ? "SpaceAfter=No" : "_";
    return `${i + 1}\t${form!.replace("+", "")}\t_\t${upos}\t_\t${feats}\t${head}\t${deprel}\t_\t${misc}\n`;
  });
  return parseConllu(`${rows.join("")}\n`)[0]!;
}

const chunks = (sentence: ConlluSentence) => nounChunks(sentence).map(({ text }) => text);

describe("the noun phrases of a tree", () => {
  test.each([
    [
      "conjuncts are phrases of their own",
      "The/DET/2/det storm/NOUN/3/nsubj damaged/VERB/0/root two/NUM/5/nummod houses/NOUN/3/obj and/CCONJ/9/cc an/DET/9/det old/ADJ/9/amod boat/NOUN/5/conj",
      ["The storm", "two houses", "an old boat"],
    ],
    [
      "a coordination in a coordination",
      "cats/NOUN/0/root ,/PUNCT/3/punct dogs/NOUN/1/conj and/CCONJ/7/cc both/CCONJ/7/cc:preconj big/ADJ/7/amod birds/NOUN/3/conj and/CCONJ/9/cc fish/NOUN/7/conj",
      ["cats", "dogs", "big birds", "fish"],
    ],
    [
      "prepositional phrases are apart",
      "the/DET/2/det roof/NOUN/0/root of/ADP/6/case the/DET/6/det red/ADJ/6/amod house/NOUN/2/nmod",
      ["the roof", "the red house"],
    ],
    [
      "relative clauses and their pronouns are left out",
      "The/DET/2/det letter/NOUN/9/nsubj that/PRON/5/obj/PronType=Rel you/PRON/5/nsubj sent/VERB/2/acl:relcl me/PRON/5/iobj has/AUX/9/aux finally/ADV/9/advmod arrived/VERB/0/root",
      ["The letter", "you", "me"],
    ],
    [
      "the pronoun of a free relative stays",
      "What/PRON/4/nsubj/PronType=Rel she/PRON/3/nsubj said/VERB/1/acl:relcl matters/VERB/0/root",
      ["What", "she"],
    ],
    [
      "possessors, compounds and names",
      "my/PRON/2/nmod:poss sister/NOUN/5/nmod:poss 's/PART/2/case phone/NOUN/5/compound book/NOUN/0/root and/CCONJ/7/cc Anna/PROPN/5/conj Brown/PROPN/7/flat",
      ["my sister 's phone book", "Anna Brown"],
    ],
    [
      "modifiers of modifiers",
      "more/ADJ/3/advmod than/ADP/1/fixed two/NUM/8/nummod very/ADV/5/advmod old/ADJ/8/amod ,/PUNCT/7/punct dirty/ADJ/5/conj boats/NOUN/0/root",
      ["more than two very old , dirty boats"],
    ],
    [
      "adjectives after the noun, without their complements",
      "une/DET/2/det maison/NOUN/0/root très/ADV/4/advmod grande/ADJ/2/amod et/CCONJ/6/cc blanche/ADJ/4/conj ;/PUNCT/9/punct une/DET/9/det fille/NOUN/2/conj fière/ADJ/9/amod de/ADP/13/case son/DET/13/det travail/NOUN/10/obl",
      ["une maison très grande et blanche", "une fille", "son travail"],
    ],
    [
      "a determiner before a relative clause is not joined to the noun behind it",
      "那/DET/5/det 我/PRON/3/nsubj 买/VERB/5/acl 的/PART/3/mark 书/NOUN/0/root",
      ["我", "书"],
    ],
    ["classifiers", "三/NUM/3/nummod 本/NOUN/1/clf 书/NOUN/0/root", ["三 本 书"]],
    [
      "expletives, fixed expressions and particles are not phrases",
      "It/PRON/2/expl rains/VERB/0/root because/ADP/5/case of/ADP/3/fixed spite/NOUN/2/obl in/ADP/8/case spite/NOUN/6/fixed them/PRON/2/obl",
      ["spite", "them"],
    ],
    [
      "other words in the place of a noun",
      "the/DET/2/det poor/ADJ/3/nsubj saw/VERB/0/root those/DET/3/obj and/CCONJ/7/cc 20/NUM/7/nummod %/SYM/4/conj in/ADP/9/case 2014/NUM/3/obl",
      ["the poor", "those", "20 %"],
    ],
    [
      "the noun of a copular clause",
      "She/PRON/5/nsubj is/AUX/5/cop a/DET/5/det good/ADJ/5/amod doctor/NOUN/0/root here/ADV/5/advmod",
      ["She", "a good doctor"],
    ],
    ["words without a tree are phrases of one word", "the/DET/_/_ cat/NOUN/_/_", ["cat"]],
  ])("%s", (_, words, expected) => {
    expect(chunks(tree(words))).toEqual(expected);
  });

  test("the head of a phrase is its noun", () => {
    const [chunk] = nounChunks(tree("an/DET/3/det old/ADJ/3/amod boat/NOUN/0/root"));
    expect([chunk!.head.form, chunk!.start, chunk!.end]).toEqual(["boat", 0, 11]);
  });

  test("words of a contraction are apart", () => {
    const [sentence] = parseConllu(
      "# text = We've won\n1-2\tWe've\t_\t_\t_\t_\t_\t_\t_\t_\n1\tWe\twe\tPRON\t_\t_\t3\tnsubj\t_\t_\n2\t've\thave\tAUX\t_\t_\t3\taux\t_\t_\n3\twon\twin\tVERB\t_\t_\t0\troot\t_\t_\n\n",
    );
    expect(chunks(sentence!)).toEqual(["We"]);
  });

  test("phrases are in order and apart, whatever the tree is", () => {
    fc.assert(
      fc.property(anySentence, (sentence) => {
        let end = 0;
        for (const { words } of nounChunks(sentence)) {
          expect(words[0]!.id).toBeGreaterThan(end);
          end = words.at(-1)!.id;
        }
      }),
    );
  });
});
