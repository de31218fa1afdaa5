import fc from "fast-check";
import { contentOf, type EditDocument, openDocument } from "../../src/correct/document.ts";
import type { Edit } from "../../src/correct/edits.ts";
import { idOf } from "../../src/correct/linked.ts";

/** A row of CoNLL-U from its columns, with `_` for those that are left out. */
export function row(id: string, form: string, columns: Partial<Record<string, string>> = {}): string {
  const others = ["lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"];
  return [id, form, ...others.map((name) => columns[name] ?? "_")].join("\t");
}

/** Returns a row from its columns with spaces between them. */
export function columns(text: string): string {
  return text.replaceAll(" ", "\t");
}

const FORMS = ["Dogs", "bark", "du", "l'", "été", "犬", "a b", "#", "-"];
const word = fc.record({
  form: fc.constantFrom(...FORMS),
  upos: fc.constantFrom("NOUN", "VERB", "_", "odd"),
  feats: fc.constantFrom("_", "Number=Plur", "Case=Nom|Number=Sing"),
  deprel: fc.constantFrom("nsubj", "obj", "dep", "conj"),
  misc: fc.constantFrom("_", "SpaceAfter=No", "Gloss=x", "SpacesAfter=\\n|odd", "TokenRange=0:3"),
  attach: fc.nat(),
  isEmptyNext: fc.boolean(),
  isTokenStart: fc.integer({ min: 0, max: 4 }),
});

/** The lines of a sentence with a tree, multiword tokens, and perhaps an enhanced graph with empty nodes. */
export const sentenceLines = fc
  .record({
    words: fc.array(word, { minLength: 1, maxLength: 6 }),
    id: fc.option(fc.integer({ min: 1, max: 5 })),
    hasText: fc.boolean(),
    hasGraph: fc.boolean(),
    order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ words, id, hasText, hasGraph, order }) => {
    // Each word depends on one that comes before it in a random order.
    const places = words.map((_, i) => i).sort((a, b) => order[a]! - order[b]! || a - b);
    const heads = words.map((_, i) => {
      const at = places.indexOf(i);
      return at === 0 ? 0 : places[words[i]!.attach % at]! + 1;
    });
    const lines = id === null ? [] : [`# sent_id = s${id}`];
    if (hasText) lines.push("# text = as it was");
    let covered = 0;
    for (const [i, { form, upos, feats, deprel, misc, isEmptyNext, isTokenStart }] of words.entries()) {
      const m = i + 1;
      if (isTokenStart === 0 && m > covered && m < words.length) {
        lines.push(row(`${m}-${m + 1}`, "tok", { misc }));
        covered = m + 1;
      }
      const head = `${heads[i]}`;
      const label = heads[i] === 0 ? "root" : deprel;
      lines.push(
        row(`${m}`, form, {
          lemma: form,
          upos,
          feats,
          head,
          deprel: label,
          deps: hasGraph ? `${head}:${label}` : "_",
          misc,
        }),
      );
      if (hasGraph && isEmptyNext) lines.push(row(`${m}.1`, "_", { deps: `${m}:conj` }));
    }
    return lines;
  });

const BROKEN = ["1\tonly\tthree", "1 spaces instead of tabs _ _ _ _ _ _", "2\ta\ta\tX\t_\t_\t0\troot\t_\t_"];

/** Texts of CoNLL-U files with all that readers accept, and sentences that they refuse. */
export const fileText = fc
  .record({
    mark: fc.constantFrom("", "\ufeff", "\n", "\ufeff\n\r\n"),
    sentences: fc.array(
      fc.oneof(
        { weight: 9, arbitrary: sentenceLines },
        { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((line) => [line]) },
      ),
      { maxLength: 4 },
    ),
    ends: fc.array(fc.constantFrom("\n", "\n", "\r\n"), { minLength: 3, maxLength: 3 }),
    gaps: fc.array(fc.constantFrom("\n", "\r\n", "\n\n"), { minLength: 3, maxLength: 3 }),
    cut: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ mark, sentences, ends, gaps, cut }) => {
    const text = sentences
      .map((lines, s) => lines.map((line, i) => `${line}${ends[(i + s) % 3]}`).join("") + gaps[s % 3])
      .join("");
    return `${mark}${cut === 0 ? text : text.replace(cut === 1 ? /(?:\r?\n)+$/ : /\n$/, "")}`;
  });

