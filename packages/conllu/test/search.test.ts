import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { type ConlluSentence, parseConllu, viewSentence, type WordView } from "../src/index.ts";
import {
  compileField,
  compilePattern,
  createMatcher,
  search,
  searchVocabulary,
  type WordMatch,
} from "../src/search/index.ts";

/** A sentence from `form/UPOS/HEAD/DEPREL` words. */
function sentence(text: string): ConlluSentence {
  const rows = text.split(" ").map((word, i) => {
    const [form, upos = "_", head = "_", deprel = "_"] = word.split("/");
    return `${i + 1}\t${form}\t${form!.toLowerCase()}\t${upos}\t_\t_\t${head}\t${deprel}\t_\t_\n`;
  });
  return parseConllu(`${rows.join("")}\n`)[0]!;
}

const DOGS = sentence("Old/ADJ/2/amod dogs/NOUN/3/nsubj chase/VERB/0/root the/DET/5/det cats/NOUN/3/obj");
const [HABITS] = parseConllu(`1	He	he	PRON	PRP	Case=Nom|Person=3	2	nsubj	_	SpaceAfter=No
2	slept	sleep	VERB	VBD	Tense=Past	0	root	_	_
3	_	_	SYM	_	_	2	dep:x	_	_

`);

const found = (pattern: string, sentenceOf = DOGS) =>
  [...compilePattern(pattern).matches(sentenceOf)].map(({ nodes }) => nodes.join(" "));

describe("operators", () => {
  test.each([
    ["{} >/nsubj|obj/ {}", ["3 2", "3 5"]],
    ["{} >% {form:the}", ["5 4"]],
    ["{form:chase} 2,2>> {}", ["3 1", "3 4"]],
    ["{form:the} 2,9<< {}", ["4 3"]],
  ])("%s", (pattern, expected) => {
    expect(found(pattern)).toEqual(expected);
  });
});

describe("words", () => {
  test.each([
    ["{}", 3],
    ["{$}", 1],
    ["!{$}", 2],
    ["{form:He;upos:PRON}", 1],
    ["{word:He;pos:PRP;idx:1}", 1],
    ["{lemma:/.e.*/}", 1],
    ["{lemma:/e/}", 0],
    ["{xpos!:VBD}", 2],
    ["{xpos?:VBD}", 2],
    ["{xpos:__}", 2],
    ["{lemma:_}", 1],
    ["{feats:{Person:3;Case!:Acc}}", 1],
    ["{feats:{Person!:3}}", 2],
    ["{morphofeatures:{Tense?:Past}}", 3],
    ["{feats:Tense=Past}", 1],
    ["{misc:{SpaceAfter:No}}", 1],
    ["{misc:{toString:__}}", 0],
    ["{deprel:nsubj}", 1],
    ["{} >dep:x {}", 1],
    ["{}=a >nsubj {} : {}=a >dep:x {}", 1],
  ])("%s", (pattern, count) => {
    expect(found(pattern, HABITS)).toHaveLength(count);
  });
});

