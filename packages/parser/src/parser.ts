import type { Arcs, Decoder, ParsingProblem, Sentence } from "@arcwise/core";
import { arcFeatures, lineLength, sentenceEncoder } from "@arcwise/core/features";
import { ArcScorer } from "./arc-scorer.ts";
import { decoderNamed } from "./decoders.ts";
import { LabelSet, trained } from "./model.ts";
import { decodeProblem, type ModelWeights, type Scorers, scoreSentence } from "./parsing-task.ts";
import { PartScorer } from "./part-scorer.ts";
import { Pruner } from "./pruner.ts";
import type { Parse, Parser, ParserModel } from "./types.ts";

export interface ParserOptions {
  /** Instead of the decoder that the model was trained with. */
  readonly decoder?: Decoder;
}

/**
 * A parser of a model. It keeps scratch memory that grows with the longest sentence; one parser serves one
 * caller at a time.
 *
 * @throws TypeError when the model was not made by this package
 */
export function createParser(model: ParserModel, options: ParserOptions = {}): Parser {
  const { configuration, labels, encoder, filter, arcWeights, partWeights, prunerWeights } = trained(model);
  const decoder = options.decoder ?? decoderNamed(configuration.decoder);
  const labelSet = new LabelSet(labels);
  const sentences = sentenceEncoder(encoder);
  const features = arcFeatures(configuration.arcTemplates, configuration.arcBits, lineLength(labels.length));
  const scorers: Scorers = {
    arcs: new ArcScorer(features, labels.length, filter),
    parts: new PartScorer(configuration.partTemplates, configuration.partBits),
  };
  const weights: ModelWeights = {
    arcs: arcWeights.values,
    arcScale: arcWeights.scale,
    parts: partWeights.values,
    partScale: partWeights.scale,
    firstPart: 0,
  };
  const pruner = new Pruner(prunerWeights.values, prunerWeights.scale, configuration);

  function problem(sentence: Sentence): ParsingProblem {
    const encoded = sentences.encode(sentence);
    const arcs: Arcs = pruner.prune(encoded, configuration.pruning);
    return scoreSentence(scorers, encoded, arcs, weights);
  }

  return {
    parse(sentence): Parse {
      const tree = decodeProblem(problem(sentence), scorers.arcs, decoder);
      return { ...labelSet.decode(tree), score: tree.score, bound: tree.bound };
    },
    problem,
  };
}
