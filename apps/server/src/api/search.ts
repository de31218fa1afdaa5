import { type ConlluSentence, sentenceId, sentenceText } from "@arcwise/conllu";
import { compilePattern } from "@arcwise/conllu/search";
import type { AnalysisSettings } from "@arcwise/pipeline";
import { badRequest, limitExceeded } from "../failures.ts";
import { type Analysed, analyse, countsOf, isFailure } from "../routes/analyse.ts";
import type { Frame, Plan, ReadTask, Totals, Written } from "../routes/plan.ts";
import { failureLine, type PieceContext, type Route, writtenText } from "../routes/route.ts";
import { answerFormat, fieldsOf, sourceOf } from "./read-request.ts";
import { matchLimit, SEARCH_FORMATS, type SearchFields, searchFields } from "./request-fields.ts";
import { ref } from "./schemas.ts";

interface SearchSettings extends Pick<AnalysisSettings, "tags"> {
  readonly pattern: string;
  readonly unique: boolean;
  /** Whether the trees of the input are searched. */
  readonly isGiven: boolean;
  readonly isLines: boolean;
}

/** `/v1/search` */
export const searchRoute: Route<SearchSettings> = {
  summary: "Search trees by a pattern",
  answers: { json: ref("Found"), ndjson: { oneOf: [ref("MatchedText"), ref("Match")] } },
  fields: searchFields,
  read(task: ReadTask): Plan<SearchSettings> {
    const { head, limits } = task;
    const fields = fieldsOf(searchFields(), task);
    const format = answerFormat(fields.format, head, SEARCH_FORMATS);
    const { model, pattern, unique = false, tags } = fields;
    if (pattern === undefined) throw badRequest("pattern: expected a pattern, found nothing");
    if (pattern.length > limits.pattern) throw limitExceeded("pattern", limits, `${pattern.length}`);
    compilePattern(pattern, { unique });
    let hasTrees = false;
    const see = ({ rows }: ConlluSentence) => {
      hasTrees ||= rows.some((row) => row.kind === "word" && row.head >= 0);
    };
    const source = sourceOf(fields, { limits, see });
    const isLines = format === "ndjson";
    return {
      ...{ model, source, format, limit: matchLimit(fields) },
      settings: { pattern, unique, tags, isLines, isGiven: areGiven(fields, hasTrees) },
    };
  },
  analyses: ({ isGiven }) => !isGiven,
  write(context): Written {
    const { tags, isGiven, isLines } = context.settings;
    const trees = isGiven ? context.sentences : analyse(context, { tags }).found.flat();
    const found = searched(trees as readonly Analysed[], context);
    const [lines, texts, failures] = [found.lines, found.texts, found.failures].map((list) =>
      list.map((one) => JSON.stringify(one)),
    );
    const text = isLines ? lines!.map((line) => `${line}\n`).join("") : lines!.join(",\n");
    const lists = isLines ? [] : [texts!.join(), failures!.join()];
    const { matches, isCut } = found;
    const counts = isGiven ? {} : countsOf(trees as readonly Analysed[]);
    return writtenText(text, context, { lists, matches, isCut, ...counts });
  },
  frame: ({ isLines }, model): Frame =>
    isLines
      ? { start: "", between: "", end: (totals) => `{"counts":${JSON.stringify(countsIn(totals))}}\n` }
      : {
          start: `{"model":${JSON.stringify(model)},"matches":[`,
          between: ",\n",
          end: ({ lists: [texts, failures], ...totals }) => {
            const { sentences, isTruncated } = totals;
            const counts = `"sentences":${sentences},"isTruncated":${isTruncated}`;
            return `],"texts":[${texts?.join() ?? ""}],"failures":[${failures?.join() ?? ""}],${counts}}\n`;
          },
        },
};

function countsIn({ sentences, matches, isTruncated }: Omit<Totals, "lists">): object {
  return { sentences, matches, isTruncated };
}

/** Returns whether the trees of the input are searched: if it has trees, unless others are asked for. */
function areGiven({ trees, conllu }: SearchFields, hasTrees: boolean): boolean {
  return trees === undefined ? conllu !== undefined && hasTrees : trees === "given";
}

/**
 * Searches trees. The text of a sentence is written once, not with each of its matches. With lines, it and failures are
 * lines among the matches.
 */
function searched(
  trees: readonly Analysed[],
  { settings, model, from, limit }: PieceContext<SearchSettings>,
) {
  const pattern = compilePattern(settings.pattern, { unique: settings.unique });
  const [lines, texts, failures]: object[][] = [[], [], []];
  let [matches, next, isCut] = [0, from, false];
  for (const tree of trees) {
    if (isFailure(tree)) {
      (settings.isLines ? lines! : failures!).push(failureLine(tree.index, tree.error, model));
      next++;
      continue;
    }
    const index = next++;
    const words = tree.rows.filter((row) => row.kind === "word");
    let isFirst = true;
    for (const { nodes, names, relations } of pattern.matches(tree)) {
      if (matches === limit) {
        isCut = true;
        return { lines: lines!, texts: texts!, failures: failures!, matches, isCut };
      }
      if (isFirst) (settings.isLines ? lines! : texts!).push(textLine(tree, index));
      isFirst = false;
      matches++;
      const ids = [...new Set(nodes)].filter((id) => id > 0).sort((a, b) => a - b);
      const forms = ids.map((id) => ({ id, form: words[id - 1]!.form }));
      lines!.push({ index, words: forms, names, relations });
    }
  }
  return { lines: lines!, texts: texts!, failures: failures!, matches, isCut };
}

function textLine(sentence: ConlluSentence, index: number): object {
  const words = sentence.rows.filter((row) => row.kind === "word");
  const text = sentenceText(sentence) ?? words.map(({ form }) => form).join(" ");
  return { index, id: sentenceId(sentence), text };
}
