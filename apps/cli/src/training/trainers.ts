import { type trainParser as TrainParser, trainParser } from "@arcwise/parser";
import { type ThreadedTrainOptions, trainParserAt, trainParserOnThreads } from "@arcwise/parser/node";
import type { trainPipeline } from "@arcwise/pipeline";
import { here, type Place } from "@arcwise/work";
import { onThreads } from "@arcwise/work/node";

/** The functions that train, wherever they do so. The models are the same. */
export interface Trainers {
  readonly trainParser: typeof TrainParser;
  readonly trainPipeline: typeof trainPipeline;
  /** Does the other jobs of trainings. */
  readonly place: Place;
}

/** Returns functions that train in this thread, or on several. @param line prints a line about a lost thread */
export function trainersOnThreads(threads: number, line: (text: string) => void): Trainers {
  const parser: typeof TrainParser =
    threads === 1
      ? trainParser
      : (examples, options = {}) =>
          trainParserOnThreads(examples, {
            ...(options as ThreadedTrainOptions),
            threads,
            onLost: ({ error }) => line(`a thread ended early (${error.message}): its shard starts again`),
          });
  return {
    trainParser: parser,
    place: threads === 1 ? here() : onThreads(threads),
    async trainPipeline(sentences, options) {
      const { trainPipelineOnThreads } = await import("@arcwise/pipeline/node");
      return trainPipelineOnThreads(sentences, { ...options, threads, trainParser: parser });
    },
  };
}

/** Returns functions that train at a place. */
export function trainersAt(place: Place): Trainers {
  const trainParser: typeof TrainParser = (examples, options = {}) =>
    trainParserAt(examples, { ...options, place });
  return {
    trainParser,
    place,
    async trainPipeline(sentences, options) {
      const { trainPipeline } = await import("@arcwise/pipeline");
      return trainPipeline(sentences, { ...options, place, trainParser });
    },
  };
}
