import { type ParsingProblem, scoreTree } from "@arcwise/core";
import { arcFeatures, lineLength, type WeightTable } from "@arcwise/core/features";
import { ArcScorer, treeArcs } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { ScorerSettings } from "../scoring/scorers.ts";
import type { ScoredSentence } from "../scoring/sentence-scorer.ts";
import type { ScoreShare } from "../types.ts";

/**
 * Returns a function that splits the score of a tree into the shares of its features, networks, parts and whole-tree
 * scores. Their sum is the score, up to rounding.
 *
 * @param table the weights of arcs
 */
export function shareScorer({ configuration, labels, filter }: ScorerSettings, table: WeightTable) {
  const { arcTemplates, arcBits } = configuration;
  // A scorer per template: features are summed, so that each has its share.
  const templates = arcTemplates.map((template) => {
    const features = arcFeatures([template], arcBits, lineLength(labels));
    return [template, new ArcScorer(features, labels, filter)] as const;
  });
  return ({ sentence, problem, terms }: ScoredSentence, { heads, labels }: EncodedTree): ScoreShare[] => {
    const shares: ScoreShare[] = [];
    const scores = new Float64Array(1);
    for (const [template, scorer] of templates) {
      const features = scorer.features(sentence);
      for (let m = 1; m < heads.length; m++) {
        const own = labels[m] < 0 ? new Int32Array(0) : Int32Array.of(labels[m]);
        const arc = features.scoreLabels(heads[m], m, own, table, scores);
        const score = arc + (own.length === 0 ? 0 : scores[0]);
        if (score !== 0) shares.push({ term: "feature", template, word: m, score });
      }
    }
    const arcs = treeArcs(heads);
    for (const term of terms) {
      const scores = new Float64Array(heads.length - 1);
      term.addArcScores(arcs, scores);
      for (const [i, score] of scores.entries()) shares.push({ term: "network", word: i + 1, score });
    }
    return [...shares, ...wholeShares(problem, heads)];
  };
}

/** Returns the shares of each kind of parts, and of scores of whole trees. */
function wholeShares({ arcs, arcScores, parts, global }: ParsingProblem, heads: Int32Array): ScoreShare[] {
  const none = arcScores.map(() => 0);
  const partShares = parts.map((table): ScoreShare => {
    return { term: table.kind, score: scoreTree({ arcs, arcScores: none, parts: [table] }, heads) };
  });
  return global === undefined ? partShares : [...partShares, { term: "global", score: global.score(heads) }];
}
