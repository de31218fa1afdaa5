import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, checkOptions, joinOptions, type OptionsOf, string } from "@arcwise/core/options";
import { type Block, BlockSplitter, READ_OPTIONS } from "./blocks.ts";
import { checkColumnValues, checkSpacing, checkUnicode } from "./check-fields.ts";
import { FileChecks } from "./check-file.ts";
import { checkGraph } from "./check-graph.ts";
import { LanguageChecks } from "./check-language.ts";
import { checkFormat, checkRoot, checkTree } from "./check-sentence.ts";
import { checkTextComment } from "./check-text.ts";
import { checkTreeRules } from "./check-tree-rules.ts";
import { commentValue } from "./comments.ts";
import { type Complaint, ConlluError, describe } from "./error.ts";
import { FieldReader } from "./fields.ts";
import { parseBlock } from "./parse.ts";
import type { Report } from "./rows.ts";
import { type Level, RULES, type Rule, type RuleName } from "./rules.ts";
import { requireSentence, sentencesOf } from "./sentence-check.ts";
import { type Source, sourceCheck, textChunks } from "./source.ts";
import type { ConlluSentence } from "./types.ts";
import { highestLevel, RULE_OPTIONS } from "./unchecked.ts";
import { lineAt, rowsWithLines, textColumns } from "./write.ts";

/** A violation of a rule, with its location. */
export interface Finding extends Complaint {
  readonly level: Level;
  /** Warnings do not make a file invalid. */
  readonly severity: Rule["severity"];
  /** All fields in one line. */
  readonly message: string;
}

const OPTIONS = joinOptions(RULE_OPTIONS, READ_OPTIONS);
type ValidationOptions = OptionsOf<typeof OPTIONS>;

/**
 * Yields the violations of rules in sentences, sentence by sentence, computed on demand. Deviations that
 * readers accept can only be found in a file: `validateText` and `validateSource` report them as well. Stores
 * every `sent_id` and `parallel_id`. At most 1,000 findings are reported per sentence.
 *
 * The rules have the names and levels of the tests of `validate.py`, the validator of Universal Dependencies;
 * `uncheckedTests` lists what is not checked. Rules on trees are checked where heads form a tree.
 *
 * Cost: O(n log n) for a sentence of n words.
 *
 * @throws ArcwiseError `invalid-argument` for a level or lists without what they require
 *
 * @example
 * for (const { rule, line, message } of validate(parseConllu(text))) console.log(rule, line, message);
 */
export function* validate(
  sentences: ConlluSentence | Iterable<ConlluSentence>,
  options?: ValidationOptions,
): Generator<Finding> {
  const validator = new Validator(checkOptions(OPTIONS, options, "validate"));
  for (const sentence of sentencesOf(sentences, "validate")) {
    requireSentence(sentence, "validate");
    validator.check(sentence);
    yield* validator.take();
  }
  yield* validator.end();
}

/**
 * Yields the violations of rules in a CoNLL-U text, sentence by sentence. Continues after errors, but ends at
 * a line or sentence that is too long. A sentence whose rows cannot be read is not checked further.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export function* validateText(text: string, options?: ValidationOptions): Generator<Finding> {
  checkArgument(string, text, "validateText: text");
  const validator = new Validator(checkOptions(OPTIONS, options, "validateText"));
  try {
    yield* validator.checkBlocks(validator.splitter.push(text));
    yield* validator.end();
  } catch (error) {
    yield* validator.catch(error);
  }
}

/**
 * Yields the violations of rules in a CoNLL-U stream, as `validateText` does; also ends at bytes that are not
 * UTF-8. Memory: the current chunk and sentence, and every `sent_id` and `parallel_id`.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export async function* validateSource(source: Source, options?: ValidationOptions): AsyncGenerator<Finding> {
  checkArgument(sourceCheck, source, "validateSource: source");
  const validator = new Validator(checkOptions(OPTIONS, options, "validateSource"));
  const { splitter } = validator;
  try {
    for await (const chunk of textChunks(source, splitter)) {
      yield* validator.checkBlocks(splitter.push(chunk));
      yield* validator.take();
    }
    yield* validator.end();
  } catch (error) {
    yield* validator.catch(error);
  }
}

/** Maximal number of findings per sentence, so that a malicious sentence cannot fill memory with them. */
const MAX_FINDINGS = 1000;

/** Collects the findings of one file. */
class Validator {
  readonly #level: Level;
  readonly #file: string | undefined;
  readonly #checks: FileChecks;
  readonly #language: LanguageChecks | undefined;
  readonly #reader = new FieldReader();
  /** Splits the text of the file; the deviations that it accepts are findings. */
  readonly splitter: BlockSplitter;
  #findings: Finding[] = [];

