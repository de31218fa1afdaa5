/**
 * Constants that keep codes of different origin apart. Weights are stored under these codes: a changed
 * constant changes the meaning of the features of existing models. Attributes of words use their index in
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

/** Seeds of the hashes of strings that are not attributes of words. */
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

/** Seeds of `ContextCoder`: each word of a part or view adds its index. */
export const CONTEXT_SEED = {
  head: 1,
  modifier: 2,
  headAlone: 3,
  modifierAlone: 4,
  part: 11,
  view: 21,
} as const;
