import type { Template, WeightTable } from "@arcwise/core/features";
import { LABEL_ARC_TEMPLATES, LABEL_TREE_TEMPLATES } from "../scoring/templates/labeller-templates.ts";

/** How labels are scored, except weights. Plain data. */
export interface LabellerConfiguration {
  /** Features of single arcs, as in the parser. */
  readonly arcTemplates: readonly Template[];
  /** Features of the tree around an arc, and of labels next to its own. */
  readonly treeTemplates: readonly Template[];
  /** The table has 2^bits lines, of one weight a label. */
  readonly bits: number;
  /** Maximum number of candidate labels of a word, by the score without neighbouring labels. */
  readonly most: number;
  /** Maximum difference between the scores of the best label and of a candidate label. */
  readonly margin: number;
}

/** A labeller with its weights: `labellerDimension` values, and their scale. */
export interface LabellerModel {
  readonly configuration: LabellerConfiguration;
  readonly weights: Pick<WeightTable, "values" | "scale">;
}

/** The configuration with the best LAS on development data. */
export const LABELLER_CONFIGURATION: LabellerConfiguration = {
  arcTemplates: LABEL_ARC_TEMPLATES,
  treeTemplates: LABEL_TREE_TEMPLATES,
  bits: 16,
  most: 6,
  margin: 1,
};

/** Length of the vector of weights of a labeller. */
export function labellerDimension({ bits }: LabellerConfiguration, labels: number): number {
  return lineOf(labels) * 2 ** bits;
}

/** Lines begin at aligned addresses. */
export function lineOf(labels: number): number {
  return Math.ceil(Math.max(1, labels) / 8) * 8;
}
