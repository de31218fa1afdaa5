/** The operators between two nodes of a pattern. */
export const RELATION_OPERATORS = [
  "<<",
  ">>",
  "<>",
  "<++",
  "<--",
  ">++",
  ">--",
  "<",
  ">",
  "==",
  "$++",
  "$--",
  "$+",
  "$-",
  "..",
  "--",
  ".",
  "-",
] as const;
/** An operator of `RELATION_OPERATORS`. */
export type RelationOperator = (typeof RELATION_OPERATORS)[number];

/** Operators that follow arcs, so that they may state a relation and name it. */
export const ARC_OPERATORS: ReadonlySet<RelationOperator> = new Set(
  RELATION_OPERATORS.filter((operator) => /[<>]/.test(operator)),
);

/** Columns whose values a node may state, `feats` and `misc` as a whole or by name. */
export type SearchColumn = "id" | "form" | "lemma" | "upos" | "xpos" | "feats" | "deprel" | "misc";

/** The columns by their names in patterns: the names of CoNLL-U and of Semgrex. */
export const SEARCH_COLUMNS: ReadonlyMap<string, SearchColumn> = new Map([
  ["id", "id"],
  ["idx", "id"],
  ["form", "form"],
  ["word", "form"],
  ["lemma", "lemma"],
  ["upos", "upos"],
  ["cpos", "upos"],
  ["xpos", "xpos"],
  ["tag", "xpos"],
  ["pos", "xpos"],
  ["feats", "feats"],
  ["morphofeatures", "feats"],
  ["deprel", "deprel"],
  ["misc", "misc"],
]);

/** A predicate of values; it is called once per distinct value. */
export type ValueTest = (value: string) => boolean;

/** A condition on one value of a word. */
export interface AttributeTest {
  readonly column: SearchColumn;
  /** The name in FEATS or MISC; undefined for the whole column. */
  readonly name?: string | undefined;
  /** `:` the value exists and passes; `!:` it does not; `?:` it passes or does not exist. */
  readonly mode: ":" | "!:" | "?:";
  readonly test: ValueTest;
}

/** A node of a pattern. */
export interface NodePattern {
  /** Its index among all nodes of the pattern, in the order of the text. */
  readonly index: number;
  /** Whether the description must not hold: `!{...}`. */
  readonly isNegated: boolean;
  /** Whether the word depends on the root: `{$}`. */
  readonly isRoot: boolean;
  readonly attributes: readonly AttributeTest[];
  /** Slot of its name; -1 without a name. */
  readonly name: number;
  /** Its relations to other nodes. */
  readonly formula?: Formula | undefined;
}

/** A relation from a node to another one. */
export interface Relation {
  readonly operator: RelationOperator;
  /** Bounds of the distance, for `<<` and `>>`. */
  readonly min: number;
  readonly max: number;
  /** A predicate of the relation; undefined for any. */
  readonly label?: ValueTest | undefined;
  /** Slot of the name of the relation; -1 without a name. */
  readonly name: number;
}

/** A condition on a node and other nodes. */
export type Formula =
  | { readonly kind: "and"; readonly parts: readonly Formula[] }
  | { readonly kind: "or"; readonly parts: readonly Alternative[] }
  | { readonly kind: "not" | "optional"; readonly part: Formula }
  | { readonly kind: "relation"; readonly relation: Relation; readonly target: NodePattern };

/** An alternative, whose nodes have the indices from `from` to before `to`. */
export interface Alternative {
  readonly formula: Formula;
  readonly from: number;
  readonly to: number;
}

/** A value that a pattern names: of a column, of a feature or attribute (`name`), or the label of a relation. */
export interface PatternConstant {
  readonly column: SearchColumn;
  readonly name?: string | undefined;
  readonly value: string;
}

/** A pattern: nodes that must all be matched, each with what relates it to others. */
export interface ParsedPattern {
  readonly nodes: readonly NodePattern[];
  /** Number of nodes, those below others included. */
  readonly size: number;
  /** Names of nodes and of relations, by slot. */
  readonly names: readonly string[];
  readonly relationNames: readonly string[];
  /** For each name its word: names are other words unless `==` relates them. */
  readonly words: readonly string[];
  readonly constants: readonly PatternConstant[];
}