describe("formulas", () => {
  test.each([
    ["{} >nsubj {} >obj {}", ["3 2 5"]],
    ["{} >nsubj {} & >obj {}", ["3 2 5"]],
    ["{} >nsubj ({} >amod {})", ["3 2 1"]],
    ["{upos:NOUN} [<nsubj {} | <obj {}]", ["2 3 0", "5 0 3"]],
    ["{upos:NOUN} !>amod {}", ["5 0"]],
    ["{upos:NOUN} ![>amod {} | >det {}]", []],
    ["{upos:NOUN} ?>amod {}", ["2 1", "5 0"]],
    ["{}=a >nsubj {} : {}=a >obj {}", ["3 2 3 5"]],
    ["{} > ({} > {upos:DET}=x) >> {}=x", ["3 5 4 4"]],
    ["{lemma:dogs} [!>a {} | !>b {}]", ["2 0 0"]],
    ["{lemma:dogs} [?>a {} | ?>b {} | !>c {}]", ["2 0 0 0"]],
    ["{lemma:dogs} [?>amod {} | ?>b {}]", ["2 1 0", "2 0 0"]],
    ["{form:cats} [> {} | > {}]", ["5 4 0", "5 0 4"]],
    // Different names are different words, unless == says otherwise; nodes without names may be any.
    ["{form:chase} > {}=a > {}=b", ["3 2 5", "3 5 2"]],
    ["{form:chase} > {}=a > {}", ["3 2 2", "3 2 5", "3 5 2", "3 5 5"]],
    ["{form:dogs}=a == {}=b", ["2 2"]],
    ["{form:dogs}=a == ({} == {}=b)", ["2 2 2"]],
    ["{form:dogs}=a : {upos:NOUN}=b", ["2 5"]],
    ["{} >=r {} >=r {}", ["2 1 1", "3 2 2", "3 5 5", "5 4 4"]],
  ])("%s", (pattern, expected) => {
    expect(found(pattern)).toEqual(expected);
  });

  test("names of nodes and relations", () => {
    const pattern = compilePattern("{}=verb >/.*/=r {upos:NOUN}=noun ?>amod {}=adj");
    expect([pattern.names, pattern.relationNames]).toEqual([["verb", "noun", "adj"], ["r"]]);
    expect([...pattern.matches(DOGS)].map(({ names, relations }) => ({ names, relations }))).toEqual([
      { names: { verb: 3, noun: 2 }, relations: { r: "nsubj" } },
      { names: { verb: 3, noun: 5 }, relations: { r: "obj" } },
    ]);
    const chain = [...compilePattern("{form:Old} <<=r {}").matches(DOGS)];
    expect(chain.map(({ relations }) => relations.r)).toEqual(["amod", "nsubj"]);
  });

  test("sentences without heads have no arcs, and cycles end", () => {
    expect(found("{} < {}", sentence("a b c"))).toEqual([]);
    expect(found("{} << {}", sentence("a/X/2/x b/X/1/x"))).toEqual(["1 2", "1 1", "2 1", "2 2"]);
    expect(found("{} >> {}", sentence("a/X/2/x b/X/1/x"))).toEqual(["1 2", "1 1", "2 1", "2 2"]);
    expect(found("{} <> {}", sentence("a/X/2/x b/X/1/x"))).toEqual(["1 2", "2 1"]);
    expect(() => found("{}", sentence("a/X/2/x"))).toThrow(expect.objectContaining({ rule: "unknown-head" }));
    const whole = sentence("a/X/0/x b/X/1/x");
    const half = { ...whole, rows: whole.rows.map((row) => ({ ...row, head: 0.5 })) };
    expect(() => found("{}", half)).toThrow(expect.objectContaining({ rule: "unknown-head" }));
  });
});

const SPECIAL = parseConllu(readFileSync(new URL("special-values.conllu", import.meta.url), "utf8"))[0]!;

describe("values", () => {
  test.each([
    ['{form:";"}', [1]],
    ['{form:"}"}', [2]],
    ['{form:"/"}', [3]],
    ['{form:"http://x.org/a;b"}', [4]],
    ["{form:$}", [5]],
    ["{form:+}", [6]],
    ['{form:"\\""}', [7]],
    ["{form:10 000}", [8]],
    ["{form:a|b}", [9]],
    ['{form:"{x}"}', [10]],
    ["{form:\\}", [11]],
    ['{form:"\\\\"}', [11]],
    ["{form:/(?i)is/}", [12, 13, 14]],
    ["{form:/(?i)IS|a\\|B/}", [9, 12, 13, 14]],
    ["{form:/is/}", [13]],
    ["{form:_}", [15]],
    ['{form:"__"}', [16]],
    ["{form:__;id:16}", [16]],
    ["{form::}", [17]],
    ['{lemma:":"}', [17]],
    ["{form:=}", [18]],
    ["{form:&}", [19]],
    ["{form:!}", [20]],
    ['{deprel:"root"}', [1]],
  ])("%s", (pattern, ids) => {
    expect(found(pattern, SPECIAL)).toEqual(ids.map(String));
  });

  test("relations and names of features are also quoted", () => {
    expect(found('{} >"dep" {id:2}', SPECIAL)).toEqual(["1 2"]);
    expect(found('{feats:{"Person":"3"}}', HABITS)).toHaveLength(1);
    expect(found("{} >/(?i)DEP/ {id:2}", SPECIAL)).toEqual(["1 2"]);
  });

  test("each pattern of the letters of a form finds it when it is quoted", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (form) => {
        const quoted = `"${form.replace(/["\\]/g, "\\$&")}"`;
        const row = { ...SPECIAL.rows[0]!, form, lemma: "x" };
        expect(found(`{form:${quoted};lemma:"x"}`, { ...SPECIAL, rows: [row] })).toEqual(["1"]);
      }),
    );
  });
});

