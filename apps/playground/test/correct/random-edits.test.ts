// @module-tag slow
import { validateText } from "@arcwise/conllu";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOf, documentText, openDocument } from "../../src/correct/document.ts";
import type { Edit, OwnEdit } from "../../src/correct/edits.ts";
import { type EditHistory, perform, startHistory, undo } from "../../src/correct/history.ts";
import { row } from "./examples.ts";

/*
 * The editor beside a model of its own: maps from words to values, in which a word keeps its identity through all edits,
 * and which knows neither rows nor numbers.
 */

interface Word {
  form: string;
  lemma: string;
  upos: string;
  deprel: string;
  misc: string;
  /** The head; "root"; undefined for a word without a head. */
  head: Word | "root" | undefined;
}

interface Token {
  readonly words: Word[];
  form: string;
  misc: string;
}

interface Sentence {
  readonly key: number;
  words: Word[];
  tokens: Token[];
  hasGraph: boolean;
}

interface Model {
  sentences: Sentence[];
  nextKey: number;
  edits: number;
}

interface Real {
  history: EditHistory;
}

const NO_SPACE = "SpaceAfter=No";
const items = (misc: string) => (misc === "_" ? [] : misc.split("|"));
const isSpacing = (item: string) => item.startsWith("Space");
const misc = (list: readonly string[]) => list.join("|") || "_";
const spacing = (text: string) => items(text).filter(isSpacing);
const spaced = (text: string, list: readonly string[]) =>
  misc([...list, ...items(text).filter((one) => !isSpacing(one))]);
const isMark = ({ upos, form }: Word) => upos === "PUNCT" || (upos === "_" && form === ".");
const undecided = (word: Word) => (isMark(word) ? "punct" : "dep");
const relation = (word: Word, deprel: string) => (["root", "_"].includes(deprel) ? undecided(word) : deprel);
const tokenOf = (sentence: Sentence, word: Word) => sentence.tokens.find(({ words }) => words.includes(word));

/** Words from a word up to the root. */
function path(word: Word): Word[] {
  const words = [word];
  for (let { head } = word; typeof head === "object"; head = head.head) words.push(head);
  return words;
}

function added(form: string, head: Word): Word {
  const upos = form === "." ? "PUNCT" : "X";
  const word = { form, lemma: head.lemma === "_" ? "_" : form, upos, deprel: "", misc: "_", head };
  return { ...word, deprel: undecided(word) };
}

