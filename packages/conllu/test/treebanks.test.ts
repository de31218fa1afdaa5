import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConllu, sentenceTree, withTree, writeConllu } from "@arcwise/conllu";
import { describe, expect, it } from "vitest";

const root = process.env.ARCWISE_DATA ?? join(import.meta.dirname, "../../../../shared");
const treebanks = join(root, "treebanks");
const files = existsSync(treebanks)
  ? readdirSync(treebanks, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".conllu"))
  : [];

describe.skipIf(files.length === 0)("the treebanks", () => {
  it.each(files)("%s is written as it was read, with its trees taken out and put back", (file) => {
    const text = readFileSync(join(treebanks, file), "utf8");
    const sentences = parseConllu(text, { file });
    expect(sentences.length).toBeGreaterThan(400);
    expect(writeConllu(sentences) === text).toBe(true);
    expect(writeConllu(sentences.map((s) => withTree(s, sentenceTree(s)))) === text).toBe(true);
  });
});
