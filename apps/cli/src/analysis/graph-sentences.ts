import {
  type ConlluSentence,
  enhancedGraph,
  readConllu,
  readSdp,
  type SdpSentence,
  sdpGraph,
  sdpId,
  sdpWords,
  sentenceId,
  sentenceWords,
  withEnhancedGraph,
  withSdpGraph,
  writeSdp,
  writeSentence,
} from "@arcwise/conllu";
import type { DependencyGraph, Sentence } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import type { GraphParse } from "@arcwise/graph-parser";
import { reportComments } from "@arcwise/pipeline";
import { DataError } from "../errors.ts";
import { withFormat } from "../files/input.ts";
import { inSource } from "../files/sentences.ts";

/** Formats of files of graphs: semantic graphs in SDP columns, or enhanced dependencies in DEPS of CoNLL-U. */
export type GraphFormat = "sdp" | "conllu";

/** A sentence of a file of graphs. */
export type GraphSentence = SdpSentence | ConlluSentence;

/** A file of graphs whose format is known. */
export interface OpenGraphs {
  readonly format: GraphFormat;
  /** Throws ConlluError at the first place that breaks the format. */
  readonly sentences: AsyncGenerator<GraphSentence>;
}

/**
 * Opens a file of graphs: SDP columns if its beginning shows them, CoNLL-U otherwise.
 *
 * @param file its name in errors
 * @param empty the format of a file without rows
 */
export async function openGraphs(
  source: AsyncIterable<Uint8Array>,
  file: string,
  empty?: GraphFormat,
): Promise<OpenGraphs> {
  const { format, bytes } = await withFormat(source, undefined, empty);
  if (format === "sdp") return { format, sentences: readSdp(bytes, { file }) };
  return { format: "conllu", sentences: readConllu(bytes, { file }) };
}

/** Whether a sentence has the columns of SDP. */
export function isSdp(sentence: GraphSentence): sentence is SdpSentence {
  return "version" in sentence;
}

/** Returns the words of a sentence. */
export function graphWords(sentence: GraphSentence): Sentence {
  return isSdp(sentence) ? sdpWords(sentence) : sentenceWords(sentence);
}

/** Returns the ID of a sentence. */
export function graphId(sentence: GraphSentence): string | undefined {
  return isSdp(sentence) ? sdpId(sentence) : sentenceId(sentence);
}

/** Returns the graph of a sentence. */
export function graphOf(sentence: GraphSentence): DependencyGraph {
  return isSdp(sentence) ? sdpGraph(sentence) : enhancedGraph(sentence);
}

/** Returns the text of a sentence with another graph, and with comments on how that was found if `report` is true. */
export function graphText(sentence: GraphSentence, parse: GraphParse, report: boolean): string {
  if (!isSdp(sentence)) {
    const written = withEnhancedGraph(sentence, parse);
    return writeSentence(
      report ? { ...written, comments: reportComments(written.comments, parse) } : written,
    );
  }
  const written = withSdpGraph(sentence, parse);
  return writeSdp([report ? { ...written, comments: sdpComments(sentence, parse) } : written]);
}

/** The last comment of a sentence is its ID. */
function sdpComments(sentence: SdpSentence, parse: GraphParse): string[] {
  const { comments } = sentence;
  const ids = sdpId(sentence) === undefined ? 0 : 1;
  const others = comments.slice(0, comments.length - ids);
  return [...reportComments(others, parse), ...comments.slice(comments.length - ids)];
}

/** Returns a sentence with another graph in DEPS: of an SDP file without tops, predicates and senses. */
export function conlluWithGraph(sentence: GraphSentence, parse: GraphParse): ConlluSentence {
  return withEnhancedGraph(isSdp(sentence) ? conlluOf(sentence) : sentence, parse);
}

/** A sentence of an SDP file in the columns of CoNLL-U, without a tree. */
function conlluOf(sentence: SdpSentence): ConlluSentence {
  const id = sdpId(sentence);
  const rows = sdpWords(sentence).map(({ form, lemma = "_", xpos = "_" }, i) => {
    const empty = { upos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
    return { kind: "word" as const, id: i + 1, form, lemma, xpos, head: -1, ...empty };
  });
  return { comments: id === undefined ? [] : [`# sent_id = ${id}`], rows, line: sentence.line };
}

/** Runs a function on a sentence; what it finds wrong becomes an error that names the file and the line. */
export function inSentence<T>(sentence: GraphSentence, file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError || hasCode(error, "invalid-argument"))) throw inSource(error, file);
    const id = graphId(sentence);
    const name = id === undefined ? "" : `sentence ${id}: `;
    throw new DataError(`${file}:${sentence.line}: ${name}${error.message}`, { cause: error });
  }
}