test.each([
  ["", 1],
  ["{", 2],
  ["{form}", 6],
  ["{colour:red}", 2],
  ["{form:a", 8],
  ["{form:/(/}", 7],
  ["{form:/a}", 7],
  ["{form:/a)|(?:b/}", 7],
  ["{form:/(?x)a/}", 7],
  ['{form:"a}', 7],
  ["{form:;}", 7],
  ["{form:{x}}", 7],
  ["{form:a;b}", 9],
  ["{upos:{A:b}}", 7],
  ["{} >", 5],
  ["{} > {} extra", 9],
  ["{} & {}", 4],
  ["{} > {} & {}", 11],
  ["{} [> {}", 9],
  ["{} !> {}=x", 10],
  ["{} 3,2>> {}", 4],
  ["{}=", 4],
  ["{} @ {}", 4],
  ["{}=a :: uniq a", 7],
])("%s is refused at character %i", (pattern, character) => {
  expect(() => compilePattern(pattern)).toThrow(
    expect.objectContaining({ code: "invalid-argument", at: `character ${character}` }),
  );
});

test("fields of matches", () => {
  const pattern = compilePattern("{upos:VERB}=v >=r {}=n ?>amod {}=a");
  const [first] = pattern.matches(HABITS!);
  const value = (field: string) => compileField(pattern, field)(HABITS!, first!);
  expect(["v.lemma", "n.feats.Person", "n.id", "n.deprel", "v.misc.Gloss", "a.form", "r"].map(value)).toEqual(
    ["sleep", "3", "1", "nsubj", undefined, undefined, "nsubj"],
  );
  // Names are words of the user: members of all objects are names like any other.
  const odd = compilePattern("{upos:VERB} ?>x=constructor {}=toString");
  const [unmatched] = odd.matches(HABITS!);
  expect(compileField(odd, "constructor")(HABITS!, unmatched!)).toBeUndefined();
  expect(compileField(odd, "toString.form")(HABITS!, unmatched!)).toBeUndefined();
  for (const field of ["x.lemma", "v", "v.colour", "v.lemma.x", "", "r.form"]) {
    expect(() => compileField(pattern, field), field).toThrow(
      expect.objectContaining({ code: "invalid-argument", at: "field" }),
    );
  }
});

