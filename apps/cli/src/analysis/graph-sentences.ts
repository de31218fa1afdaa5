import {
  type ConlluSentence,
  enhancedGraph,
  readConllu,
  readSdp,
  type SdpSentence,
  type Source,
  sdpGraph,
  sdpId,
  sdpWords,
  sentenceId,
  sentenceTree,
  sentenceWords,
  withEnhancedGraph,
  withSdpGraph,
  writeSdp,
  writeSentence,
} from "@arcwise/conllu";
import type { DependencyGraph, DependencyTree, Sentence } from "@arcwise/core";
import { hasCode } from "@arcwise/core/errors";
import type { GraphParse } from "@arcwise/parser";
import { reportComments } from "@arcwise/pipeline";
import { DataError } from "../command/errors.ts";
import { inSource } from "../in-source.ts";
import type { GraphFormat } from "./graph-files.ts";

/** A sentence of a file of graphs, whatever the format. */
export interface GraphSentence {
  readonly words: Sentence;
  readonly id: string | undefined;
  /** Line of the source (from 1) where it starts. */
  readonly line: number;
  /** Its graph: of SDP columns, or of DEPS. @throws ConlluError, RangeError when it has none */
  graph(): DependencyGraph;
  /**
   * The tree of HEAD and DEPREL. Absent in SDP files, which have none. @throws ConlluError when it is none
   */
  readonly tree?: () => DependencyTree;
  /** Its text with another graph, and with comments on how that was found if they are asked for. */
  write(parse: GraphParse, report: boolean): string;
  /** The sentence with another graph in DEPS: of an SDP file without tops, predicates and senses. */
  conllu(parse: GraphParse): ConlluSentence;
}

/**
 * Reads the sentences of a file of graphs, one at a time.
 *
 * @param file its name in errors
 * @throws ConlluError at the first place that breaks the format
 */
export async function* readGraphSentences(
  source: Source,
  format: GraphFormat,
  file: string,
): AsyncGenerator<GraphSentence> {
  if (format === "sdp") for await (const sentence of readSdp(source, { file })) yield sdpSentence(sentence);
  else for await (const sentence of readConllu(source, { file })) yield conlluSentence(sentence);
}

function sdpSentence(sentence: SdpSentence): GraphSentence {
  return {
    words: sdpWords(sentence),
    id: sdpId(sentence),
    line: sentence.line,
    graph: () => sdpGraph(sentence),
    write: (parse, report) => {
      const written = withSdpGraph(sentence, parse);
      return writeSdp([report ? { ...written, comments: sdpComments(sentence, parse) } : written]);
    },
    conllu: (parse) => withEnhancedGraph(conlluOf(sentence), parse),
  };
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

/** The last comment of a sentence is its ID. */
function sdpComments(sentence: SdpSentence, parse: GraphParse): string[] {
  const { comments } = sentence;
  const ids = sdpId(sentence) === undefined ? 0 : 1;
  const others = comments.slice(0, comments.length - ids);
  return [...reportComments(others, parse), ...comments.slice(comments.length - ids)];
}

function conlluSentence(sentence: ConlluSentence): GraphSentence {
  return {
    words: sentenceWords(sentence),
    id: sentenceId(sentence),
    line: sentence.line,
    graph: () => enhancedGraph(sentence),
    tree: () => sentenceTree(sentence),
    conllu: (parse) => withEnhancedGraph(sentence, parse),
    write: (parse, report) => {
      const written = withEnhancedGraph(sentence, parse);
      return writeSentence(
        report ? { ...written, comments: reportComments(written.comments, parse) } : written,
      );
    },
  };
}

/**
 * Runs a function on a sentence; what it finds wrong becomes an error that names the file and the line.
 *
 * @throws ConlluError, DataError in place of an error of arguments
 */
export function inSentence<T>(
  { line, id }: Pick<GraphSentence, "line" | "id">,
  file: string,
  run: () => T,
): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError || hasCode(error, "invalid-argument"))) throw inSource(error, file);
    const name = id === undefined ? "" : `sentence ${id}: `;
    throw new DataError(`${file}:${line}: ${name}${error.message}`, { cause: error });
  }
}
