import { commentValue } from "./comments.ts";
import type { Report } from "./rows.ts";
import { RULES, type RuleName } from "./rules.ts";

/** Where and how input breaks a rule. */
export interface Complaint {
  /** The name of the file as the caller gave it. */
  readonly file?: string | undefined;
  /** Line of the source, from 1; 0 when there is none. */
  readonly line: number;
  /** The `sent_id` of the sentence; empty when there is none. */
  readonly sentence: string;
  readonly rule: RuleName;
  readonly expected: string;
  readonly found: string;
}

/** Input that cannot be read, or a sentence that cannot be converted or written. */
export class ConlluError extends Error implements Complaint {
  override readonly name = "ConlluError";
  readonly file: string | undefined;
  readonly line: number;
  readonly sentence: string;
  readonly rule: RuleName;
  readonly expected: string;
  readonly found: string;

  constructor(complaint: Complaint) {
    super(describe(complaint));
    this.file = complaint.file;
    this.line = complaint.line;
    this.sentence = complaint.sentence;
    this.rule = complaint.rule;
    this.expected = complaint.expected;
    this.found = complaint.found;
  }
}

/** A report that throws, for a sentence with these comments (or lines, comments first). */
export function throwingFor(comments: readonly string[], file?: string): Report {
  return (rule, line, expected, found) => {
    const sentence = commentValue(comments, "sent_id") ?? "";
    throw new ConlluError({ file, line, sentence, rule, expected, found });
  };
}

/** One line of text: file, line, sentence, rule, expected, found. */
export function describe(complaint: Complaint): string {
  const { file, line, sentence, rule, expected, found } = complaint;
  const place = `${file ?? "input"}${line > 0 ? `:${line}` : ""}`;
  const name = sentence === "" ? "" : ` sentence ${sentence}:`;
  return `${place}:${name} ${RULES[rule].says} (${rule}): expected ${expected}, found ${found}`;
}

/** Text as it is shown in messages: quoted, control characters escaped, cut after 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
