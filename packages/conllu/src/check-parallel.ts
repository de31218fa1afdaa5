import { keyedValue } from "./comments.ts";
import { quote } from "./error.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";
import { lineAt } from "./write.ts";

const BEGINS = /^# ?parallel_id/;
/**
 * Matches `corpus/sentence`, optionally with the number of an alternative or part: `/alt1`, `/part2`,
 * `/alt1part2`.
 */
const PARALLEL_ID = /^([a-z]+\/[-0-9a-z]+)(?:\/(?=alt|part)(?:alt([1-9]\d*))?(?:part([1-9]\d*))?)?$/;
const EXPECTED = "# parallel_id = corpus/sentence, and /alt1, /part1 or /alt1part1 where there are several";

/** The last alternative and part of a sentence of a parallel corpus; 0 where an ID has no such number. */
interface Last {
  readonly alt: number;
  readonly part: number;
}

/**
 * Checks the comments `# parallel_id = ...` of a file as validate.py of Universal Dependencies does: level 2.
 */
export class ParallelIds {
  readonly #seen = new Set<string>();
  readonly #last = new Map<string, Last>();

  /** Checks the comments of the next sentence. O(their length). */
  check({ comments, line }: ConlluSentence, report: Report): void {
    let count = 0;
    for (let i = 0; i < comments.length; i++) {
      const comment = comments[i]!;
      const at = lineAt(line, i);
      const match = PARALLEL_ID.exec(keyedValue(comment, "parallel_id") ?? "");
      if (match === null && !BEGINS.test(comment)) continue;
      if (match === null) report("invalid-parallel-id", at, EXPECTED, quote(comment));
      else if (++count > 1) report("multiple-parallel-id", at, "one # parallel_id", "a second one");
      else this.#add(match, at, report);
    }
  }

  #add([, sentence, alt = "0", part = "0"]: RegExpExecArray, at: number, report: Report): void {
    const id = `${sentence} alt ${alt} part ${part}`;
    if (this.#seen.has(id)) {
      report("non-unique-parallel-id", at, "a unique ID", quote(sentence!));
      return;
    }
    this.#seen.add(id);
    const last = this.#last.get(sentence!);
    const next: Last = { alt: Number(alt), part: Number(part) };
    checkNext("alt", last?.alt, next.alt, at, report);
    checkNext("part", last?.part, next.part, at, report);
    this.#last.set(sentence!, next);
  }
}

/** Reports an alternative or part that is not numbered 1, 2, 3, ... in the order of the file. */
function checkNext(
  name: "alt" | "part",
  last: number | undefined,
  found: number,
  at: number,
  report: Report,
): void {
  const isNumbered = last === undefined ? found > 0 : last > 0;
  const expected = isNumbered ? (last ?? 0) + 1 : 0;
  if (found === expected) return;
  const word = (number: number) => (number === 0 ? `no ${name}` : `${name}${number}`);
  report(`parallel-id-${name}`, at, word(expected), word(found));
}
