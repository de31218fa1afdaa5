import {
  type Complete,
  checkArgument,
  checkOptions,
  defineOptions,
  joinOptions,
  type OptionsOf,
  oneOf,
  string,
} from "@arcwise/core/options";
import { type Block, BlockSplitter, READ_OPTIONS } from "./blocks.ts";
import { checkColumnValues, checkText, checkUnicode } from "./check-fields.ts";
import { FileChecks } from "./check-file.ts";
import { checkGraph } from "./check-graph.ts";
import { checkChildren, checkDirection } from "./check-relations.ts";
import { checkFormat, checkTree } from "./check-sentence.ts";
import { checkSpaces, checkTextComment } from "./check-text.ts";
import { commentValue } from "./comments.ts";
import { type Complaint, ConlluError, describe } from "./error.ts";
import { FieldReader } from "./fields.ts";
import { parseBlock } from "./parse.ts";
import type { Report } from "./rows.ts";
import { RULES, type RuleName } from "./rules.ts";
import { requireSentence, sentencesOf } from "./sentence-check.ts";
import { type Source, sourceCheck, textChunks } from "./source.ts";
import type { ConlluSentence } from "./types.ts";
import { lineAt } from "./write.ts";

/** A violation of a rule, with its location. */
export interface Finding extends Complaint {
  readonly level: 1 | 2 | 3;
  /** All fields in one line. */
  readonly message: string;
}

const LEVEL = defineOptions({
  level: { check: oneOf(1, 2, 3), help: "highest level of rules that are checked", default: 3 },
});
const OF_SENTENCES = joinOptions(
  LEVEL,
  defineOptions({ file: { check: string, help: "name of the file in findings" } }),
);
const FILE_OPTIONS = joinOptions(LEVEL, READ_OPTIONS);

/**
 * Yields the violations of rules in sentences, sentence by sentence, computed on demand. Deviations that
 * readers accept can only be found in a file: `validateText` and `validateSource` report them as well. Stores
 * every `sent_id` and `parallel_id`. At most 1,000 findings are reported per sentence.
 *
 * Cost: linear in the length of the sentences.
 */
export function* validate(
  sentences: ConlluSentence | Iterable<ConlluSentence>,
  options?: OptionsOf<typeof OF_SENTENCES>,
): Generator<Finding> {
  const validator = new Validator(checkOptions(OF_SENTENCES, options, "validate"));
  for (const sentence of sentencesOf(sentences, "validate")) {
    requireSentence(sentence, "validate");
    validator.check(sentence);
    yield* validator.take();
  }
}

/**
 * Yields the violations of rules in a CoNLL-U text, sentence by sentence. Continues after errors, but ends at
 * a line or sentence that is too long. A sentence whose rows cannot be read is not checked further.
 *
 * Cost: linear in the length of the text.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export function* validateText(text: string, options?: OptionsOf<typeof FILE_OPTIONS>): Generator<Finding> {
  checkArgument(string, text, "validateText: text");
  const checked = checkOptions(FILE_OPTIONS, options, "validateText");
  const validator = new Validator(checked);
  const splitter = new BlockSplitter(checked, validator.notice);
  try {
    for (const block of splitter.push(text)) {
      validator.checkBlock(block);
      yield* validator.take();
    }
    for (const block of splitter.end()) validator.checkBlock(block);
  } catch (error) {
    validator.catch(error);
  }
  yield* validator.take();
}

/**
 * Yields the violations of rules in a CoNLL-U stream, as `validateText` does; also ends at bytes that are not
 * UTF-8. Memory: the current chunk and sentence, and every `sent_id` and `parallel_id`.
 *
 * @throws ArcwiseError for an argument or option of another type
 */
