import { expect, test } from "vitest";
import {
  parseConll2009,
  parseConllX,
  parseSdp,
  readConll2009,
  readConllX,
  readSdp,
  sentenceDiagram,
} from "../src/index.ts";

const READERS = {
  "CoNLL-X": { parse: parseConllX, read: readConllX, row: "1\tSleep\t_\tV\tV\t_\t0\troot\t_\t_" },
  "CoNLL-2009": {
    parse: parseConll2009,
    read: readConll2009,
    row: "1\tSleep\t_\t_\tV\t_\t_\t_\t0\t_\troot\t_\t_\t_",
  },
  SDP: { parse: parseSdp, read: readSdp, row: "#SDP 2015\n#1\n1\tSleep\t_\tV\t+\t-\t_" },
} as const;

test.each(Object.entries(READERS))(
  "%s is read whole and as a stream, and can be drawn",
  async (format, of) => {
    const text = `${of.row}\n\n`;
    const sentences = of.parse(text);
    const streamed = [];
    for await (const sentence of of.read([text])) streamed.push(sentence);
    expect(streamed).toEqual(sentences);
    const { words, arcs } = sentenceDiagram({ words: sentences[0]!.rows });
    expect([words.map(({ form }) => form), arcs.length]).toEqual([["Sleep"], format === "SDP" ? 0 : 1]);
  },
);
