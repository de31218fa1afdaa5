import { type ConlluSentence, parseConllu } from "@arcwise/conllu";
import { compilePattern } from "@arcwise/conllu/search";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
import { patternOf, toggled } from "../src/search/example.ts";
import { find } from "../src/search/find.ts";
import { allMatches, countBy, countsTable, linesOf, linesTable, matchedNodes } from "../src/search/lines.ts";

/** Sentences of `form:lemma:UPOS:head:deprel:feats` words. */
function sentence(id: string, words: string): ConlluSentence {
  const rows = words.split(" ").map((word, i) => {
    const [form, lemma, upos, head, deprel, feats = "_"] = word.split(":");
    return [i + 1, form, lemma, upos, "_", feats, head, deprel, "_", "_"].join("\t");
  });
  return parseConllu(`# sent_id = ${id}\n${rows.join("\n")}\n\n`)[0]!;
}
const SENTENCES = [
  sentence(
    "a",
    "Dogs:dog:NOUN:2:nsubj:Number=Plur see:see:VERB:0:root:Tense=Pres cats:cat:NOUN:2:obj:Number=Plur",
  ),
  sentence("b", "Ann:Ann:PROPN:2:nsubj:Number=Sing saw:see:VERB:0:root:Tense=Past it:it:PRON:2:obj"),
  sentence("c", "Bob:Bob:PROPN:2:nsubj ate:eat:VERB:0:root:Tense=Past bread:bread:NOUN:2:obj:Number=Sing"),
];

async function search(pattern: string) {
  return allMatches((await collected(find(SENTENCES, pattern))).at(-1)!);
}

describe("matches", async () => {
  const matches = await search("{upos:VERB}=verb >obj {}");
  const nodes = matchedNodes(matches);

  test("have nodes with names and features", async () => {
    expect(nodes).toEqual([
      { number: 1, name: "verb", features: ["Tense"] },
      { number: 2, name: "2", features: ["Number"] },
    ]);
    expect(matchedNodes(await search("{upos:VERB} !>nmod {}")).map(({ number }) => number)).toEqual([1]);
  });

  test.each([
    ["1.lemma", "2 see, 1 eat"],
    ["1.feats.Tense", "2 Past, 1 Pres"],
    ["2.feats.Number", "1 Plur, 1 Sing, 1 _"],
    ["1.lemma 2.upos", "1 eat NOUN, 1 see NOUN, 1 see PRON"],
    ["2.deprel", "3 obj"],
    ["9.lemma", "3 _"],
    ["", "3 "],
  ])("are counted by %j", (fields, expected) => {
    const counts = countBy(matches, fields === "" ? [] : fields.split(" "));
    expect(counts.map(({ values, count }) => `${count} ${values.join(" ")}`).join(", ")).toBe(expected);
  });

  test.each([
    ["file", "see saw ate"],
    ["key", "ate saw see"],
    ["after", "ate see saw"],
    ["before", "saw ate see"],
  ] as const)("are lines in the order %s", (sort, expected) => {
    const lines = linesOf(matches, sort);
    expect(lines.map(({ forms, key }) => forms[key - 1]).join(" ")).toBe(expected);
  });

  test("are saved as tables", () => {
    const [head, first] = linesTable(linesOf(matches, "file"), nodes).split("\n");
    expect(head).toBe(
      "sentence\tbefore\tmatch\tafter\t1.form\t1.lemma\t1.upos\t1.xpos\t1.deprel\t2.form\t2.lemma\t2.upos\t2.xpos\t2.deprel",
    );
    expect(first).toBe("a\tDogs\tsee\tcats\tsee\tsee\tVERB\t_\troot\tcats\tcat\tNOUN\t_\tobj");
    expect(countsTable(countBy(matches, ["1.lemma"]), ["1.lemma"])).toBe("count\t1.lemma\n2\tsee\n1\teat\n");
  });
});

describe("a pattern of picks", () => {
  const picks = (words: number[], arcs: number[]) => ({ words: new Set(words), arcs: new Set(arcs) });
  const nested = sentence(
    "d",
    "She:she:PRON:2:nsubj saw:see:VERB:0:root old:old:ADJ:4:amod dogs:dog:NOUN:2:obj",
  );

  test.each([
    [[2], [], "{lemma:see;upos:VERB}"],
    [[], [1], "{upos:VERB} >nsubj {upos:PRON}"],
    [[4], [1, 4], "{upos:VERB} >nsubj {upos:PRON} >obj {lemma:dog;upos:NOUN}"],
    [[], [3, 4], "{upos:VERB} >obj ({upos:NOUN} >amod {upos:ADJ})"],
    [[], [2], "{$;upos:VERB}"],
    [[1, 3], [], "{lemma:she;upos:PRON} : {lemma:old;upos:ADJ}"],
    [[], [], ""],
  ])("words %j, arcs %j", (words, arcs, expected) => {
    expect(patternOf(nested, picks(words, arcs))).toBe(expected);
  });

  test("matches its own sentence, whatever its words are", () => {
    const lemma = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => /^[^\s\p{C}]+$/u.test(text));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(lemma, fc.nat(), fc.constantFrom("obj", "nsubj:pass", "acl")), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.uniqueArray(fc.nat(5)),
        fc.uniqueArray(fc.nat(5)),
        (given, words, arcs) => {
          const rows = given.map(([text, at, deprel], i) =>
            [
              i + 1,
              "w",
              text,
              "X",
              "_",
              "_",
              i === 0 ? 0 : (at % i) + 1,
              i === 0 ? "root" : deprel,
              "_",
              "_",
            ].join("\t"),
          );
          const one = parseConllu(`${rows.join("\n")}\n\n`)[0]!;
          const inside = (all: number[]) => all.map((i) => i + 1).filter((i) => i <= given.length);
          const pattern = patternOf(one, picks(inside(words), inside(arcs)));
          if (pattern === "") return;
          expect([...compilePattern(pattern).matches(one)].length).toBeGreaterThan(0);
        },
      ),
    );
  });

  test("are picked, and left out", () => {
    const once = toggled(picks([], []), "arcs", 2);
    expect([...once.arcs]).toEqual([2]);
    expect([...toggled(once, "arcs", 2).arcs]).toEqual([]);
  });
});
