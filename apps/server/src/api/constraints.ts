import type { SentenceView } from "@arcwise/conllu";
import type { ParseConstraints } from "@arcwise/parser";
import { badRequest } from "../failures.ts";
import { count, type Field, listOf, object, text } from "../routes/fields.ts";

/** What is known of a word of a sentence. */
export interface WordConstraint {
  /** The word, from 1. */
  readonly word: number;
  /** Its head; 0 is the root. */
  readonly head?: number | undefined;
  readonly deprel?: string | undefined;
  /** Heads and relations that it must not have. */
  readonly notHead?: readonly number[] | undefined;
  readonly notDeprel?: readonly string[] | undefined;
}

/** The constraints of a request: of each sentence, or the heads and relations of the input. */
export type Constraints = "given" | readonly (readonly WordConstraint[])[];

const WORD = count("the word, from 1", 1);
const HEAD = count("its head; 0 is the root", 0);
const DEPREL = text("its relation");
const SENTENCES = listOf(
  listOf(
    object<WordConstraint>(
      "what is known of a word",
      { word: WORD, head: HEAD, deprel: DEPREL, notHead: listOf(HEAD), notDeprel: listOf(DEPREL) },
      "word",
    ),
  ),
);

/** The field of constraints. */
export const CONSTRAINTS: Field<Constraints> = {
  help:
    "what is known of the trees: a list per sentence of objects { word, head, deprel, notHead, notDeprel }; or given: the " +
    "heads and relations that conllu has",
  schema: { oneOf: [{ type: "string", enum: ["given"] }, SENTENCES.schema] },
  read: (value, at) => (value === "given" ? "given" : SENTENCES.read(value, at)),
};

/** Returns the constraints of sentences for the pipeline. @param from index of the sentence of the first list */
export function constraintsFor(
  constraints: Constraints | undefined,
  from: number,
): ((sentence: SentenceView, index: number) => ParseConstraints | undefined) | undefined {
  if (constraints === undefined) return undefined;
  if (constraints === "given") return givenArcs;
  return (sentence, index) => {
    const given = constraints[index - from];
    return given === undefined || given.length === 0 ? undefined : listedArcs(given, sentence, index);
  };
}

function givenArcs({ rows }: SentenceView): ParseConstraints {
  const words = rows.filter(({ kind }) => kind === "word") as { head: number; deprel: string }[];
  return {
    heads: [-1, ...words.map(({ head }) => head)],
    labels: ["", ...words.map(({ deprel }) => (deprel === "_" ? "" : deprel))],
  };
}

function listedArcs(
  given: readonly WordConstraint[],
  { words }: SentenceView,
  index: number,
): ParseConstraints {
  const n = words.length;
  const within = (position: number, least: number) => {
    if (position >= least && position <= n) return position;
    throw badRequest(
      `constraints of sentence ${index + 1}: expected a word from ${least} to ${n}, found ${position}`,
    );
  };
  const heads = new Array<number>(n + 1).fill(-1);
  const labels = new Array<string>(n + 1).fill("");
  const forbiddenArcs: [number, number][] = [];
  const forbiddenLabels: [number, string][] = [];
  for (const { word, head, deprel, notHead = [], notDeprel = [] } of given) {
    within(word, 1);
    if (head !== undefined) heads[word] = within(head, 0);
    if (deprel !== undefined) labels[word] = deprel;
    for (const other of notHead) forbiddenArcs.push([within(other, 0), word]);
    for (const label of notDeprel) forbiddenLabels.push([word, label]);
  }
  return { heads, labels, forbiddenArcs, forbiddenLabels };
}