/** Numbers from which `editFrom` makes an edit that may fit a document. */
export const editSeeds = fc.tuple(
  fc.nat(),
  fc.nat({ max: 30 }),
  fc.nat(),
  fc.nat(),
  fc.constantFrom("", "x", "de", "a\tb", "NOUN", "_", "Case=Acc"),
);

/** Returns an edit of a document; it may not fit. Undefined for a document without sentences. */
export function editFrom(
  document: EditDocument,
  [s, kind, a, b, text]: [number, number, number, number, string],
): Edit | undefined {
  const own = document.sentences[s % Math.max(1, document.sentences.length)];
  if (own === undefined) return undefined;
  const sentence = own.key;
  const rows = contentOf(own).sentence?.rows ?? [];
  const n = rows.filter((one) => one.kind === "word").length;
  const [i, j] = [(a % (n + 1)) + 1, (b % (n + 1)) + 1];
  const ids = [...rows.map(idOf), "99"];
  const [node, other] = [ids[a % ids.length]!, [...ids, "0"][b % (ids.length + 1)]!];
  const relation = ["nsubj", "obj", "conj"][b % 3]!;
  const kinds: Edit[] = [
    { kind: "columns", sentence, row: node, columns: { form: text } },
    { kind: "columns", sentence, row: node, columns: { upos: text, feats: text } },
    { kind: "columns", sentence, row: node, columns: { deprel: relation, misc: text } },
    { kind: "head", sentence, word: i, head: j - 1 },
    { kind: "head", sentence, word: i, head: j - 1, deprel: relation },
    {
      kind: "tree",
      sentence,
      heads: [-1, 0, ...Array(Math.max(0, n - 1)).fill(1)],
      labels: ["", "root", ...Array(Math.max(0, n - 1)).fill("obj")],
    },
    { kind: "splitWord", sentence, word: i, forms: [text, "z"] },
    { kind: "splitWord", sentence, word: i, forms: ["x", "y", text], asToken: true },
    { kind: "joinWords", sentence, first: Math.min(i, j), last: Math.max(i, j) },
    { kind: "groupWords", sentence, first: Math.min(i, j), last: Math.max(i, j), form: text },
    { kind: "ungroupWords", sentence, word: i },
    { kind: "insertWord", sentence, after: i - 1, form: text },
    { kind: "deleteWord", sentence, word: i },
    { kind: "splitSentence", sentence, word: i },
    { kind: "joinSentences", sentence },
    { kind: "edge", sentence, node, to: { head: other, relation } },
    { kind: "edge", sentence, node, from: { head: other, relation }, to: { head: "0", relation } },
    { kind: "graph", sentence },
    { kind: "addEmptyNode", sentence, after: i - 1, form: text, edge: { head: other, relation } },
    { kind: "removeEmptyNode", sentence, node },
    { kind: "text", sentence },
    { kind: "lines", sentence, text: `# ${text}\n${row("1", "new", { head: "0", deprel: "root" })}` },
    { kind: "lines", sentence, text: BROKEN[b % BROKEN.length]! },
    { kind: "fix", sentence, words: [i, j], isFixed: b % 2 === 0 },
    { kind: "notes", sentence, notes: [{ on: "word", word: i, text }] },
  ];
  return kinds[kind % kinds.length];
}

/** Returns a document of a text. */
export function documentOf(text: string): EditDocument {
  return openDocument("a.conllu", text);
}
