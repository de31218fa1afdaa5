import { ParallelIds } from "./check-parallel.ts";
import { hasNoSpaceAfter, tokens } from "./check-text.ts";
import { breakOf, keyedValue } from "./comments.ts";
import { quote } from "./error.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence, Row } from "./types.ts";
import { hasWhiteSpace } from "./white-space.ts";
import { lineAt, rowsWithLines } from "./write.ts";

/** Maximal number of findings that wait for the first features of a file. */
const MAX_PENDING = 1000;

/** Checks the rules that compare sentences of a file, as Universal Dependencies does: levels 2 and 3. */
export class FileChecks {
  /** The slashes that a `sent_id` may have. */
  readonly #maxSlashes: number;
  readonly #ids = new Set<string>();
  readonly #parallel = new ParallelIds();
  /** Whether sentences with an enhanced graph, and sentences without one, have been seen. */
  #seen = { graph: false, none: false };
  /** Whether the last token of the sentence before has SpaceAfter=No. */
  #noSpaceAfter = false;
  #hasFeatures = false;
  /** Findings in sentences before the first features. */
  #pending: (() => void)[] = [];
  /** Whether DEPS have edges that are not those of HEAD and DEPREL. */
  #isEnhanced = false;
  /** Line of the first empty node, and of the first orphan in DEPS. */
  #emptyNode: number | undefined;
  #orphan: number | undefined;

  constructor(language: string | undefined) {
    this.#maxSlashes = language === undefined ? 1 : 0;
  }

  /** Checks the next sentence at level 2. O(its length). */
  check(sentence: ConlluSentence, report: Report): void {
    this.#checkIds(sentence, report);
    this.#parallel.check(sentence, report);
    this.#checkBreaks(sentence, report);
    this.#checkGraphs(sentence, report);
    const { rows } = sentence;
    if (rows.some(({ kind, feats }) => kind !== "range" && feats !== "_")) this.#hasFeatures = true;
    if (this.#hasFeatures) for (const finding of this.#pending.splice(0)) finding();
  }

  /** Checks the next sentence at level 3, after `check`: orphans in DEPS. */
  checkOrphans(sentence: ConlluSentence, report: Report): void {
    for (const [row, at] of rowsWithLines(sentence)) {
      if (row.kind === "empty" && this.#emptyNode === undefined) {
        this.#emptyNode = at;
        if (this.#orphan !== undefined)
          report(
            "empty-node-after-eorphan",
            at,
            "no empty node",
            `an orphan in DEPS in line ${this.#orphan}`,
          );
      }
      if (row.kind === "range" || !row.deps.split("|").some(isOrphan)) continue;
      this.#orphan ??= at;
      if (this.#emptyNode === undefined) continue;
      report("eorphan-after-empty-node", at, "no orphan", `an empty node in line ${this.#emptyNode}`);
    }
  }

  /** Returns a report of findings that are only wrong in a file with features. */
  ifFeatures(report: Report): Report {
    return (...finding) => {
      if (this.#hasFeatures) report(...finding);
      else if (this.#pending.length < MAX_PENDING) this.#pending.push(() => report(...finding));
    };
  }

  /** Checks the whole file, after its last sentence, at level 3. */
  end(report: Report): void {
    if (this.#seen.graph && !this.#isEnhanced)
      report("edeps-identical-to-basic-trees", 0, "edges of an enhanced graph", "those of the trees alone");
  }

  #checkIds({ comments, line }: ConlluSentence, report: Report): void {
    const ids: { id: string; at: number }[] = [];
    for (let i = 0; i < comments.length; i++) {
      const comment = comments[i]!;
      const id = keyedValue(comment, "sent_id");
      if (id !== undefined && id !== "" && !hasWhiteSpace(id)) ids.push({ id, at: lineAt(line, i) });
      else if (comment.startsWith("# sent_id") || comment.startsWith("#sent_id"))
        report("invalid-sent-id", lineAt(line, i), "# sent_id = an ID without spaces", quote(comment));
    }
    if (ids.length === 0) report("missing-sent-id", line, "# sent_id", "none");
    if (ids.length > 1) report("multiple-sent-id", ids[1]!.at, "one # sent_id", `${ids.length}`);
    if (ids.length !== 1) return;
    const { id, at } = ids[0]!;
    if (this.#ids.has(id)) report("non-unique-sent-id", at, "a unique ID", quote(id));
    if (id.split("/").length - 1 > this.#maxSlashes)
      report("slash-in-sent-id", at, this.#maxSlashes === 0 ? "no slash" : "at most one slash", quote(id));
    this.#ids.add(id);
  }

  #checkBreaks(sentence: ConlluSentence, report: Report): void {
    const { comments, line } = sentence;
    const counts = { doc: 0, par: 0 };
    for (let i = 0; i < comments.length; i++) {
      // As in validate.py, which passes over breaks with an attribute (# newpar id = p1).
      const kind = comments[i]!.includes("=") ? undefined : breakOf(comments[i]!);
      if (kind === undefined) continue;
      const at = lineAt(line, i);
      if (++counts[kind] === 2) report(`multiple-new${kind}`, at, `one # new${kind}`, "a second one");
      if (!this.#noSpaceAfter || counts.doc + counts.par > 1) continue;
      report("spaceafter-newdocpar", at, `a space before # new${kind}`, "SpaceAfter=No at the token before");
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
      report("edeps-only-sometimes", lineAt(line, comments.length), expected, states[own]);
    }
    this.#seen[own] = true;
    const isOfTree = (row: Row) => row.deps === (row.kind === "word" ? `${row.head}:${row.deprel}` : "");
    this.#isEnhanced ||= rows.some((row) => row.kind !== "range" && row.deps !== "_" && !isOfTree(row));
  }
}

function isOrphan(edge: string): boolean {
  return /^[0-9.]+:orphan(?::|$)/.test(edge);
}
