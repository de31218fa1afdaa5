import { InvalidSentence, SentenceMismatch, TextMismatch } from "@arcwise/evaluate";
import { DataError } from "../errors.ts";
import { displayName } from "../files/io.ts";

/** Returns an error of the evaluation, which speaks of gold and system, with the names of these files. */
export function evaluationError(error: unknown, files: Readonly<Record<"gold" | "system", string>>): unknown {
  if (error instanceof InvalidSentence) {
    return new DataError(`${displayName(files[error.side])}:${error.line}: ${error.message}`, {
      cause: error,
    });
  }
  if (error instanceof SentenceMismatch) {
    const names = `${displayName(files.gold)} and ${displayName(files.system)}`;
    return new DataError(`${names}: ${error.message}`, { cause: error });
  }
  if (!(error instanceof TextMismatch)) return error;
  const { gold, system } = error;
  // The end of a text is on no line.
  const at = (file: string, line: number) => `${displayName(file)}${line > 0 ? `:${line}` : ""}`;
  const places = `${at(files.gold, gold.line)} and ${at(files.system, system.line)}`;
  return new DataError(`${places}: ${error.message}`, { cause: error });
}
