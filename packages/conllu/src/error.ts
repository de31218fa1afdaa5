import { ArcwiseError, escapeInvisible } from "@arcwise/core/errors";
import { commentValue } from "./comments.ts";
import type { Report } from "./rows.ts";
import type { RuleName } from "./rules.ts";

/** Where and how input breaks a rule. */
export interface Complaint {
  /** The name of the file as the caller gave it. */
  readonly file?: string | undefined;
  /** Line of the source, from 1; 0 without a source. */
  readonly line: number;
  /** The `sent_id` of the sentence; empty without one. */
  readonly sentence: string;
  readonly rule: RuleName;
  /** The requirement. Errors of readers have it; conversions do without the texts of all rules. */
  readonly says?: string | undefined;
  readonly expected: string;
  readonly found: string;
}

/**
 * Thrown for input that cannot be read, and for a sentence that cannot be converted or written.
 *
 * @example
 * try {
 *   parseConllu(text, { file: "a.conllu" });
 * } catch (error) {
 *   if (error instanceof ConlluError) console.log(error.line, error.rule, error.expected);
 * }
 */
export class ConlluError extends ArcwiseError implements Complaint {
  override readonly name = "ConlluError";
  declare readonly line: number;
  declare readonly expected: string;
  declare readonly found: string;
  readonly sentence: string;
  readonly rule: RuleName;

  constructor(complaint: Complaint) {
    const { file, line, expected, found } = complaint;
    super("malformed-conllu", describe(complaint), { file, line, expected, found });
    this.sentence = complaint.sentence;
    this.rule = complaint.rule;
  }
}

/**
 * Returns a report that throws a `ConlluError` with the `sent_id` among the comments (or lines, comments first).
 *
 * @param rules the requirement of each rule
 */
export function throwingFor(
  comments: readonly string[],
  file?: string,
  rules?: Readonly<Record<RuleName, { readonly says: string }>>,
): (...complaint: Parameters<Report>) => never {
  return (rule, line, expected, found) => {
    const sentence = commentValue(comments, "sent_id") ?? "";
    throw new ConlluError({ file, line, sentence, rule, says: rules?.[rule].says, expected, found });
  };
}

/** Returns a complaint as one line of text: file, line, sentence, requirement, rule, expected, found. */
export function describe(complaint: Complaint): string {
  const { file, line, sentence, rule, says, expected, found } = complaint;
  const place = `${file ?? "input"}${line > 0 ? `:${line}` : ""}`;
  const name = sentence === "" ? "" : ` sentence ${plain(sentence)}:`;
  const requirement = says === undefined ? rule : `${says} (${rule})`;
  return `${place}:${name} ${requirement}: expected ${expected}, found ${found}`;
}

/** Maximal number of characters of the input in a message. */
const MAX_SHOWN = 60;

/** Returns a text for messages: quoted, invisible characters escaped, cut after 60 characters. */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(cut(text)));
}

/** Returns a name for messages: as `quote` does, without quotation marks. */
function plain(text: string): string {
  return escapeInvisible(cut(text));
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