describe("unique matches", () => {
  const unique = (pattern: string) =>
    [...compilePattern(pattern, { unique: true }).matches(DOGS)].map(({ nodes }) => nodes.join(" "));
  test.each([
    // Without names each set of words, with names each choice of named words.
    ["{upos:NOUN} .. {upos:NOUN}", ["2 5"]],
    ["{form:chase} > {} > {}", ["3 2 2", "3 2 5", "3 5 5"]],
    ["{form:chase}=v > {} > {}", ["3 2 2"]],
    ["{} > {}=m", ["2 1", "3 2", "3 5", "5 4"]],
    ["{}=h > {}", ["2 1", "3 2", "5 4"]],
  ])("%s", (pattern, expected) => {
    expect(unique(pattern)).toEqual(expected);
  });

  test("are the first of those with the same words, in any sentence", () => {
    fc.assert(
      fc.property(randomSentence, randomNode, (words, node) => {
        fc.pre(nodeCount(node) <= 4);
        const text = nodeText({ ...node, name: "p" });
        fc.pre(!/![^!]*=q/.test(text));
        const matches = [...compilePattern(text).matches(written(words))];
        const keys = matches.map(({ names }) => JSON.stringify(names));
        const expected = matches.filter((_, i) => keys.indexOf(keys[i]!) === i);
        expect([...compilePattern(text, { unique: true }).matches(written(words))]).toEqual(expected);
      }),
    );
  });

  test("words of matches as well; other options are refused", () => {
    const heads = search("{}=h > {}", { unique: true });
    expect([...heads.in(DOGS)].map(({ h }) => h.form)).toEqual(["dogs", "chase", "cats"]);
    for (const compile of [search, compilePattern]) {
      expect(() => compile("{}", { uniq: true } as object)).toThrow(
        expect.objectContaining({ code: "unknown-option" }),
      );
    }
  });
});

test("a vocabulary finds the tags, features and relations that sentences lack", () => {
  const missing = (pattern: string, ...sentences: readonly ConlluSentence[]) => {
    const vocabulary = searchVocabulary(compilePattern(pattern));
    for (const one of sentences) vocabulary.add(one);
    return vocabulary.missing().map(({ value, elsewhere, similar }) => [value, elsewhere, similar]);
  };
  expect(missing("{pos:VERB} >nsbj {upos:NOUN}", HABITS!)).toEqual([
    ["VERB", "upos", undefined],
    ["nsbj", undefined, "nsubj"],
    ["NOUN", undefined, undefined],
  ]);
  expect(missing("{} >dep {} >dep {}", HABITS!)).toEqual([["dep", undefined, "dep:x"]]);
  expect(missing("{feats:{Tense:Pats;Case:Nom;Mood:Ind}} !>obj {}", HABITS!)).toEqual([
    ["Pats", undefined, "Past"],
    ["Ind", undefined, undefined],
    ["obj", undefined, undefined],
  ]);
  expect(missing("{upos:NOUN} >obj {}", HABITS!, DOGS)).toEqual([]);
  expect(missing("{lemma:unknown;form:/x/} >/y/ {id:99}", DOGS)).toEqual([]);
});

describe("long patterns", () => {
  const n = 20_000;
  test.each([
    ["brackets", "(".repeat(n)],
    ["alternatives", `{} ${"[".repeat(n)}`],
    ["negations", `{} ${"!".repeat(n)}>nsubj {}`],
    ["optional relations", `{} ${"?".repeat(n)}>nsubj {}`],
    ["patterns", `{$}${":{$}".repeat(n)}`],
    ["relations", `{$}${" =={}".repeat(n)}`],
    ["relations in a row", `{$}${" & =={}".repeat(n)}`],
    ["choices", `{$}${" | =={}".repeat(n)}`],
    ["negations and choices", `{}${" !?>nsubj {}".repeat(n)}`],
  ])("of %s are refused without recursion", (_, pattern) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });

  test.each([
    ["patterns", `{$}${":{$}".repeat(999)}`, 1],
    ["relations", `{$}${" =={}".repeat(999)}`, 1],
    ["brackets", `{$}${" ==({}".repeat(99)}${")".repeat(99)}`, 1],
    ["optional relations", `{$}${" ???=={}".repeat(249)}`, 1],
    ["negations", `{$}${` ${"!".repeat(90)}=={}`.repeat(10)}`, 1],
    ["choices", `{$} ${"[?=={} | ".repeat(99)}=={}${"]".repeat(99)}`, 100],
  ])("within the limits are matched: %s", (_, pattern, count) => {
    expect(found(pattern)).toHaveLength(count);
  });
});

