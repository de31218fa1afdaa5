export { arcIndex, completeArcs, filterArcs } from "./arcs.ts";
export { NoTree, UnsupportedPart } from "./errors.ts";
export { type ArcsByHead, arcsByHead, partLayout } from "./parts.ts";
export type { Arcs, Decoder, Decoding, ParsingProblem, PartKind, PartTable, TreeScorer } from "./problem.ts";
export { MEMBERS, PART_KINDS } from "./problem.ts";
export { type Random, random } from "./random.ts";
export { innerSiblings, scoreTree } from "./score.ts";
export type { DependencyTree, Sentence, Word } from "./sentence.ts";
