import {
  RawTextWriter,
  viewSentence,
  writeConll2009,
  writeConllX,
  writeSdp,
  writeSentence,
} from "@arcwise/conllu";
import { invalidArgument } from "@arcwise/core/errors";
import { sentenceWriter } from "../analysis/output-format.ts";
import { type DrawingOptions, jsonWriter } from "../analysis/sentence-writer.ts";
import { TREEBANK_FORMATS, type TreebankFormat } from "../files/input.ts";
import type { AnnotatedSentence } from "./annotated.ts";
import { writeBrackets } from "./brackets.ts";
import { fromConll2009, fromConllX, fromSdp, toConll2009, toConllX, toSdp } from "./columns.ts";
import { MAX_JSON } from "./json-values.ts";

/** Formats that `convert` writes: of treebanks, the raw text, and the formats of `parse`. */
export const WRITTEN_FORMATS = [
  ...TREEBANK_FORMATS,
  ...(["text", "tree", "svg", "html", "tikz", "displacy"] as const),
] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/** The text of a sentence in a format, and what a reader of the format gets from it. */
export interface Written {
  readonly text: string;
  readonly held: AnnotatedSentence;
}

/** Writes the sentences of one output in their order. */
export interface ConvertWriter {
  /** The text before the first sentence. */
  readonly start?: string | undefined;
  /** @throws ConlluError, DataError, ArcwiseError when the format cannot represent the sentence */
  sentence(sentence: AnnotatedSentence, file: string): Written;
  /** Returns the text after the last sentence. */
  end?(): string;
}

/** Returns a writer of a format. */
export async function convertWriter(format: WrittenFormat, drawing: DrawingOptions): Promise<ConvertWriter> {
  switch (format) {
    case "tree":
    case "svg":
    case "html":
    case "tikz":
    case "displacy": {
      const writer = await sentenceWriter(format, drawing);
      // Drawings are for readers: what they leave out is not lost.
      return { ...writer, sentence: (sentence) => ({ text: writer.sentence(sentence), held: sentence }) };
    }
    default:
      return WRITERS[format]();
  }
}

const WRITERS: Readonly<Record<TreebankFormat | "text", () => ConvertWriter>> = {
  conllu: () => ({ sentence: (sentence) => ({ text: writeSentence(sentence), held: plain(sentence) }) }),
  conllx: () => ({
    sentence: (sentence) => {
      const written = toConllX(sentence);
      return { text: writeConllX([written]), held: fromConllX(written) };
    },
  }),
  conll2009: () => ({
    sentence: (sentence, file) => {
      const written = toConll2009(sentence);
      return { text: writeConll2009([written]), held: withOneTag(fromConll2009(written, file)) };
    },
  }),
  sdp: () => {
    let isFirst = true;
    return {
      sentence: (sentence, file) => {
        const written = toSdp(sentence, isFirst);
        isFirst = false;
        return { text: writeSdp([written]), held: withOneTag(fromSdp(written, file)) };
      },
    };
  },
  json: () => jsonOf("json"),
  jsonl: () => jsonOf("jsonl"),
  brackets: () => ({
    sentence: (sentence, file) => ({ text: writeBrackets(sentence, file), held: heldByBrackets(sentence) }),
  }),
  text: textWriter,
};

function jsonOf(format: "json" | "jsonl"): ConvertWriter {
  const writer = jsonWriter<AnnotatedSentence>(format, (sentence) => [viewSentence(plain(sentence))]);
  return {
    ...writer,
    sentence: (sentence) => {
      const text = writer.sentence(sentence);
      if (text.length > MAX_JSON)
        throw invalidArgument("a sentence", `JSON of at most ${MAX_JSON} characters`, `${text.length}`);
      return { text, held: { ...plain(sentence), start: sentence.start } };
    },
  };
}

/** A sentence with the columns of CoNLL-U alone. */
function plain({ comments, rows, line }: AnnotatedSentence): AnnotatedSentence {
  return { comments, rows, line };
}

/** A UPOS tag that is written in place of a missing XPOS tag is not lost. */
function withOneTag(sentence: AnnotatedSentence): AnnotatedSentence {
  return { ...sentence, rows: sentence.rows.map((row) => ({ ...row, upos: row.xpos })) };
}

function heldByBrackets({ comments, rows, line }: AnnotatedSentence): AnnotatedSentence {
  const words = rows.filter((row) => row.kind === "word");
  const absent = { lemma: "_", xpos: "_", feats: "_", deps: "_", misc: "_" };
  return { comments, line, rows: words.map((row) => ({ ...row, ...absent })) };
}

/** Texts hold forms, and the white space of MISC and of paragraphs. */
function textWriter(): ConvertWriter {
  const writer = new RawTextWriter();
  return {
    sentence: (sentence) => {
      writer.add(sentence);
      const absent = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_" };
      const rows = sentence.rows.flatMap((row) => {
        if (row.kind === "empty") return [];
        const misc = /^(?:Space(?:After|sAfter|sBefore|sInToken)=[^|]*\|?)+$/.test(row.misc) ? row.misc : "_";
        return [row.kind === "range" ? row : { ...row, ...absent, misc, head: -1 }];
      });
      const comments = sentence.comments.filter((comment) =>
        /^#\s*(?:text\s*=|new(?:par|doc))/.test(comment),
      );
      return { text: writer.take(), held: { comments, rows, line: sentence.line } };
    },
    end: () => writer.end(),
  };
}