/** Naive definitions of the operators: words a and b of a sentence, and the label of the arc that counts. */
type Words = readonly { readonly head: number; readonly deprel: string; readonly form: string }[];
const headOf = (words: Words, m: number) => words[m - 1]!.head;
const arc = (words: Words, h: number, m: number, label: string) =>
  headOf(words, m) === h && (label === "" || words[m - 1]!.deprel === label);
/** Whether m is `distance` arcs below h, the arc at one end of the path having the label. */
function below(words: Words, h: number, m: number, distance: number): boolean {
  let at = m;
  for (let k = 0; k < distance; k++) at = at > 0 ? headOf(words, at) : -1;
  return at === h;
}
const all = (words: Words) => words.map((_, i) => i + 1);
const siblings = (words: Words, a: number, b: number) =>
  headOf(words, a) > 0 && headOf(words, a) === headOf(words, b);
const NAIVE: Readonly<Record<string, (w: Words, a: number, b: number, label: string) => boolean>> = {
  "<": (w, a, b, l) => arc(w, b, a, l),
  ">": (w, a, b, l) => arc(w, a, b, l),
  "<>": (w, a, b, l) => arc(w, a, b, l) || arc(w, b, a, l),
  "<++": (w, a, b, l) => arc(w, b, a, l) && b > a,
  "<--": (w, a, b, l) => arc(w, b, a, l) && b < a,
  ">++": (w, a, b, l) => arc(w, a, b, l) && b > a,
  ">--": (w, a, b, l) => arc(w, a, b, l) && b < a,
  // From a up to some c, whose arc from b has the label.
  "<<": (w, a, b, l) => all(w).some((c) => arc(w, b, c, l) && all(w).some((d) => below(w, c, a, d - 1))),
  // From a down to some c, the head of b by an arc with the label.
  ">>": (w, a, b, l) => all(w).some((c) => arc(w, c, b, l) && all(w).some((d) => below(w, a, c, d - 1))),
  "2,3<<": (w, a, b, l) => all(w).some((c) => arc(w, b, c, l) && (below(w, c, a, 1) || below(w, c, a, 2))),
  "2,3>>": (w, a, b, l) => all(w).some((c) => arc(w, c, b, l) && (below(w, a, c, 1) || below(w, a, c, 2))),
  "==": (_, a, b) => a === b,
  ".": (_, a, b) => b === a + 1,
  "-": (_, a, b) => b === a - 1,
  "..": (_, a, b) => b > a,
  "--": (_, a, b) => b < a,
  "$+": (w, a, b) => siblings(w, a, b) && b === a + 1,
  "$-": (w, a, b) => siblings(w, a, b) && b === a - 1,
  "$++": (w, a, b) => siblings(w, a, b) && b > a,
  "$--": (w, a, b) => siblings(w, a, b) && b < a,
};
const LABELLED = /[<>]/;

/** Any tree over n words with few forms and labels. */
const randomSentence = fc.integer({ min: 1, max: 6 }).chain((n) =>
  fc
    .tuple(
      fc.array(fc.nat(), { minLength: n, maxLength: n }),
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i + 1),
        { minLength: n, maxLength: n },
      ),
      fc.array(fc.constantFrom("x", "y"), { minLength: n, maxLength: n }),
      fc.array(fc.constantFrom("a", "b"), { minLength: n, maxLength: n }),
    )
    .map(([picks, order, labels, forms]) => {
      const words: { head: number; deprel: string; form: string }[] = [];
      order.forEach((m, i) => {
        const pick = picks[i]! % (i + 1);
        words[m - 1] = {
          head: pick === 0 ? 0 : order[pick - 1]!,
          deprel: labels[m - 1]!,
          form: forms[m - 1]!,
        };
      });
      return words;
    }),
);
const written = (words: Words) =>
  sentence(words.map(({ form, head, deprel }) => `${form}/X/${head}/${deprel}`).join(" "));

/** A pattern as a tree, from which both the text and the naive matcher are made. */
interface Node {
  readonly form: string;
  readonly name: string;
  readonly formulas: readonly Formula[];
}
type Formula =
  | { readonly kind: "relation"; readonly operator: string; readonly label: string; readonly target: Node }
  | { readonly kind: "not" | "optional"; readonly part: Formula }
  | { readonly kind: "or"; readonly parts: readonly Formula[] };

