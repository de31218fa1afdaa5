/** The share of a term or template of features in the scores of two trees. */
export interface ShareRow {
  readonly term: string;
  readonly template?: string | undefined;
  /** Its sum over the tree with the arc. */
  readonly ours: number;
  /** Its sum over the best tree with the rival. */
  readonly rival: number;
  readonly difference: number;
}

/** By how much a word moves the difference of the scores of two arcs. */
export interface WordInfluence {
  readonly word: number;
  readonly influence: number;
}

/** Why a word has a head and not another one. */
export interface Explanation {
  readonly head: number;
  readonly label: string;
  readonly rival: number;
  readonly rivalLabel: string;
  /** Score of the best tree with the arc, less the score of the best tree with the rival; the sum of the rows. */
  readonly difference: number;
  readonly rows: readonly ShareRow[];
  readonly candidates: readonly {
    readonly head: number;
    readonly score: number;
    readonly probability: number;
  }[];
  /** Other words whose heads differ between the two trees. */
  readonly otherWords: readonly number[];
  /** Undefined for models without a network. */
  readonly influences: readonly WordInfluence[] | undefined;
}
