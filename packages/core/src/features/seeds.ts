/**
 * Numbers that keep codes of different origin apart. Weights are stored under these codes: a changed number
 * makes the features of existing models mean something else. Attributes of words take their index in
 * `ATTRIBUTES`.
 */
export const CODE = {
  tagBetween: 101,
  countBetween: 102,
  partDirections: 103,
  viewPattern: 104,
  treeShape: 105,
  treeSide: 106,
} as const;

/** Seeds of the string hashes of values that are no attribute of a word. */
export const STRING_SEED = {
  /** A morphological feature as `Name=Value`, of those that a template takes in turn. */
  feature: 7,
  /** The value of one named morphological feature. */
  featureValue: 31,
  /** A template of the labeller. */
  treeTemplate: 21,
  /** A feature of a module of whole-tree features. */
  treeFeature: 41,
} as const;

/** Seeds of `ContextCoder`: those of parts and views count up from here, one a word. */
export const CONTEXT_SEED = {
  head: 1,
  modifier: 2,
  headAlone: 3,
  modifierAlone: 4,
  part: 11,
  view: 21,
} as const;