  constructor({ level, language, lists, file }: ValidationOptions) {
    this.#level = highestLevel(level, lists !== undefined);
    if (this.#level > 3 && lists === undefined)
      throw invalidArgument("lists", `the lists of level ${this.#level}`, "none");
    if (lists !== undefined && language === undefined)
      throw invalidArgument("language", "the language of the sentences", describeValue(language));
    this.#file = file;
    this.splitter = new BlockSplitter(file, (rule, line, expected, found) => {
      if (this.#findings.length < MAX_FINDINGS) this.#add(rule, line, "", expected, found);
    });
    this.#checks = new FileChecks(language);
    this.#language =
      lists === undefined || this.#level < 4 ? undefined : new LanguageChecks(lists, language!);
  }

  /** Returns the findings since the last call, by line. */
  take(): Finding[] {
    const findings = this.#findings;
    this.#findings = [];
    return findings.sort((a, b) => a.line - b.line);
  }

  /** Yields the last findings, and an error that ends the reading; rethrows errors of other classes. */
  *catch(error: unknown): Generator<Finding> {
    if (!(error instanceof ConlluError)) throw error;
    this.#add(error.rule, error.line, error.sentence, error.expected, error.found);
    yield* this.take();
  }

  /** Checks the sentences of blocks, and yields the findings of each. */
  *checkBlocks(blocks: Iterable<Block>): Generator<Finding> {
    for (const block of blocks) {
      this.#check(block.lines, (report) => parseBlock(block, report, this.#reader));
      yield* this.take();
    }
  }

  check(sentence: ConlluSentence): void {
    const rows = sentence.rows.map((row) => textColumns(row).join("\t"));
    this.#check([...sentence.comments, ...rows], (report) => {
      checkFormat(sentence, report);
      return sentence;
    });
  }

  /** Checks the last sentence of a text, and then the whole file. */
  *end(): Generator<Finding> {
    yield* this.checkBlocks(this.splitter.end());
    yield* this.take();
    if (this.#level >= 3) this.#checks.end(this.#reporter([]));
    yield* this.take();
  }

  /** Checks a sentence that `read` returns after it has reported what readers refuse. */
  #check(lines: readonly string[], read: (report: Report) => ConlluSentence): void {
    const report = this.#reporter(lines);
    let isReadable = true;
    let hasHeads = true;
    const sentence = read((rule, ...complaint) => {
      // A sentence without its heads can still be checked, except for its tree.
      if (rule === "invalid-head") hasHeads = false;
      else if (RULES[rule].level === 1) isReadable = false;
      report(rule, ...complaint);
    });
    this.#checkFormat(sentence, lines, isReadable, report);
    if (isReadable && this.#level >= 2) this.#checkContents(sentence, report, hasHeads);
  }

  /** Checks the rules of level 1 beyond the rules of readers. */
  #checkFormat(
    sentence: ConlluSentence,
    lines: readonly string[],
    isReadable: boolean,
    report: Report,
  ): void {
    for (let i = 0; i < lines.length; i++) checkUnicode(lines[i]!, lineAt(sentence.line, i), report);
    if (isReadable) for (const [row, line] of rowsWithLines(sentence)) checkSpacing(row, line, report);
  }

  /** Checks the rules of levels 2 to 5. */
  #checkContents(sentence: ConlluSentence, report: Report, hasHeads: boolean): void {
    for (const [row, line] of rowsWithLines(sentence)) checkColumnValues(row, line, report);
    this.#checks.check(sentence, report);
    checkTextComment(sentence, report);
    checkGraph(sentence, this.#level, report);
    const isTree = hasHeads && checkTree(sentence, report);
    if (this.#level >= 3) {
      checkRoot(sentence, report);
      this.#checks.checkOrphans(sentence, report);
      if (isTree) checkTreeRules(sentence, report, this.#checks.ifFeatures(report));
    }
    this.#language?.check(sentence, this.#level, report);
  }

  #reporter(lines: readonly string[]): Report {
    let id: string | undefined;
    return (rule, line, expected, found) => {
      if (RULES[rule].level > this.#level || this.#findings.length >= MAX_FINDINGS) return;
      id ??= commentValue(lines, "sent_id") ?? "";
      this.#add(rule, line, id, expected, found);
    };
  }

  #add(rule: RuleName, line: number, sentence: string, expected: string, found: string): void {
    const { level, severity, says } = RULES[rule];
    const complaint = { file: this.#file, line, sentence, rule, expected, found };
    this.#findings.push({ ...complaint, level, severity, message: describe({ ...complaint, says }) });
  }
}
