import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explain, universalTerms } from "@arcwise/conllu";
import { describe, expect, test } from "vitest";
import { FEATURE_TERMS } from "../src/explain/features.ts";
import { RELATION_TERMS } from "../src/explain/relations.ts";
import { PENN_TERMS, UPOS_TERMS } from "../src/explain/tags.ts";
import { RELATIONS, TAGS } from "../src/inventory.ts";

const SITE = "https://universaldependencies.org";
/** One sentence after the name, and an address. */
const EXPLANATION = /^[^:]+(?:, [^:]+)*: [^.]+\. https:\/\/universaldependencies\.org\/\S+\.html(?:#\w+)?$/;

describe("the page of a term", () => {
  test.each([
    ["obl", "/u/dep/obl.html"],
    ["aux", "/u/dep/aux_.html"],
    ["aux:pass", "/u/dep/aux-pass.html"],
    ["nsubj:pass", "/u/dep/nsubj-pass.html"],
    ["nmod:unmarked", "/u/dep/nmod.html"],
    ["obl:in", "/u/dep/obl.html"],
    ["NOUN", "/u/pos/NOUN.html"],
    ["AUX", "/u/pos/AUX_.html"],
    ["det", "/u/dep/det.html"],
    ["DET", "/u/pos/DET.html"],
    ["Number", "/u/feat/Number.html"],
    ["Number=Plur", "/u/feat/Number.html#Plur"],
    ["Number[psor]=Sing", "/u/feat/Number-psor.html#Sing"],
    ["PronType=Int,Rel", "/u/feat/PronType.html"],
    ["Mutation=SM", "/ext-feat-index.html"],
    ["VBZ", "/tagset-conversion/en-penn-uposf.html"],
    ["PRP$", "/tagset-conversion/en-penn-uposf.html"],
  ])("%s", (term, page) => {
    expect(explain(term)!.split(" ").at(-1)).toBe(SITE + page);
  });
});

test.each([
  ["obl", "oblique nominal"],
  ["nsubj:pass", "passive subject"],
  ["conj:and", "conjunct, and"],
  ["Case=Gen", "case"],
  ["Number[psor]", "number of the possessor"],
])("%s has its name before its sentence", (term, name) => {
  expect(explain(term)!.split(":")[0]).toBe(name);
});

test.each([
  "",
  "x",
  "nsbj",
  "Obl",
  "noun",
  "Number=",
  "Number=Many",
  "Number[x]",
  "Colour=Red",
  "obl:",
  "constructor",
  "Number=constructor",
  "__proto__",
])("%j is unknown", (term) => {
  expect(explain(term)).toBeUndefined();
});

describe("every term has a name, one sentence and an address", () => {
  const features = Object.entries(FEATURE_TERMS).flatMap(([name, term]) =>
    term.split("; ").map((value, i) => (i === 0 ? name : `${name}=${value.split(" ")[0]}`)),
  );
  const terms = [RELATION_TERMS, UPOS_TERMS, PENN_TERMS].flatMap(Object.keys);
  test.each([...terms, ...features])("%s", (term) => {
    expect(explain(term)).toMatch(EXPLANATION);
  });

  test("all universal relations and parts of speech are terms", () => {
    expect([...RELATIONS, ...TAGS].filter((term) => explain(term) === undefined)).toEqual([]);
  });

  test.each([
    ["upos", 17, "NOUN"],
    ["deprel", 37, "nsubj"],
    ["feats", 250, "Number=Plur"],
  ] as const)("the universal terms of %s are explained", (column, least, example) => {
    const terms = universalTerms(column);
    expect(terms.length).toBeGreaterThanOrEqual(least);
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms).toContain(example);
    expect(terms.filter((term) => explain(term) === undefined)).toEqual([]);
  });
});

const root = join(process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared"), "treebanks");
const english = (existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : []).filter(
  (name) => /UD_English.*(?:dev|test)\.conllu$/.test(name),
);

describe.skipIf(english.length === 0)("all terms of an English treebank are explained", () => {
  test.each(english)("%s", (file) => {
    const terms = new Set<string>();
    for (const row of readFileSync(join(root, file), "utf8").split("\n")) {
      const [, , , upos, xpos, feats, , deprel] = row.split("\t");
      if (deprel === undefined) continue;
      for (const term of [upos!, xpos!, deprel, ...feats!.split("|")]) terms.add(term);
    }
    terms.delete("_");
    expect(terms.size).toBeGreaterThan(100);
    expect([...terms].filter((term) => explain(term) === undefined)).toEqual([]);
  });
});
