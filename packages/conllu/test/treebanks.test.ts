// @module-tag slow
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  parseConllu,
  type Row,
  readConllu,
  sentenceTree,
  validateSource,
  withTree,
  writeConllu,
  writeSentence,
} from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

const root = process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared");
const treebanks = join(root, "treebanks");
const files = existsSync(treebanks)
  ? readdirSync(treebanks, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".conllu"))
  : [];

/** What validate.py of Universal Dependencies finds in these releases: errors of levels 1 to 3, by test ID. */
const OFFICIAL: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "cop_scriptorium-ud-test.conllu": { "obl-should-be-nmod": 4 },
  "en_gumopen-ud-test.conllu": { "obl-should-be-nmod": 2 },
  "fr_sequoia-ud-test.conllu": { "obl-should-be-nmod": 1 },
  "got_proiel-ud-test.conllu": { "leaf-det": 1, "obl-should-be-nmod": 1 },
  "pt_bosque-ud-test.conllu": {
    "leaf-det": 4,
    "obl-should-be-nmod": 8,
    "rel-upos-advmod": 1,
    "rel-upos-det": 2,
    "too-many-objects": 4,
  },
  "vi_vtb-ud-test.conllu": { "obl-should-be-nmod": 65, "too-many-objects": 7 },
  "cy_ccg-ud-test.conllu": { "obl-should-be-nmod": 33, "too-many-objects": 1 },
};

describe.skipIf(files.length === 0)("the treebanks", () => {
  it.each(files)("%s is written as it was read", (file) => {
    const bytes = readFileSync(join(treebanks, file));
    const text = bytes.toString("utf8");
    const sentences = parseConllu(text, { file });
    expect(sentences.length).toBeGreaterThan(300);
    expect(bytes.equals(Buffer.from(writeConllu(sentences)))).toBe(true);
    if (file.includes("train")) return;
    for (const sentence of sentences) {
      const words = (rows: readonly Row[]) => rows.filter((row) => row.kind === "word");
      const { rows } = withTree(sentence, sentenceTree(sentence));
      expect(words(rows)).toEqual(words(sentence.rows).map((row) => ({ ...row, deps: "_" })));
    }
  });

  const tested = files.filter((file) => file.includes("test.conllu"));
  it.each(tested)("%s is streamed as it is read, and has the errors that validate.py finds", async (file) => {
    const path = join(treebanks, file);
    const sentences = parseConllu(readFileSync(path, "utf8"));
    let count = 0;
    for await (const sentence of readConllu(createReadStream(path))) {
      expect(writeSentence(sentence)).toBe(writeSentence(sentences[count]!));
      count++;
    }
    expect(count).toBe(sentences.length);
    const findings: Record<string, number> = {};
    for await (const { rule, severity } of validateSource(createReadStream(path), { file }))
      if (severity === "error") findings[rule] = (findings[rule] ?? 0) + 1;
    expect(findings).toEqual(OFFICIAL[basename(file)] ?? {});
  });
});
