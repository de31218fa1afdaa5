import type { ConlluSentence, Row, WordRow } from "@arcwise/conllu";
import { analyse, isFailure, withinLimits } from "../analysis/analyse.ts";
import type { Work } from "../requests/work.ts";
import { inputOf, type UdpipeInput } from "./inputs.ts";
import { outputWriter } from "./outputs.ts";
import type { Parameters } from "./parameters.ts";

/**
 * Yields the pieces of the answer to `/process`, JSON whose `result` is the output.
 *
 * @throws before the first piece, what is wrong with the parameters
 */
export async function* processed(
  parameters: Parameters,
  work: Work,
  version: string,
): AsyncGenerator<string> {
  const { name } = work.model;
  const header = `# generator = Arcwise ${version}\n# udpipe_model = ${name}\n`;
  const writer = outputWriter(parameters.get("output") ?? "conllu", header);
  const input = inputOf(parameters, work);
  const tag = parameters.has("tagger");
  const parse = parameters.has("parser");
  const sentences = tag || parse ? analysed(input, work, tag, parse) : withinLimits(input.sentences, work);
  const begin = JSON.stringify({ model: name, acknowledgements: [], result: writer.start }, undefined, 1);
  let piece = begin.slice(0, -'"\n}'.length);
  for await (const sentence of sentences) {
    yield piece + inString(writer.sentence(sentence));
    piece = "";
  }
  yield `${piece}${inString(writer.end())}"\n}\n`;
}

/** Returns a text as a part of a string of JSON. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Yields sentences with new tags, a new tree, or both. @throws the error of the first one that cannot be analysed */
async function* analysed(
  { sentences, isText }: UdpipeInput,
  work: Work,
  tag: boolean,
  parse: boolean,
): AsyncGenerator<ConlluSentence> {
  const given: ConlluSentence[] = [];
  async function* remembered() {
    for await (const sentence of sentences) {
      given.push(sentence);
      yield sentence;
    }
  }
  const keepsTags = !tag && !isText && (sentences as readonly ConlluSentence[]).every(isTagged);
  const results = analyse(remembered(), work, { tags: keepsTags ? "given" : "predicted" });
  for await (const result of results) {
    if (isFailure(result)) throw result.error;
    const before = given.shift()!;
    yield tag && parse ? result : merged(before, result, tag);
  }
}

function isTagged({ rows }: ConlluSentence): boolean {
  return rows.every(({ kind, upos }) => kind !== "word" || upos !== "_");
}

/** Returns a sentence with the tags, or else the tree, of another one with the same words. */
function merged(before: ConlluSentence, after: ConlluSentence, tag: boolean): ConlluSentence {
  const [columns, others] = tag ? [after, before] : [before, after];
  const tags = new Map<number, WordRow>();
  for (const row of columns.rows) if (row.kind === "word") tags.set(row.id, row);
  const rows = others.rows.map((row): Row => {
    if (row.kind !== "word") return row;
    const { lemma, upos, xpos, feats } = tags.get(row.id)!;
    return { ...row, lemma, upos, xpos, feats };
  });
  return { ...others, rows };
}
