import { readFileSync } from "node:fs";
import { DataError } from "@arcwise/cli/command";
import {
  enhancedGraph,
  parseConllu,
  parseSdp,
  sdpGraph,
  sdpWords,
  sentenceTree,
  sentenceWords,
} from "@arcwise/conllu";
import { type GraphExample, type GraphModel, takesTrees } from "@arcwise/graph-parser";

/**
 * Reads the test sentences of a model of graphs: semantic graphs of an SDP file, or enhanced dependencies of
 * a CoNLL-U file, with the basic trees of that file where the model takes trees.
 */
export function readGraphExamples(path: string, model: GraphModel): GraphExample[] {
  const examples = readExamples(path, model);
  if (examples.length === 0) throw new DataError(`${path}: expected sentences with graphs, found none`);
  return examples;
}

function readExamples(path: string, model: GraphModel): GraphExample[] {
  const text = readFileSync(path, "utf8");
  if (model.graphs === "enhanced") {
    return parseConllu(text, { file: path }).map((sentence) => ({
      sentence: sentenceWords(sentence),
      graph: enhancedGraph(sentence),
      syntax: takesTrees(model) ? sentenceTree(sentence) : undefined,
    }));
  }
  if (takesTrees(model))
    throw new DataError(`${path}: the model takes basic trees, which SDP files do not have`);
  return parseSdp(text, { file: path }).map((sentence) => ({
    sentence: sdpWords(sentence),
    graph: sdpGraph(sentence),
  }));
}
