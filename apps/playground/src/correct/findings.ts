import { type ConlluSentence, type Finding, validate, validateText } from "@arcwise/conllu";
import { contentOf, type EditDocument, type EditSentence, idOfSentence } from "./document.ts";
import { idOf } from "./linked.ts";

/** A rule that a sentence breaks, by its test ID in validate.py, and the row that breaks it. */
export interface SentenceFinding extends Pick<Finding, "rule" | "severity" | "expected" | "found"> {
  /** ID of the row; undefined for comments and the whole sentence. */
  readonly row: string | undefined;
}

/** Rules about the file around a sentence, or about its other sentences. */
const OF_FILES: ReadonlySet<Finding["rule"]> = new Set([
  "non-unix-newline",
  "missing-empty-line",
  "edeps-identical-to-basic-trees",
]);

const findings = new WeakMap<EditSentence, readonly SentenceFinding[]>();

/** Returns the rules that a sentence breaks. Computed once per sentence; O(length). */
export function findingsOf(sentence: EditSentence): readonly SentenceFinding[] {
  let known = findings.get(sentence);
  if (known === undefined) {
    const content = contentOf(sentence).sentence;
    const text = `${sentence.text.replace(/\r?\n$/, "")}\n\n`;
    known = Array.from(validateText(text), (finding) => described(finding, content)).filter(
      ({ rule }) => !OF_FILES.has(rule),
    );
    findings.set(sentence, known);
  }
  return known;
}

/** Returns the findings that make a sentence invalid: those that are not warnings. */
export function errorsOf(sentence: EditSentence): SentenceFinding[] {
  return findingsOf(sentence).filter(({ severity }) => severity === "error");
}

function described(
  { rule, severity, line, expected, found }: Finding,
  sentence?: ConlluSentence,
): SentenceFinding {
  const row = sentence?.rows[line - 1 - sentence.comments.length];
  return { rule, severity, expected, found, row: row && idOf(row) };
}

/** Returns the keys of sentences whose `sent_id` another sentence has as well. O(sentences). */
export function repeatedIds({ sentences }: EditDocument): ReadonlySet<number> {
  const byId = new Map<string, number>();
  const repeated = new Set<number>();
  for (const one of sentences) {
    const id = idOfSentence(one);
    if (id === undefined) continue;
    const other = byId.get(id);
    if (other === undefined) byId.set(id, one.key);
    else repeated.add(other).add(one.key);
  }
  return repeated;
}

/** Returns what is wrong with the value of a column while it is typed: rules of levels 1 and 2. O(length). */
export function valueFindings(
  column: "lemma" | "upos" | "xpos" | "feats" | "deprel" | "misc",
  value: string,
): SentenceFinding[] {
  const tags = { form: "x", lemma: "x", upos: "X", xpos: "_", feats: "_" };
  const row = { kind: "word", id: 1, head: 0, ...tags, deprel: "root", deps: "_", misc: "_" } as const;
  const comments = ["# sent_id = x", "# text = x"];
  const findings = validate({ comments, rows: [{ ...row, [column]: value }], line: 1 }, { level: 2 });
  return Array.from(findings, (finding) => described(finding));
}