/** Any relation with a node that has at most this many levels below it. */
function randomRelation(levels: number): fc.Arbitrary<Formula> {
  return fc.record({
    kind: fc.constant("relation" as const),
    operator: fc.constantFrom(...Object.keys(NAIVE)),
    label: fc.constantFrom("", "x"),
    target: randomNodeOf(levels),
  });
}

function randomFormula(levels: number, depth = 2): fc.Arbitrary<Formula> {
  const relation = randomRelation(levels);
  if (depth === 0) return relation;
  const inner = randomFormula(levels, depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: relation },
    fc.record({ kind: fc.constantFrom("not" as const, "optional" as const), part: inner }),
    fc.record({ kind: fc.constant("or" as const), parts: fc.array(inner, { minLength: 2, maxLength: 3 }) }),
  );
}

function randomNodeOf(levels: number): fc.Arbitrary<Node> {
  return fc.record({
    form: fc.constantFrom("", "", "a", "b"),
    name: fc.constantFrom("", "", "", "p", "q"),
    formulas:
      levels === 0
        ? fc.constant([])
        : fc.array(randomFormula(levels - 1), { maxLength: levels === 2 ? 2 : 1 }),
  });
}

const randomNode = randomNodeOf(2);

function nodeText({ form, name, formulas }: Node): string {
  const own = `{${form === "" ? "" : `form:${form}`}}${name === "" ? "" : `=${name}`}`;
  return [own, ...formulas.map(formulaText)].join(" ");
}

function formulaText(formula: Formula): string {
  switch (formula.kind) {
    case "or":
      return `[${formula.parts.map(formulaText).join(" | ")}]`;
    case "not":
      return `!${formulaText(formula.part)}`;
    case "optional":
      return `?${formulaText(formula.part)}`;
    default:
      return `${formula.operator}${LABELLED.test(formula.operator) ? formula.label : ""} (${nodeText(formula.target)})`;
  }
}

const nodeCount = ({ formulas }: Node): number => 1 + formulas.reduce((sum, f) => sum + formulaCount(f), 0);
function formulaCount(formula: Formula): number {
  if (formula.kind === "relation") return nodeCount(formula.target);
  if (formula.kind === "or") return formula.parts.reduce((sum, part) => sum + formulaCount(part), 0);
  return formulaCount(formula.part);
}

/** Words of nodes by index, and of names. */
type State = Readonly<Record<string, number>>;

/** Whether `==` relates the nodes p and q somewhere, by itself or through other nodes: a closure of pairs. */
function areSame(node: Node): boolean {
  const pairs: [string, string][] = [];
  let count = 0;
  const visitNode = ({ name, formulas }: Node): string => {
    const key = name === "" ? `${count}` : name;
    count++;
    for (const formula of formulas) visitFormula(formula, key);
    return key;
  };
  const visitFormula = (formula: Formula, from: string): void => {
    if (formula.kind === "or") for (const part of formula.parts) visitFormula(part, from);
    else if (formula.kind !== "relation") visitFormula(formula.part, from);
    else {
      const target = visitNode(formula.target);
      if (formula.operator === "==") pairs.push([from, target]);
    }
  };
  visitNode(node);
  const same = new Set(["p"]);
  for (const _ of pairs) {
    for (const [a, b] of pairs) if (same.has(a) || same.has(b)) same.add(a).add(b);
  }
  return same.has("q");
}

/** All states after a node that has this index, over all words: sets in place of a search. */
function nodeStates(words: Words, node: Node, index: number, word: number, state: State): State[] {
  if (node.form !== "" && words[word - 1]!.form !== node.form) return [];
  if (node.name !== "" && (state[node.name] ?? word) !== word) return [];
  const other = node.name === "p" ? "q" : "p";
  if (node.name !== "" && state[other] === word && !state.areSame) return [];
  const named = node.name === "" ? {} : { [node.name]: word };
  let states: State[] = [{ ...state, ...named, [index]: word }];
  let next = index + 1;
  for (const formula of node.formulas) {
    states = states.flatMap((one) => formulaStates(words, formula, next, word, one));
    next += formulaCount(formula);
  }
  return states;
}

