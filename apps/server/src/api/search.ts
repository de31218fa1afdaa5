import { type ConlluSentence, sentenceId, sentenceText } from "@arcwise/conllu";
import { compilePattern } from "@arcwise/conllu/search";
import { analyse, isFailure, withinLimits } from "../analysis/analyse.ts";
import { badRequest } from "../requests/failures.ts";
import type { Work } from "../requests/work.ts";
import { failureLine, settingsOf } from "./parse.ts";
import { type Sentences, sentencesOf } from "./read-request.ts";
import { matchLimit, type SearchFields } from "./request-fields.ts";
import { type FoundMatch, searchJob } from "./search-jobs.ts";

/** Sentences that are searched together. */
const BATCH = 256;
/** Milliseconds that a thread has to complete a search after its request has ended. */
const GRACE = 1000;

/** A match of an answer, or the failure of a sentence. */
type Line = object;

/**
 * Yields the lines of the answer to `/v1/search`: matches, failures of sentences, and the counts at the end.
 *
 * @throws before the first line, what is wrong with the request
 */
export async function* searchLines(fields: SearchFields, work: Work): AsyncGenerator<Line> {
  const { pattern, unique = false } = fields;
  if (pattern === undefined) throw badRequest("pattern: expected a pattern, found nothing");
  compilePattern(pattern, { unique });
  const limit = matchLimit(fields);
  const counts = { sentences: 0, matches: 0, isTruncated: false };
  let batch: ConlluSentence[] = [];
  async function* searched() {
    const sentences = batch;
    batch = [];
    const task = { pattern: pattern!, unique, sentences, limit: limit - counts.matches + 1 };
    const found = await work.set.place.do(searchJob, task, { signal: work.signal, completes: GRACE });
    for (const match of found) {
      if (counts.matches === limit) {
        counts.isTruncated = true;
        return;
      }
      counts.matches++;
      yield matchLine(match, sentences[match.sentence]!, counts.sentences + match.sentence);
    }
    counts.sentences += sentences.length;
  }
  for await (const result of treesOf(fields, work)) {
    if ("failure" in result) {
      yield result.failure;
      continue;
    }
    batch.push(result.sentence);
    if (batch.length >= BATCH) yield* searched();
    if (counts.isTruncated) break;
  }
  if (!counts.isTruncated && batch.length > 0) yield* searched();
  yield { counts };
}

type Tree = { readonly sentence: ConlluSentence } | { readonly failure: Line };

/** Yields the trees to search: the trees of the input if it has trees, unless others are asked for. */
async function* treesOf(fields: SearchFields, work: Work): AsyncGenerator<Tree> {
  const sentences = sentencesOf(fields, work);
  if (!areGiven(sentences, fields)) {
    for await (const result of analyse(sentences, work, settingsOf({ tags: fields.tags })))
      yield isFailure(result)
        ? { failure: failureLine(result.index, result.error, work) }
        : { sentence: plain(result) };
    return;
  }
  for await (const sentence of withinLimits(sentences, work)) yield { sentence: plain(sentence) };
}

function areGiven(sentences: Sentences, { trees, conllu }: SearchFields): boolean {
  if (trees !== undefined) return trees === "given";
  if (conllu === undefined) return false;
  for (const { rows } of sentences as readonly ConlluSentence[])
    if (rows.some((row) => row.kind === "word" && row.head >= 0)) return true;
  return false;
}

/** A view is copied to a thread as what it is a view of. */
function plain({ comments, rows, line, start }: ConlluSentence): ConlluSentence {
  return { comments, rows, line, start };
}

/** A match as JSON: the words that are matched, in their order, and the names of the pattern. */
function matchLine({ nodes, names, relations }: FoundMatch, sentence: ConlluSentence, index: number): Line {
  const ids = [...new Set(nodes)].filter((id) => id > 0).sort((a, b) => a - b);
  const words = sentence.rows.filter((row) => row.kind === "word");
  return {
    index,
    id: sentenceId(sentence),
    text: sentenceText(sentence) ?? words.map(({ form }) => form).join(" "),
    words: ids.map((id) => ({ id, form: words[id - 1]!.form })),
    names,
    relations,
  };
}

/** Returns the lines of an answer as one object. */
export async function searchObject(lines: AsyncIterable<Line>, { model }: Work): Promise<object> {
  const matches: Line[] = [];
  const failures: Line[] = [];
  let counts = {};
  for await (const line of lines) {
    if ("counts" in line) counts = line.counts as object;
    else if ("error" in line) failures.push(line);
    else matches.push(line);
  }
  return { model: model.name, ...counts, matches, failures };
}
