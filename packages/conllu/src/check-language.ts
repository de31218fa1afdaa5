import { quote } from "./error.ts";
import { depsEdge } from "./graphs/deps.ts";
import type { LanguageLists } from "./language-lists.ts";
import { miscValue } from "./misc.ts";
import { universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { Level, RuleName } from "./rules.ts";
import type { ConlluSentence, RangeRow, Row, WordRow } from "./types.ts";
import { hasWhiteSpace } from "./white-space.ts";
import { rowId, rowsWithLines } from "./write.ts";

/** Reports a rule at a row. */
type ReportRow = (rule: RuleName, expected: string, found: string) => void;

/** Checks the rules of a language, levels 4 and 5, for words of other languages (Lang in MISC) those of theirs. */
export class LanguageChecks {
  readonly #lists: LanguageLists;
  readonly #language: string;

  constructor(lists: LanguageLists, language: string) {
    lists.listed(language);
    this.#lists = lists;
    this.#language = language;
  }

  /** Checks the next sentence. O(its length). */
  check(sentence: ConlluSentence, level: Level, report: Report): void {
    const byId = new Map(sentence.rows.filter((row) => row.kind !== "range").map((row) => [rowId(row), row]));
    let range: RangeRow | undefined;
    for (const [row, line] of rowsWithLines(sentence)) {
      if (row.kind === "range") range = row;
      if (row.kind === "range") continue;
      const reportRow: ReportRow = (rule, ...rest) => report(rule, line, ...rest);
      this.#checkSpaces(row, reportRow);
      if (row.feats !== "_") this.#checkFeatures(row, reportRow);
      const isInRange = row.kind === "word" && range !== undefined && row.id <= range.last;
      if (isInRange && range!.feats === "Typo=Yes" && /(?:^|\|)Typo=/.test(row.feats))
        reportRow("mwt-typo-repeated-at-word", "Typo=Yes at the range alone", quote(row.feats));
      this.#checkRelations(row, byId, reportRow);
      if (level >= 5 && row.lemma !== "_") this.#checkLemmas(row, reportRow);
    }
  }

  #checkSpaces(row: Row, report: ReportRow): void {
    const { spaced } = this.#lists.of(languageOf(row) ?? this.#language);
    for (const word of [row.form, row.lemma]) {
      if (!hasWhiteSpace(word) || spaced?.test(word.replaceAll("\u00a0", " "))) continue;
      report("invalid-word-with-space", `no space, or ${spaced?.source ?? "nothing else"}`, quote(word));
    }
  }

  #checkFeatures({ feats, upos, misc }: Row, report: ReportRow): void {
    for (const feature of feats.split("|")) {
      const [name = "", values = ""] = feature.split("=");
      // The main language says which words are foreign.
      const language = name === "Foreign" ? this.#language : (miscValue(misc, "Lang") ?? this.#language);
      const list = this.#lists.of(language).features.get(name);
      const found = `${quote(feature)} of ${upos}`;
      for (const value of values.split(",")) {
        if (list === undefined) report("feature-unknown", `a feature of ${language}`, found);
        else if (!list.isPermitted) report("feature-not-permitted", `a feature of ${language}`, found);
        else if (!list.values.has(value)) report("feature-value-unknown", joined(list.values), found);
        else if (!list.byTag.has(upos))
          report("feature-upos-not-permitted", joined(list.byTag.keys()), found);
        else if (!list.byTag.get(upos)!.has(value))
          report("feature-value-upos-not-permitted", joined(list.byTag.get(upos)!), found);
      }
    }
  }

  #checkRelations(row: Row, byId: ReadonlyMap<string, Row>, report: ReportRow): void {
    const main = this.#lists.of(this.#language);
    const language = languageOf(row);
    // Within another language, its relations are permitted as well.
    const others = (head: Row | undefined) =>
      language !== undefined && head !== undefined && languageOf(head) === language
        ? this.#lists.of(language)
        : undefined;
    if (row.kind === "word") {
      const other = others(byId.get(`${row.head}`));
      if (!main.relations.has(row.deprel) && !other?.relations.has(row.deprel))
        report("unknown-deprel", `a relation of ${this.#language}`, quote(row.deprel));
    }
    if (row.deps === "_") return;
    for (const item of row.deps.split("|")) {
      const edge = depsEdge(item);
      if (edge === undefined || main.enhancedRelations.has(edge.relation)) continue;
      if (others(byId.get(edge.head))?.enhancedRelations.has(edge.relation)) continue;
      report("unknown-edeprel", `a relation of ${this.#language}`, quote(edge.relation));
    }
  }

  #checkLemmas(row: Row, report: ReportRow): void {
    const language = languageOf(row) ?? this.#language;
    const { auxiliaries, copulas } = this.#lists.of(language);
    if (row.upos === "AUX" && !auxiliaries.has(row.lemma))
      report("aux-lemma", joined(auxiliaries) || `an auxiliary of ${language}`, quote(row.lemma));
    if (isCopula(row) && !copulas.has(row.lemma))
      report("cop-lemma", joined(copulas) || `a copula of ${language}`, quote(row.lemma));
  }
}

function languageOf(row: Row): string | undefined {
  return miscValue(row.misc, "Lang") || undefined;
}

function isCopula(row: Row): row is WordRow {
  return row.kind === "word" && universal(row.deprel) === "cop";
}

function joined(names: Iterable<string>): string {
  return [...names].join(", ");
}
