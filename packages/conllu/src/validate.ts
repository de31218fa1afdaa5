import { type Block, BlockSplitter, type ReadOptions } from "./blocks.ts";
import { checkColumnValues, checkInventory, checkText } from "./check-fields.ts";
import { checkGraph } from "./check-graph.ts";
import { ParallelIds } from "./check-parallel.ts";
import { checkComments, checkFormat, checkSpaces, checkTree } from "./check-sentence.ts";
import { commentValue } from "./comments.ts";
import { type Complaint, ConlluError, describe } from "./error.ts";
import { FieldReader } from "./fields.ts";
import { parseBlock } from "./parse.ts";
import type { Report } from "./rows.ts";
import { RULES, type RuleName } from "./rules.ts";
import { type Source, textChunks } from "./source.ts";
import type { ConlluSentence } from "./types.ts";
import { lineAt } from "./write.ts";

/** A place where a file or sentence breaks a rule. */
export interface Finding extends Complaint {
  readonly level: 1 | 2 | 3;
  /** Everything else in one line. */
  readonly message: string;
}

export interface ValidateOptions {
  /** The highest level of rules that are checked; 3, all of them, by default. */
  readonly level?: 1 | 2 | 3;
  /** A name for the findings. */
  readonly file?: string;
}

/**
 * What is wrong with sentences, in order of sentences, as a sequence that is computed while it is read.
 * Sentences that were read from a file have lost what the reader forgives: `validateText` and
 * `validateSource` report that too. Remembers every `sent_id` and `parallel_id`. Of a sentence with more than
 * 1,000 findings, the first 1,000 that are met are given.
 *
 * Cost: linear in the length of the sentences.
 */
export function* validate(
  sentences: ConlluSentence | Iterable<ConlluSentence>,
  options: ValidateOptions = {},
): Generator<Finding> {
  const validator = new Validator(options);
  for (const sentence of "rows" in sentences ? [sentences] : sentences) {
    validator.check(sentence);
    yield* validator.take();
  }
}

/**
 * What is wrong with a CoNLL-U text, in order of sentences. Goes on after errors, but ends at a line or
 * sentence that is too long. A sentence whose rows cannot be read is not checked further.
 *
 * Cost: linear in the length of the text.
 *
 * @throws RangeError when a limit among the options is not a number >= 1
 */
export function* validateText(text: string, options: ValidateOptions & ReadOptions = {}): Generator<Finding> {
  const validator = new Validator(options);
  const splitter = new BlockSplitter(options, validator.notice);
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
 * What is wrong with CoNLL-U that arrives in chunks, as `validateText` has it; ends at bytes that are not
 * UTF-8, too. Memory is that of the chunk and the sentence at hand, and of every `sent_id`.
 *
 * @throws RangeError when a limit among the options is not a number >= 1
 */
export async function* validateSource(
  source: Source,
  options: ValidateOptions & ReadOptions = {},
): AsyncGenerator<Finding> {
  const validator = new Validator(options);
  const splitter = new BlockSplitter(options, validator.notice);
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

/** Findings a sentence that are kept: a hostile one could otherwise fill memory with them. */
const MAX_FINDINGS = 1000;

/** Collects the findings of one file. */
class Validator {
  readonly #level: number;
  readonly #file: string | undefined;
  readonly #ids = new Set<string>();
  readonly #parallel = new ParallelIds();
  readonly #reader = new FieldReader();
  #findings: Finding[] = [];

  constructor(options: ValidateOptions) {
    this.#level = options.level ?? 3;
    this.#file = options.file;
  }

  /** Returns the findings since the last call, by line. */
  take(): Finding[] {
    const findings = this.#findings;
    this.#findings = [];
    return findings.sort((a, b) => a.line - b.line);
  }

  /** Takes what the splitter forgives. */
  readonly notice: Report = (rule, line, expected, found) => this.#add(rule, line, "", expected, found);

  /**
   * Takes an error that ends the reading.
   *
   * @throws what is no ConlluError
   */
  catch(error: unknown): void {
    if (!(error instanceof ConlluError)) throw error;
    this.#add(error.rule, error.line, error.sentence, error.expected, error.found);
  }

  checkBlock(block: Block): void {
    let sound = true;
    const report = this.#reporter(block.lines);
    const sentence = parseBlock(
      block,
      (...complaint) => {
        sound = false;
        report(...complaint);
      },
      this.#reader,
    );
    if (sound) this.#checkSound(sentence, report);
  }

  check(sentence: ConlluSentence): void {
    const report = this.#reporter(sentence.comments);
    if (checkFormat(sentence, report)) this.#checkSound(sentence, report);
  }

  /** Every rule above the format. */
  #checkSound(sentence: ConlluSentence, report: Report): void {
    const { rows, comments, line } = sentence;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = lineAt(line, comments.length + i);
      checkText(row, at, report);
      if (this.#level >= 2) checkColumnValues(row, at, report);
      if (this.#level >= 3) checkInventory(row, at, report);
    }
    if (this.#level < 2) return;
    checkComments(sentence, this.#ids, report);
    checkSpaces(sentence, report);
    this.#parallel.check(sentence, report);
    checkTree(sentence, this.#level, report);
    checkGraph(sentence, this.#level, report);
  }

  #reporter(lines: readonly string[]): Report {
    let id: string | undefined;
    return (rule, line, expected, found) => {
      if (this.#findings.length >= MAX_FINDINGS) return;
      id ??= commentValue(lines, "sent_id") ?? "";
      this.#add(rule, line, id, expected, found);
    };
  }

  #add(rule: RuleName, line: number, sentence: string, expected: string, found: string): void {
    const complaint = { file: this.#file, line, sentence, rule, expected, found };
    this.#findings.push({ ...complaint, level: RULES[rule].level, message: describe(complaint) });
  }
}
