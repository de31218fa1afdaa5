import type { ConlluSentence } from "@arcwise/conllu";
import { wordsOf } from "../shared/sentences.ts";

/** What was picked in a sentence: words, and arcs by their modifiers. Positions from 1. */
export interface Picks {
  readonly words: ReadonlySet<number>;
  readonly arcs: ReadonlySet<number>;
}

/**
 * Returns a pattern that the picks of a sentence match: words by lemma and tag, the ends of arcs by their tag, arcs by their
 * relation. "" without picks.
 *
 * @example patternOf(sentence, { words: new Set([2]), arcs: new Set([1]) }); // "{lemma:bark;upos:VERB} >nsubj {upos:NOUN}"
 */
export function patternOf(sentence: ConlluSentence, { words, arcs }: Picks): string {
  const rows = wordsOf(sentence);
  const node = (position: number): string => {
    const { lemma, upos, head } = rows[position - 1]!;
    const isRoot = head === 0 && arcs.has(position);
    const tests = [
      ...(isRoot ? ["$"] : []),
      ...(words.has(position) && lemma !== "_" ? [`lemma:${quoted(lemma)}`] : []),
      ...(upos === "_" ? [] : [`upos:${quoted(upos)}`]),
    ];
    const modifiers = [...arcs].filter((m) => rows[m - 1]!.head === position).sort((a, b) => a - b);
    const related = modifiers.map((modifier) => {
      const below = node(modifier);
      return ` >${rows[modifier - 1]!.deprel} ${below.includes("} ") ? `(${below})` : below}`;
    });
    return `{${tests.join(";")}}${related.join("")}`;
  };
  const picked = new Set([...words, ...[...arcs].flatMap((m) => [m, rows[m - 1]!.head])]);
  const tops = [...picked].filter((position) => position > 0 && !hasHead(position)).sort((a, b) => a - b);
  function hasHead(position: number): boolean {
    return arcs.has(position) && rows[position - 1]!.head > 0;
  }
  return tops.map(node).join(" : ");
}

/** Returns a value as a pattern writes it: in quotation marks if it could be read as something else. */
function quoted(value: string): string {
  return /^[\p{L}\p{N}]+$/u.test(value) ? value : `"${value.replace(/["\\]/gu, "\\$&")}"`;
}

/** Returns picks with one more, or without it. */
export function toggled(picks: Picks, kind: keyof Picks, position: number): Picks {
  const next = new Set(picks[kind]);
  if (!next.delete(position)) next.add(position);
  return { ...picks, [kind]: next };
}