/** What each kind of edit does to the model; false if the edit does not fit. */
const EFFECTS = {
  columns(sentence: Sentence, i: number, _: number, text: string) {
    Object.assign(sentence.words[i]!, { upos: text === "." ? "PUNCT" : "NOUN", lemma: text });
  },
  head(sentence: Sentence, i: number, j: number) {
    const [word, head] = [sentence.words[i]!, sentence.words[j]!];
    if (i === j) return false;
    const above = path(head);
    const child = above[above.indexOf(word) - 1];
    let deprel = word.deprel;
    if (child !== undefined) {
      if (child === head) deprel = child.deprel;
      Object.assign(child, { head: word.head, deprel: word.deprel });
    }
    Object.assign(word, { head, deprel: relation(word, deprel) });
    return undefined;
  },
  root(sentence: Sentence, i: number) {
    const word = sentence.words[i]!;
    for (const other of sentence.words)
      if (other.head === "root" && other !== word)
        Object.assign(other, { head: word, deprel: undecided(other) });
    Object.assign(word, { head: "root", deprel: "root" });
  },
  split(sentence: Sentence, i: number, j: number, text: string) {
    const word = sentence.words[i]!;
    const token = tokenOf(sentence, word);
    const kept = word.upos !== "PUNCT" && text === "." ? 1 : 0;
    const forms = [text, j % 2 === 0 ? "." : "z"];
    if (kept === 1 && forms[1] === ".") return false; // both are punctuation: nothing is clear
    const other = added(forms[1 - kept]!, word);
    const parts = kept === 0 ? [word, other] : [other, word];
    if (token === undefined) {
      const after = spacing(word.misc);
      parts[0]!.misc = spaced(parts[0]!.misc, [NO_SPACE]);
      parts[1]!.misc = spaced(parts[1]!.misc, after);
    } else token.words.splice(token.words.indexOf(word), 1, ...parts);
    const isCut = other.upos === "PUNCT" && word.lemma !== word.form;
    const cut =
      kept === 0 && word.lemma.endsWith(".")
        ? word.lemma.slice(0, -1)
        : word.lemma.replace(/^\./, kept ? "" : ".");
    if (word.lemma !== "_") word.lemma = isCut ? cut.trim() || word.lemma : forms[kept]!;
    word.form = forms[kept]!;
    sentence.words.splice(i, 1, ...parts);
    return undefined;
  },
  join(sentence: Sentence, i: number) {
    const [first, last] = sentence.words.slice(i, i + 2);
    if (last === undefined || tokenOf(sentence, first!) !== tokenOf(sentence, last)) return false;
    const token = tokenOf(sentence, first!);
    const space = token === undefined && !items(first!.misc).includes(NO_SPACE) ? " " : "";
    const kept = path(last).length < path(first!).length ? last : first!;
    const other = kept === last ? first! : last;
    const isWhole = token?.words.length === 2;
    const names = new Set(items(kept.misc).map((item) => item.split("=")[0]));
    const more = items(other.misc).filter((item) => !isSpacing(item) && !names.has(item.split("=")[0]));
    const end = isWhole ? token.misc : last.misc;
    Object.assign(kept, {
      form: isWhole ? token.form : `${first!.form}${space}${last.form}`,
      lemma: [first!.lemma, last.lemma].includes("_") ? "_" : `${first!.lemma}${space}${last.lemma}`,
      misc: spaced(misc([...items(kept.misc), ...more]), spacing(end)),
    });
    for (const word of sentence.words) if (word.head === other) word.head = kept;
    sentence.words.splice(i, 2, kept);
    if (isWhole) sentence.tokens.splice(sentence.tokens.indexOf(token), 1);
    else token?.words.splice(token.words.indexOf(first!), 2, kept);
    return undefined;
  },
  group(sentence: Sentence, i: number, _: number, text: string) {
    const words = sentence.words.slice(i, i + 2);
    if (words.length < 2 || words.some((word) => tokenOf(sentence, word) !== undefined)) return false;
    sentence.tokens.push({ words, form: text, misc: misc(spacing(words[1]!.misc)) });
    for (const word of words) word.misc = spaced(word.misc, []);
    return undefined;
  },
  ungroup(sentence: Sentence, i: number) {
    const token = tokenOf(sentence, sentence.words[i]!);
    if (token === undefined) return false;
    sentence.tokens.splice(sentence.tokens.indexOf(token), 1);
    for (const word of token.words)
      word.misc = spaced(word.misc, word === token.words.at(-1) ? spacing(token.misc) : [NO_SPACE]);
    return undefined;
  },
  insert(sentence: Sentence, i: number, _: number, text: string) {
    const word = sentence.words[i]!;
    const other = added(text, word);
    if (tokenOf(sentence, word)?.words.includes(sentence.words[i + 1]!))
      tokenOf(sentence, word)!.words.splice(tokenOf(sentence, word)!.words.indexOf(word) + 1, 0, other);
    sentence.words.splice(i + 1, 0, other);
  },
  delete(sentence: Sentence, i: number) {
    const word = sentence.words[i]!;
    if (sentence.words.length === 1) return false;
    const token = tokenOf(sentence, word);
    const children = sentence.words.filter(({ head }) => head === word);
    const heir =
      word.head === "root" ? (children.find((child) => !isMark(child)) ?? children[0]!) : undefined;
    for (const child of children) {
      if (child === heir) Object.assign(child, { head: "root", deprel: "root" });
      else child.head = heir ?? word.head;
    }
    sentence.words.splice(i, 1);
    if (token === undefined) return undefined;
    token.words.splice(token.words.indexOf(word), 1);
    const [left] = token.words;
    if (token.words.length > 1 || left === undefined) return undefined;
    sentence.tokens.splice(sentence.tokens.indexOf(token), 1);
    Object.assign(left, { form: token.form, misc: spaced(left.misc, spacing(token.misc)) });
    return undefined;
  },
  graph(sentence: Sentence) {
    sentence.hasGraph = true;
  },
} as const;

type EffectName = keyof typeof EFFECTS;

/** The edits of the editor for the effects on a model, without their sentence. */
const EDITS: Readonly<Record<EffectName, (word: number, j: number, text: string) => OwnEdit>> = {
  columns: (word, _, text) => ({
    kind: "columns",
    row: `${word}`,
    columns: { upos: text === "." ? "PUNCT" : "NOUN", lemma: text },
  }),
  head: (word, j) => ({ kind: "head", word, head: j + 1 }),
  root: (word) => ({ kind: "head", word, head: 0 }),
  split: (word, j, text) => ({ kind: "splitWord", word, forms: [text, j % 2 === 0 ? "." : "z"] }),
  join: (word) => ({ kind: "joinWords", first: word, last: word + 1 }),
  group: (word, _, form) => ({ kind: "groupWords", first: word, last: word + 1, form }),
  ungroup: (word) => ({ kind: "ungroupWords", word }),
  insert: (after, _, form) => ({ kind: "insertWord", after, form }),
  delete: (word) => ({ kind: "deleteWord", word }),
  graph: () => ({ kind: "graph" }),
};

