import type { ConlluSentence } from "@arcwise/conllu";
import {
  compileField,
  compilePattern,
  type MatchField,
  type SearchMatch,
  type SearchPattern,
  searchVocabulary,
} from "@arcwise/conllu/search";
import { Command, Option } from "commander";
import { formatOfOutput } from "../analysis/output-format.ts";
import { type CommandFactory, type ShortHelp, withShortHelp } from "../command/options.ts";
import { given, planFiles } from "../files/file-plan.ts";
import { hasColour, type Io, printable, printLine } from "../files/io.ts";
import { writeWith } from "../files/output.ts";
import { inSource, readSentences } from "../files/sentences.ts";
import { SEARCH_FORMATS, type SearchFormat, searchWriter } from "../search/writers.ts";

interface SearchArguments {
  readonly count?: boolean | undefined;
  readonly unique?: boolean | undefined;
  readonly by?: readonly string[] | undefined;
  readonly outputFormat?: SearchFormat | undefined;
  readonly output: string;
}

const AFTER_HELP = `
Patterns are written as in Semgrex:
  {upos:VERB;lemma:/be|have/}  a text, a /regular expression/, __: any value
  {form:"a;b"} {form:/(?i)is/} a quoted text (\\" is "); any case
  {feats:{Tense:Past}}         features; !: denies a value, ?: also accepts none
  {} >nsubj {}    {} <obj {}   head of, modifier of; no name: any relation
  {} >> {}    {} << {}         above, below; 2,3>>: at a distance from 2 to 3
  {} . {}    {} .. {}          directly before, before; - and -- are after
  {} $+ {}    {} $++ {}        siblings, directly after, after; $- $-- before
  {}=a > {}=b    {}=a == {}=b  names are different words, unless == says so
  {}=v >obj {} !>nsubj {}      name, and, not; [A | B]; ?A optional; A : B both
`;

const SHORT_HELP: ShortHelp = {
  options: {
    "--count": "print only the numbers of matches and sentences",
    "--by": "count the values of v.lemma, v.feats.Tense, ... of a word =v",
    "--output": "the output: .txt, .conllu, .json, .jsonl or .html",
    "--output-format": "the same without an ending",
  },
  about: `Patterns are written as in Semgrex; --help --all explains more of them:
  {upos:VERB;lemma:/be|have/}  a text, a /regular expression/, __: any value
  {} >nsubj {}    {} <obj {}   head of, modifier of; no name: any relation
  {} >> {}    {} << {}         above, below
  {} . {}    {} .. {}          directly before, before; - and -- are after
  {}=v >obj {} !>nsubj {}      name, and, not`,
  examples: [
    ["arcwise search '{lemma:eat} >obj {}' train.conllu", "a line per match"],
    ["arcwise search '{upos:VERB}=v >obj {}' a.conllu --by v.lemma", ""],
    ["arcwise search '{upos:VERB} !>nsubj {}' a.conllu -o b.html", "a page of trees"],
  ],
  after: AFTER_HELP,
};

/** `arcwise search PATTERN [FILE...]` */
export const searchCommand: CommandFactory = (io) =>
  withShortHelp(searchOptions(), SHORT_HELP).action(
    (pattern: string, files: string[], options: SearchArguments, command: Command) => {
      if (options.by !== undefined && options.count === true)
        command.error("error: --by counts already: leave out --count");
      if ((options.by ?? options.count) !== undefined && options.outputFormat !== undefined)
        command.error("error: --output-format is for matches: leave out --count and --by");
      return search(io, pattern, files.length === 0 ? ["-"] : files, options);
    },
  );

function searchOptions(): Command {
  return new Command("search")
    .description("find words and relations in trees by a pattern: a line for each match")
    .argument("<pattern>", "what to find, as in '{lemma:eat} >obj {}'")
    .argument("[files...]", "CoNLL-U files; the standard input by default")
    .option(
      "--unique",
      "one match for each choice of named words in a sentence, or of words if none is named",
    )
    .option("--count", "print only the numbers of matches and sentences")
    .option(
      "--by <field>",
      "count matches by values: v.lemma, v.feats.Tense of a word =v, r of a relation =r; may be repeated",
      (field: string, before: readonly string[] = []) => [...before, field],
    )
    .addOption(
      new Option(
        "--output-format <name>",
        "text with matched words marked; whole sentences as CoNLL-U; JSON, a list of matches or a line for each; " +
          "drawings as an HTML page; by default as the name of the output ends, or else text",
      ).choices(SEARCH_FORMATS),
    )
    .option("-o, --output <file>", "the output", "-");
}

