import { ParallelIds } from "./check-parallel.ts";
import { hasNoSpaceAfter, tokens } from "./check-text.ts";
import { breakOf, keyedValue } from "./comments.ts";
import { quote } from "./error.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence } from "./types.ts";
import { hasWhiteSpace } from "./white-space.ts";
import { lineAt } from "./write.ts";

/** Checks the rules that compare sentences of a file, as Universal Dependencies does: level 2. */
export class FileChecks {
  readonly #ids = new Set<string>();
  readonly #parallel = new ParallelIds();
  /** Whether sentences with an enhanced graph, and sentences without one, have been seen. */
  #seen = { graph: false, none: false };
  /** Whether the last token of the sentence before has SpaceAfter=No. */
  #noSpaceAfter = false;

  /** Checks the next sentence. O(its length). */
  check(sentence: ConlluSentence, report: Report): void {
    this.#checkIds(sentence, report);
    this.#parallel.check(sentence, report);
    this.#checkBreaks(sentence, report);
    this.#checkGraphs(sentence, report);
  }

  #checkIds({ comments, line }: ConlluSentence, report: Report): void {
    const ids: { id: string; at: number }[] = [];
    let isMalformed = false;
    for (let i = 0; i < comments.length; i++) {
      const comment = comments[i]!;
      const id = keyedValue(comment, "sent_id");
      if (id !== undefined && id !== "" && !hasWhiteSpace(id)) ids.push({ id, at: lineAt(line, i) });
      else if (comment.startsWith("# sent_id") || comment.startsWith("#sent_id")) {
        isMalformed = true;
        report("sentence-id", lineAt(line, i), "# sent_id = an ID without spaces", quote(comment));
      }
    }
    if (ids.length !== 1) {
      if (ids.length > 1 || !isMalformed) report("sentence-id", line, "one # sent_id", `${ids.length}`);
      return;
    }
    const { id, at } = ids[0]!;
    if (this.#ids.has(id)) report("sentence-id-unique", at, "a unique ID", quote(id));
    if (id.split("/").length > 2) report("sentence-id", at, "at most one slash", quote(id));
    this.#ids.add(id);
  }

  #checkBreaks(sentence: ConlluSentence, report: Report): void {
    const { comments, line } = sentence;
    const counts = { doc: 0, par: 0 };
    for (let i = 0; i < comments.length; i++) {
      const kind = breakOf(comments[i]!);
      if (kind === undefined) continue;
      const at = lineAt(line, i);
      if (++counts[kind] === 2) report("breaks", at, `one # new${kind}`, "a second one");
      if (!this.#noSpaceAfter || counts.doc + counts.par > 1) continue;
      report("breaks", at, `a space before # new${kind}`, "SpaceAfter=No at the token before");
    }
    const last = tokens(sentence).at(-1);
    this.#noSpaceAfter = last !== undefined && hasNoSpaceAfter(last.row);
  }

  /** Either all sentences have an enhanced graph, or none: reports the first that differs. */
  #checkGraphs({ rows, comments, line }: ConlluSentence, report: Report): void {
    const hasGraph = rows.some((row) => row.kind === "empty" || (row.kind === "word" && row.deps !== "_"));
    const [own, other] = hasGraph ? (["graph", "none"] as const) : (["none", "graph"] as const);
    if (!this.#seen[own] && this.#seen[other]) {
      const states = { graph: "DEPS", none: "no DEPS" };
      const expected = `${states[other]}, as in earlier sentences`;
      report("deps-everywhere", lineAt(line, comments.length), expected, states[own]);
    }
    this.#seen[own] = true;
  }
}
