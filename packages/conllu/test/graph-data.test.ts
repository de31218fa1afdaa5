// @module-tag slow
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  enhancedGraph,
  parseConllu,
  parseSdp,
  readSdp,
  sdpGraph,
  validate,
  withEnhancedGraph,
  withSdpGraph,
  writeSdp,
} from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

const root = process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared");
const graphs = join(root, "graphs");
const files = existsSync(graphs) ? readdirSync(graphs).filter((name) => name.endsWith(".sdp")) : [];

describe.skipIf(files.length === 0)("semantic graphs (skipped when the data is absent)", () => {
  it.each(files.filter((name) => !name.includes("train")))(
    "%s without frames is written as it was read, as columns of 2014",
    (file) => {
      const text = readFileSync(join(graphs, file), "utf8").replaceAll(
        /^((?:[^\t\n]*\t){6})[^\t\n]*\t?/gm,
        "$1",
      );
      const old = text.replaceAll(/\t$/gm, "");
      const sentences = parseSdp(old, { file });
      expect(sentences.every(({ version }) => version === 2014)).toBe(true);
      expect(writeSdp(sentences)).toBe(old);
      const again = sentences.map((sentence) => withSdpGraph(sentence, sdpGraph(sentence)));
      expect(writeSdp(again)).toBe(old);
    },
  );

  it.each(files)("%s is written as it was read, also from its graphs", async (file) => {
    const bytes = readFileSync(join(graphs, file));
    const sentences = parseSdp(bytes.toString("utf8"), { file });
    expect(bytes.equals(Buffer.from(writeSdp(sentences)))).toBe(true);
    const again = sentences.map((sentence) => withSdpGraph(sentence, sdpGraph(sentence)));
    expect(bytes.equals(Buffer.from(writeSdp(again)))).toBe(true);
    let streamed = 0;
    for await (const _ of readSdp(createReadStream(join(graphs, file)))) streamed++;
    expect(streamed).toBe(sentences.length);
  });
});

const treebank = join(root, "treebanks/UD_English-EWT/en_ewt-ud-dev.conllu");

describe.skipIf(!existsSync(treebank))("enhanced graphs (skipped when the data is absent)", () => {
  it("are read again from valid DEPS that were written from them", () => {
    const sentences = parseConllu(readFileSync(treebank, "utf8"));
    const made = sentences.map((sentence) => withEnhancedGraph(sentence, enhancedGraph(sentence)));
    for (const [s, sentence] of sentences.entries()) {
      expect(enhancedGraph(made[s]!)).toEqual(enhancedGraph(sentence));
    }
    const errors = [...validate(made, { level: 3 })].filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  });
});
