import type { Arcs, Decoder, ParsingProblem, Sentence } from "@arcwise/core";
import { arcFeatures, lineLength, sentenceEncoder } from "@arcwise/core/features";
import { ArcScorer } from "./arc-scorer.ts";
import { decoderNamed } from "./decoders.ts";
import { LabelSet, trained } from "./model.ts";
import { decodeArcs } from "./parsing-task.ts";
import { backboneOf, Pruner } from "./pruner.ts";
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
  const { configuration, labels, encoder, filter, arcWeights, prunerWeights } = trained(model);
  const decoder = options.decoder ?? decoderNamed(configuration.decoder);
  const labelSet = new LabelSet(labels);
  const sentences = sentenceEncoder(encoder);
  const length = lineLength(labels.length);
  const scorer = new ArcScorer(
    arcFeatures(configuration.arcTemplates, configuration.arcBits, length),
    labels.length,
    filter,
  );
  const pruner = new Pruner(prunerWeights.values, prunerWeights.scale, configuration);
  const backbone = backboneOf();

  function score(sentence: Sentence): Arcs {
    const encoded = sentences.encode(sentence);
    const arcs = pruner.prune(encoded, configuration.pruning, backbone);
    scorer.score(encoded, arcs, arcWeights.values, arcWeights.scale);
    return arcs;
  }

  return {
    parse(sentence): Parse {
      const arcs = score(sentence);
      const tree = decodeArcs(scorer, arcs, decoder);
      return { ...labelSet.decode(tree), score: tree.score, bound: tree.bound };
    },
    problem(sentence): ParsingProblem {
      const arcs = score(sentence);
      return { arcs, arcScores: scorer.scores.slice(0, arcs.head.length), parts: [] };
    },
  };
}