async function search(
  io: Io,
  source: string,
  files: readonly string[],
  options: SearchArguments,
): Promise<void> {
  const pattern = compilePattern(source, { unique: options.unique });
  const fields = options.by?.map((field) => compileField(pattern, field));
  const { output: path } = options;
  const planned = await planFiles(io, {
    inputs: given({ "the input": files }),
    outputs: { "--output": path },
  });
  const totals = { matches: 0, matched: 0, sentences: 0 };
  const counts = new Map<string, number>();
  const isCount = options.count === true || fields !== undefined;
  const format = isCount ? undefined : searchFormat(options);
  const writer =
    format && (await searchWriter(format, { hasColour: hasColour(io, path), title: printable(source) }));
  const vocabulary = searchVocabulary(pattern);
  await writeWith(io, planned["--output"], async (output) => {
    if (writer?.start !== undefined) await output.write(writer.start);
    for await (const { file, sentence } of readSentences(io, files)) {
      totals.sentences++;
      vocabulary.add(sentence);
      const before = totals.matches;
      const matches = counted(matchesOf(pattern, sentence, file), () => totals.matches++);
      if (fields !== undefined) for (const match of matches) addCount(counts, sentence, match, fields);
      else if (writer === undefined) for (const _ of matches);
      else {
        const first = matches.next();
        if (first.done === true) continue;
        const pieces = writer.sentence({ file, sentence, matches: withFirst(first.value, matches) });
        for (const text of blocks(pieces)) await output.write(text);
      }
      if (totals.matches > before) totals.matched++;
    }
    if (writer?.end !== undefined) await output.write(writer.end());
    if (fields !== undefined) await output.write(countLines(counts));
    if (options.count === true) await output.write(`${totals.matches}\t${totals.matched}\n`);
  });
  printLine(io, summary(totals));
  if (totals.sentences === 0) return;
  for (const note of vocabulary.notes()) printLine(io, printable(`note: ${note}`));
}

function* counted(matches: Iterable<SearchMatch>, count: () => void): Generator<SearchMatch> {
  for (const match of matches) {
    count();
    yield match;
  }
}

function* withFirst<Item>(first: Item, others: Iterable<Item>): Generator<Item> {
  yield first;
  yield* others;
}

/** Characters that are written at once. */
const BLOCK = 65_536;

function* blocks(pieces: Iterable<string>): Generator<string> {
  let block = "";
  for (const piece of pieces) {
    block += piece;
    if (block.length < BLOCK) continue;
    yield block;
    block = "";
  }
  yield block;
}

function searchFormat({ output, outputFormat: given }: SearchArguments): SearchFormat {
  return formatOfOutput({ output, given, formats: SEARCH_FORMATS }) ?? "text";
}

/** @throws ConlluError with the name of the file */
function* matchesOf(pattern: SearchPattern, sentence: ConlluSentence, file: string): Generator<SearchMatch> {
  try {
    yield* pattern.matches(sentence);
  } catch (error) {
    throw inSource(error, file);
  }
}

function addCount(
  counts: Map<string, number>,
  sentence: ConlluSentence,
  match: SearchMatch,
  fields: readonly MatchField[],
): void {
  const key = fields.map((field) => field(sentence, match) ?? "_").join("\t");
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A line per combination of values, the most frequent first: the count and the values, separated by tabs. */
function countLines(counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const texts = rows.map(([key, count]) => `${count}\t${key.split("\t").map(printable).join("\t")}\n`);
  return texts.join("");
}

function summary({ matches, matched, sentences }: Readonly<Record<string, number>>): string {
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  return (
    `${count(matches!, "match", "matches")} in ${matched} of ` +
    `${count(sentences!, "sentence", "sentences")}`
  );
}