export async function* validateSource(
  source: Source,
  options?: OptionsOf<typeof FILE_OPTIONS>,
): AsyncGenerator<Finding> {
  checkArgument(sourceCheck, source, "validateSource: source");
  const checked = checkOptions(FILE_OPTIONS, options, "validateSource");
  const validator = new Validator(checked);
  const splitter = new BlockSplitter(checked, validator.notice);
  try {
    for await (const chunk of textChunks(source, splitter)) {
      for (const block of splitter.push(chunk)) {
        validator.checkBlock(block);
        yield* validator.take();
      }
      yield* validator.take();
    }
    for (const block of splitter.end()) validator.checkBlock(block);
  } catch (error) {
    validator.catch(error);
  }
  yield* validator.take();
}

/** Maximal number of findings per sentence, so that a malicious sentence cannot fill memory with them. */
const MAX_FINDINGS = 1000;

/** Collects the findings of one file. */
class Validator {
  readonly #level: number;
  readonly #file: string | undefined;
  readonly #checks = new FileChecks();
  readonly #reader = new FieldReader();
  #findings: Finding[] = [];

  constructor(options: Complete<typeof OF_SENTENCES>) {
    this.#level = options.level;
    this.#file = options.file;
  }

  /** Returns the findings since the last call, by line. */
  take(): Finding[] {
    const findings = this.#findings;
    this.#findings = [];
    return findings.sort((a, b) => a.line - b.line);
  }

  /** Records a deviation that the splitter accepts. */
  readonly notice: Report = (rule, line, expected, found) => this.#add(rule, line, "", expected, found);

  /**
   * Records an error that ends the reading; rethrows errors of other classes.
   *
   * @throws errors other than ConlluError
   */
  catch(error: unknown): void {
    if (!(error instanceof ConlluError)) throw error;
    this.#add(error.rule, error.line, error.sentence, error.expected, error.found);
  }

  checkBlock(block: Block): void {
    this.#check(block.lines, (report) => parseBlock(block, report, this.#reader));
  }

  check(sentence: ConlluSentence): void {
    this.#check(sentence.comments, (report) => {
      checkFormat(sentence, report);
      return sentence;
    });
  }

  /** Checks a sentence that `read` returns after it has reported what readers refuse. */
  #check(lines: readonly string[], read: (report: Report) => ConlluSentence): void {
    const report = this.#reporter(lines);
    let isReadable = true;
    let hasHeads = true;
    const sentence = read((rule, ...complaint) => {
      // A sentence without its heads can still be checked, except for its tree.
      if (rule === "head-syntax") hasHeads = false;
      else isReadable = false;
      report(rule, ...complaint);
    });
    if (!isReadable) return;
    this.#checkFormat(sentence, report);
    if (this.#level >= 2) this.#checkContents(sentence, report, hasHeads);
  }

  /** Checks the rules of level 1 beyond the rules of readers. */
  #checkFormat({ rows, comments, line }: ConlluSentence, report: Report): void {
    for (let i = 0; i < comments.length; i++) checkUnicode(comments[i]!, lineAt(line, i), report);
    for (let i = 0; i < rows.length; i++) checkText(rows[i]!, lineAt(line, comments.length + i), report);
  }

  /** Checks the rules of levels 2 and 3. */
  #checkContents(sentence: ConlluSentence, report: Report, hasHeads: boolean): void {
    const { rows, comments, line } = sentence;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = lineAt(line, comments.length + i);
      checkColumnValues(row, at, report);
      if (this.#level >= 3 && row.kind === "word") checkDirection(row, at, report);
    }
    this.#checks.check(sentence, report);
    checkTextComment(sentence, report);
    checkSpaces(sentence, report);
    if (hasHeads) checkTree(sentence, this.#level, report);
    if (hasHeads && this.#level >= 3) checkChildren(sentence, report);
    checkGraph(sentence, this.#level, report);
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
    const complaint = { file: this.#file, line, sentence, rule, expected, found };
    this.#findings.push({ ...complaint, level: RULES[rule].level, message: describe(complaint) });
  }
}
