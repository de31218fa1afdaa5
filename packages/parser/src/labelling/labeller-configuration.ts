import type { Template, WeightTable } from "@arcwise/core/features";
import { LABEL_ARC_TEMPLATES, LABEL_TREE_TEMPLATES } from "./labeller-templates.ts";

/** All that determines how labels are scored, beside weights. Plain data. */
export interface LabellerConfiguration {
  /** Features of single arcs, as the parser has them. */
  readonly arcTemplates: readonly Template[];
  /** Features of the tree around an arc, and of labels next to its own. */
  readonly treeTemplates: readonly Template[];
  /** The table has 2^bits lines, of one weight a label. */
  readonly bits: number;
  /** Labels of a word, the best by what does not depend on other labels, among which the tree decides. */
  readonly most: number;
  /** ... unless they are further than this below the best one. */
  readonly margin: number;
}

/** A labeller with its weights: `labellerDimension` of them, each to be multiplied by the scale. */
export interface LabellerModel {
  readonly configuration: LabellerConfiguration;
  readonly weights: Pick<WeightTable, "values" | "scale">;
}

/** The configuration that did best on development data. */
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
