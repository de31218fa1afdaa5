import { signal } from "@preact/signals";
import type { Sort } from "./lines.ts";

/** Patterns that are offered. */
export const EXAMPLES = [
  "{upos:VERB}=verb >obj {}=object",
  "{upos:NOUN} !>det {}",
  "{} >nsubj {} >/obl.*/ {}",
  "{deprel:/acl.*/}",
];

/** How matches are shown. */
export const SHAPES = { trees: "Trees", lines: "Lines", counts: "Counts" } as const;
export type Shape = keyof typeof SHAPES;

/* What the view shows: it stays while other views are shown. */

export const pattern = signal(EXAMPLES[0]!);
export const shape = signal<Shape>("trees");
/** Fields that matches are counted by; at most two. */
export const fields = signal<readonly string[]>(["1.lemma"]);
export const sort = signal<Sort>("file");
/** Values of fields that all listed matches have. */
export const only = signal<Readonly<Record<string, string>>>({});