/** The rows of a sentence of the model without DEPS: ID, FORM, LEMMA, UPOS, HEAD, DEPREL, MISC. */
function rowsOf({ words, tokens }: Sentence): string[] {
  const idOf = (word: Word) => words.indexOf(word) + 1;
  return words.flatMap((word) => {
    const token = tokens.find((one) => one.words[0] === word);
    const range = token && [
      `${idOf(word)}-${idOf(token.words.at(-1)!)}`,
      token.form,
      "_",
      "_",
      "_",
      "_",
      sorted(token.misc),
    ];
    const head = word.head === "root" ? "0" : word.head === undefined ? "_" : `${idOf(word.head)}`;
    const own = [`${idOf(word)}`, word.form, word.lemma, word.upos, head, word.deprel, sorted(word.misc)];
    return (range === undefined ? [own] : [range, own]).map((columns) => columns.join(" | "));
  });
}

const sorted = (text: string) => misc(items(text).sort());

function realRows(text: string): { readonly rows: string[]; readonly deps: string[] } {
  const rows = text
    .split("\n")
    .flatMap((line) => (line === "" || line.startsWith("#") ? [] : [line.split("\t")]));
  const tokens = rows.filter(([id]) => !id!.includes("."));
  const shown = tokens.map((c) => [c[0], c[1], c[2], c[3], c[6], c[7], sorted(c[9]!)].join(" | "));
  return { rows: shown, deps: rows.filter(([id]) => !id!.includes("-")).map((c) => c[8]!) };
}

/** Rules about content, which an edit may break as it is told. */
const OF_CONTENT = /text|sent-id|missing-spaceafter/;

class EditCommand implements fc.Command<Model, Real> {
  readonly #seeds: readonly [EffectName | "splitSentence" | "joinSentences", number, number, number, string];

  constructor(
    ...seeds: readonly [EffectName | "splitSentence" | "joinSentences", number, number, number, string]
  ) {
    this.#seeds = seeds;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): void {
    const [name, s, a, b, text] = this.#seeds;
    const sentence = model.sentences[s % model.sentences.length]!;
    const [i, j] = [a % sentence.words.length, b % sentence.words.length];
    if (name === "splitSentence" || name === "joinSentences") {
      if (!this.#changeSentences(model, sentence, i, name)) return;
      const kind = { kind: name, sentence: sentence.key };
      real.history = perform(real.history, name, [
        name === "splitSentence" ? ({ ...kind, word: i + 1 } as Edit) : (kind as Edit),
      ]);
    } else {
      if (EFFECTS[name](sentence, i, j, text) === false) return;
      const edit = { ...EDITS[name](i + 1, j, text), sentence: sentence.key } as Edit;
      real.history = perform(real.history, name, [edit]);
    }
    model.edits++;
    compare(model, real.history);
  }

  #changeSentences(model: Model, sentence: Sentence, i: number, name: string): boolean {
    const at = model.sentences.indexOf(sentence);
    if (name === "joinSentences") {
      const next = model.sentences[at + 1];
      if (next === undefined) return false;
      const root = sentence.words.find(({ head }) => head === "root")!;
      for (const word of next.words)
        if (word.head === "root")
          Object.assign(word, { head: root, deprel: isMark(word) ? "punct" : "parataxis" });
      sentence.words.push(...next.words);
      sentence.tokens.push(...next.tokens);
      sentence.hasGraph ||= next.hasGraph;
      model.sentences.splice(at + 1, 1);
      return true;
    }
    const token = tokenOf(sentence, sentence.words[i]!);
    if (i === 0 || (token !== undefined && token.words[0] !== sentence.words[i])) return false;
    const parts = [sentence.words.slice(0, i), sentence.words.slice(i)].map((words) => {
      const loose = words.filter(({ head }) => head === "root" || !words.includes(head as Word));
      const root =
        loose.find(({ head }) => head === "root") ?? loose.find((word) => !isMark(word)) ?? loose[0]!;
      for (const word of loose) Object.assign(word, { deprel: relation(word, word.deprel), head: root });
      Object.assign(root, { head: "root", deprel: "root" });
      return { words, tokens: sentence.tokens.filter((one) => words.includes(one.words[0]!)) };
    });
    Object.assign(sentence, parts[0]);
    model.sentences.splice(at + 1, 0, { key: model.nextKey++, hasGraph: sentence.hasGraph, ...parts[1]! });
    return true;
  }