function formulaStates(words: Words, formula: Formula, index: number, word: number, state: State): State[] {
  switch (formula.kind) {
    case "relation": {
      const { operator, label, target } = formula;
      const own = LABELLED.test(operator) ? label : "";
      return all(words)
        .filter((other) => NAIVE[operator]!(words, word, other, own))
        .flatMap((other) => nodeStates(words, target, index, other, state));
    }
    case "or": {
      let next = index;
      const states = formula.parts.flatMap((part) => {
        const found = formulaStates(words, part, next, word, state);
        next += formulaCount(part);
        return found;
      });
      return distinct(states);
    }
    case "not":
      return formulaStates(words, formula.part, index, word, state).length > 0 ? [] : [state];
    default: {
      const states = formulaStates(words, formula.part, index, word, state);
      return states.length > 0 ? states : [state];
    }
  }
}

function distinct(states: readonly State[]): State[] {
  const ordered = states.map((state) => JSON.stringify(Object.entries(state).sort()));
  return states.filter((_, i) => ordered.indexOf(ordered[i]!) === i);
}

describe("against brute force", () => {
  test.each(Object.keys(NAIVE))("%s, over all pairs of words", (operator) => {
    fc.assert(
      fc.property(randomSentence, fc.constantFrom("", "x"), (words, label) => {
        const own = LABELLED.test(operator) ? label : "";
        const expected = all(words).flatMap((a) =>
          all(words).flatMap((b) => (NAIVE[operator]!(words, a, b, own) ? [`${a} ${b}`] : [])),
        );
        expect(found(`{} ${operator}${own} {}`, written(words)).sort()).toEqual(expected.sort());
      }),
    );
  });

  test("nested, negated, optional and alternative relations, over sets of states", () => {
    let compared = 0;
    fc.assert(
      fc.property(randomSentence, randomNode, (words, node) => {
        const size = nodeCount(node);
        fc.pre(size <= 5);
        const text = nodeText({ ...node, name: "p" });
        fc.pre(!/![^!]*=q/.test(text));
        const first = { ...node, name: "p" };
        const start = { areSame: Number(areSame(first)) };
        const states = all(words).flatMap((word) => nodeStates(words, first, 0, word, start));
        const expected = states.map((state) =>
          Array.from({ length: size }, (_, i) => state[i] ?? 0).join(" "),
        );
        expect(found(text, written(words)).sort(), text).toEqual(expected.sort());
        compared += expected.length;
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(1000);
  });
});

test("time is linear in the number of sentences and words for patterns of neighbours", () => {
  const long = sentence(Array.from({ length: 2000 }, (_, i) => `w/X/${i}/x`).join(" "));
  expect(found("{} > ({} > ({} . {}))", long)).toHaveLength(1997);
});

describe("words of matches", () => {
  const matches = (pattern: string, where = DOGS) =>
    Array.from(search(pattern).in(where), (match) =>
      Object.entries(match)
        .map(([name, word]) => `${name}:${word?.form}`)
        .join(" "),
    );

  test.each([
    ["{upos:VERB}=verb >nsubj {}=subject >obj {}=object", ["verb:chase subject:dogs object:cats"]],
    ["{upos:NOUN}=n ?>amod {}=a", ["n:dogs a:Old", "n:cats"]],
    ["{upos:NOUN}", ["", ""]],
    ["{} >nsubj=how {}=n", ["n:dogs"]],
  ])("%s", (pattern, expected) => {
    expect(matches(pattern)).toEqual(expected);
  });

  test("are words of the sentence, with their children and text", () => {
    for (const { verb, subject } of search("{upos:VERB}=verb >nsubj {}=subject").in(DOGS)) {
      expect(verb.left[0]).toBe(subject);
      expect(subject.phrase.text).toBe("Old dogs");
    }
    expect.assertions(2);
  });

  test("come from a sentence, its view, or several sentences", () => {
    const count = (where: Parameters<ReturnType<typeof search>["in"]>[0]) =>
      [...search("{upos:NOUN}").in(where)].length;
    expect([count(DOGS), count(viewSentence(DOGS)), count([DOGS, viewSentence(DOGS)])]).toEqual([2, 2, 4]);
  });

  test("have the names of a literal pattern as their type", () => {
    type Names<P extends string> = keyof WordMatch<P>;
    expectTypeOf<Names<"{upos:VERB}=verb >nsubj {}=subject >/obj|iobj/=r ({}=o >amod {})">>().toEqualTypeOf<
      "verb" | "subject" | "o"
    >();
    expectTypeOf<Names<"{} = a == {}=b .. {}=c1)">>().toEqualTypeOf<"a" | "b" | "c1">();
    expectTypeOf<WordMatch<"{}=a >/x|y/ {}=b">["b"]>().toEqualTypeOf<WordView>();
    expectTypeOf<WordMatch<"{}=a ?>x {}=b">["b"]>().toEqualTypeOf<WordView | undefined>();
    expectTypeOf<WordMatch>().toEqualTypeOf<Readonly<Record<string, WordView>>>();
  });

  test.each([5, null, ["a"].values, {}])("are not found in %s", (value) => {
    const run = () => search("{}").in(value as unknown as ConlluSentence);
    expect(thrownBy(run)).toMatchObject({ code: "invalid-argument" });
  });
});

describe("a matcher", () => {
  test("calls the functions of all patterns, sentence by sentence", () => {
    const calls: string[] = [];
    const matcher = createMatcher()
      .on("{upos:NOUN}=noun", ({ noun }, { words }) => calls.push(`${noun.form} of ${words.length}`))
      .on("{upos:VERB}=verb >obj {}=object", ({ verb, object }) => calls.push(`${verb.form} ${object.form}`));
    expect(matcher.run([DOGS, HABITS!])).toBe(3);
    expect(calls).toEqual(["dogs of 5", "cats of 5", "chase cats"]);
    expect(matcher.run(DOGS)).toBe(3);
  });

  test("refuses what is not a pattern or a function", () => {
    const add = (pattern: unknown, callback: unknown) => () =>
      createMatcher().on(pattern as string, callback as () => void);
    expect(thrownBy(add("{", () => {}))).toMatchObject({ code: "invalid-argument", at: "character 2" });
    expect(thrownBy(add(5, () => {}))).toMatchObject({ code: "invalid-argument" });
    expect(thrownBy(add("{}", "x"))).toMatchObject({ code: "invalid-argument" });
  });
});

test("a search has notes on values that no word has, also when its sentences are read once", () => {
  const expected = [
    "no word has xpos VERB; upos has it: {upos:VERB}",
    "no word has the relation nsbj; did you mean nsubj?",
  ];
  const pattern = "{pos:VERB} >nsbj {}";
  expect(search(pattern).in(HABITS!).notes).toEqual(expected);
  function* once() {
    yield HABITS!;
  }
  const matches = search(pattern).in(once());
  expect([...matches]).toEqual([]);
  expect(matches.notes).toEqual(expected);
  expect(search(pattern).in(once()).notes).toEqual(expected);
  expect(search("{upos:VERB}").in(HABITS!).notes).toEqual([]);
});

test("a matcher takes the options of a search", () => {
  let objects = 0;
  createMatcher({ unique: true })
    .on("{upos:VERB}=v >/.*/ {}", () => objects++)
    .run(DOGS);
  expect(objects).toBe(1);
  for (const [given, code] of [
    [5, "invalid-option"],
    [{ uniqe: true }, "unknown-option"],
  ] as const)
    expect(() => createMatcher(given as object)).toThrow(expect.objectContaining({ code }));
});
