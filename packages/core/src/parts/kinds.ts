/**
 * Where the candidates of a member arc come from, given another arc of the part, h -> m:
 *
 * | relation | candidates, in the order of the table |
 * |---|---|
 * | `above` | the arcs into h, by ascending head |
 * | `before` | the arcs into m - 1, by ascending head |
 * | `nearer` | the arcs of h on the side of m to modifiers nearer to h than m, nearest to h first |
 * | `farther` | the arcs of h on the side of m to modifiers farther from h than m, nearest to h first |
 */
export type MemberRelation = "above" | "before" | "nearer" | "farther";

/** One member arc of the parts of a kind. */
export interface MemberRole {
  readonly relation: MemberRelation;
  /** The arc that the relation starts from: 0 is the owner, k the k-th member. */
  readonly of: number;
  /**
   * For siblings. `required`: it must be the modifier next to the modifier of the other arc. `optional`: the
   * same, and if there is none, the member is -1, which comes first in the table. `any`: every sibling in
   * that direction makes a part.
   */
  readonly sibling?: "required" | "optional" | "any" | undefined;
}

/**
 * A kind of parts: which arcs its parts span. Layout, positions, validation and the parts of a tree follow
 * from it.
 *
 * The parts of an owner are ordered by their first member, then by their second, and so on. A member other
 * than the last is never -1, and the members after the k-th refer to the k-th and later ones, or else none of
 * them does.
 */
export interface PartDescriptor {
  readonly members: readonly MemberRole[];
  /** Whether parts are on only where the owner's modifier is the outermost one on its side. */
  readonly outermost?: boolean | undefined;
}

const above = (of: number): MemberRole => ({ relation: "above", of });
const next = (of: number): MemberRole => ({ relation: "nearer", of, sibling: "required" });
const nextOrNone = (of: number): MemberRole => ({ relation: "nearer", of, sibling: "optional" });
const outerOrNone = (of: number): MemberRole => ({ relation: "farther", of, sibling: "optional" });

const DESCRIPTORS = {
  grandparent: { members: [above(0)] },
  nextSibling: { members: [nextOrNone(0)] },
  lastSibling: { members: [], outermost: true },
  sibling: { members: [{ relation: "nearer", of: 0, sibling: "any" }] },
  grandSibling: { members: [above(0), nextOrNone(0)] },
  triSibling: { members: [next(0), nextOrNone(1)] },
  headBigram: { members: [{ relation: "before", of: 0 }] },
  greatGrandparent: { members: [above(0), above(1)] },
  grandparentSibling: { members: [above(0), above(1), nextOrNone(2)] },
  outerSiblingGrandchild: { members: [above(0), nextOrNone(1)] },
  innerSiblingGrandchild: { members: [above(0), outerOrNone(1)] },
} as const satisfies Readonly<Record<string, PartDescriptor>>;

/**
 * The kinds of parts beyond single arcs. A part is owned by its outermost arc h -> m and names the other
 * arcs, its members, by index (-1: none). Kinds live in core because a kind changes what a score means.
 *
 * | kind | members, in order | the part is on when |
 * |---|---|---|
 * | `grandparent` | g -> h | both arcs are in the tree |
 * | `nextSibling` | h -> s, or -1 | s is the modifier of h next to m on the inner side; -1: none |
 * | `lastSibling` | none | m is the outermost modifier of h on its side |
 * | `sibling` | h -> s | s and m are modifiers of h on one side, s nearer |
 * | `grandSibling` | g -> h, h -> s or -1 | the `nextSibling` part is on and g is the head of h |
 * | `triSibling` | h -> s, h -> t (or -1) | s is next to m, t next to s (-1: none), all on one side |
 * | `headBigram` | g -> m - 1 | both arcs are in the tree (g is the head of the word before m) |
 * | `greatGrandparent` | g -> h, f -> g | all three arcs are in the tree |
 * | `grandparentSibling` | g -> h, f -> g, f -> u or -1 | u is next to g on the inner side |
 * | `outerSiblingGrandchild` | g -> h, g -> s or -1 | s is next to h on the inner side; -1: none |
 * | `innerSiblingGrandchild` | g -> h, g -> s or -1 | s is next to h on the outer side; -1: none |
 *
 * The last four span arcs on several levels of the tree. No dynamic programme takes them; a search does.
 */
export type PartKind = keyof typeof DESCRIPTORS;

/**
 * The descriptor of every kind. A new kind is a row here, and a row of `PART_FEATURES` where a model scores
 * it.
 */
export const PART_DESCRIPTORS: Readonly<Record<PartKind, PartDescriptor>> = DESCRIPTORS;

/** All part kinds, in the order of their descriptors. */
export const PART_KINDS = Object.keys(DESCRIPTORS) as readonly PartKind[];

/** The number of member arcs that a part of each kind names besides its owner. */
export const MEMBERS = Object.fromEntries(
  PART_KINDS.map((kind) => [kind, PART_DESCRIPTORS[kind].members.length]),
) as Readonly<Record<PartKind, number>>;