  toString(): string {
    return this.#seeds.join(" ");
  }
}

function compare(model: Model, { document }: EditHistory): void {
  expect(document.sentences.map(({ key }) => key)).toEqual(model.sentences.map(({ key }) => key));
  for (const [i, sentence] of model.sentences.entries()) {
    const { text } = document.sentences[i]!;
    const { rows, deps } = realRows(text);
    expect(rows).toEqual(rowsOf(sentence));
    // No edges where there were none, and edges everywhere else.
    expect(deps.every((one) => (one === "_") !== sentence.hasGraph)).toBe(true);
    const broken = [...validateText(`${text.replace(/\n$/, "")}\n\n`)];
    expect(broken.filter(({ level, rule }) => level <= 2 && !OF_CONTENT.test(rule))).toEqual([]);
  }
}

const forms = fc.constantFrom("x", "de", ".", "zu");
const wordSeeds = fc.record({
  form: forms,
  lemma: fc.constantFrom("_", "x", "d."),
  upos: fc.constantFrom("NOUN", "VERB"),
  misc: fc.constantFrom("_", NO_SPACE, "Gloss=a", `${NO_SPACE}|Gloss=b`, "Lang=c"),
  at: fc.nat(),
  hasEmpty: fc.boolean(),
});
const sentences = fc.record({
  words: fc.array(wordSeeds, { minLength: 2, maxLength: 7 }),
  hasGraph: fc.boolean(),
});

/** Returns the lines of a valid sentence, and the model of it. */
function built(
  key: number,
  { words: seeds, hasGraph }: typeof sentences extends fc.Arbitrary<infer S> ? S : never,
) {
  const words: Word[] = [];
  for (const { form, lemma, upos, misc, at } of seeds) {
    const tag = form === "." ? "PUNCT" : upos;
    const head = words.length === 0 ? ("root" as const) : words[at % words.length]!;
    words.push({
      form,
      lemma,
      upos: tag,
      misc,
      head,
      deprel: head === "root" ? "root" : form === "." ? "punct" : "obj",
    });
  }
  const lines = [`# sent_id = s${key}`];
  for (const [i, { form, lemma, upos, misc, head, deprel }] of words.entries()) {
    const id = head === "root" ? "0" : `${words.indexOf(head as Word) + 1}`;
    const columns = { lemma, upos, head: id, deprel, deps: hasGraph ? `${id}:${deprel}` : "_", misc };
    lines.push(row(`${i + 1}`, form, columns));
    if (hasGraph && seeds[i]!.hasEmpty)
      lines.push(row(`${i + 1}.1`, "e", { deps: `${(seeds[i]!.at % words.length) + 1}:conj` }));
  }
  return { sentence: { key, words, tokens: [], hasGraph }, text: `${lines.join("\n")}\n\n` };
}

const names = [...(Object.keys(EFFECTS) as EffectName[]), "splitSentence", "joinSentences"] as const;
const command = fc
  .tuple(fc.constantFrom(...names.filter((name) => name !== "graph")), fc.nat(), fc.nat(), fc.nat(), forms)
  .map((seeds) => new EditCommand(...seeds));

test("5,000 edits change what a model of the editor says, and nothing else", () => {
  let edits = 0;
  fc.assert(
    fc.property(
      fc.array(sentences, { minLength: 1, maxLength: 3 }),
      fc.commands([command], { maxCommands: 100, size: "max" }),
      (seeds, commands) => {
        const all = seeds.map((one, key) => built(key, one));
        const text = all.map((one) => one.text).join("");
        const real = { history: startHistory(openDocument("a", text)) };
        const model: Model = {
          sentences: all.map(({ sentence }) => sentence),
          nextKey: all.length,
          edits: 0,
        };
        fc.modelRun(() => ({ model, real }), commands);
        edits += model.edits;
        const back = real.history.past.reduce(undo, real.history);
        expect(documentText(back.document)).toBe(text);
        for (const one of real.history.document.sentences) expect(contentOf(one).error).toBeUndefined();
      },
    ),
    { numRuns: 160 },
  );
  expect(edits).toBeGreaterThan(5000);
});
