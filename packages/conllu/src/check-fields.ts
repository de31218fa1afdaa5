import { normalizeText } from "@arcwise/core";
import { quote } from "./error.ts";
import { RELATIONS, TAGS } from "./inventory.ts";
import { universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { RuleName } from "./rules.ts";
import type { Row } from "./types.ts";
import { trimmedEnd, trimmedStart } from "./white-space.ts";

const NAMES = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const;
const SPACED: ReadonlySet<string> = new Set(["form", "lemma", "misc"]);
const SPACE = /\p{White_Space}/u;
/** Rules on the place of white space in a column, and whether a column breaks them. */
const SPACING: readonly (readonly [RuleName, (field: string) => boolean])[] = [
  ["leading-whitespace", (field) => trimmedStart(field) !== field],
  ["trailing-whitespace", (field) => trimmedEnd(field) !== field],
  ["repeated-whitespace", (field) => /\p{White_Space}{2}/u.test(field)],
];
const SURROGATE = /\p{Surrogate}/u;
/** Characters that may be changed by normalization form C: text without them needs no normalization. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/** Checks spacing of all columns: level 1. */
export function checkSpacing(row: Row, line: number, report: Report): void {
  for (const name of NAMES) {
    const field = row[name];
    if (field === "_") continue;
    const complain = (rule: RuleName, expected: string) => report(rule, line, expected, quote(field));
    const isSpaced = SPACE.test(field);
    const isRangeText = row.kind === "range" && (name === "form" || name === "lemma");
    if (isSpaced && isRangeText) complain("invalid-whitespace-mwt", `no space in ${name.toUpperCase()}`);
    else if (isSpaced && !SPACED.has(name))
      complain("invalid-whitespace", `no space in ${name.toUpperCase()}`);
    else for (const [rule, breaks] of SPACING) if (breaks(field)) complain(rule, "single spaces inside");
  }
}

/** Checks that a line is in Unicode normalization form C: level 1. */
export function checkUnicode(text: string, line: number, report: Report): void {
  if (!MAY_COMPOSE.test(text)) return;
  for (const column of text.split("\t")) {
    const normal = normalizeText(column);
    if (SURROGATE.test(column)) report("unpaired-surrogate", line, "Unicode text", quote(column));
    else if (normal === column) continue;
    else report("unicode-normalization", line, quote(normal), quote(column));
    return;
  }
}

/** Checks the values of all columns but DEPS: level 2. */
export function checkColumnValues(row: Row, line: number, report: Report): void {
  if (row.kind === "range") checkRange(row, line, report);
  if (row.kind === "empty" && row.deprel !== "_")
    report("empty-node-nonempty-field", line, "_ as DEPREL", quote(row.deprel));
  if (row.kind !== "range") checkTag(row, line, report);
  if (row.kind === "word") checkRelation(row.deprel, line, report);
  if (row.kind !== "range" && row.feats !== "_") checkFeats(row.feats, line, report);
  if (row.misc !== "_") checkMisc(row.misc, line, report);
}

function checkTag(row: Row, line: number, report: Report): void {
  if (TAGS.has(row.upos) || (row.kind === "empty" && row.upos === "_")) return;
  report("unknown-upos", line, [...TAGS].join(" "), quote(row.upos));
}

function checkRelation(deprel: string, line: number, report: Report): void {
  if (!/^[a-z]+(?::[a-z]+)?$/.test(deprel)) {
    report("invalid-deprel", line, "relation or relation:subtype", quote(deprel));
  } else if (!RELATIONS.has(universal(deprel))) {
    report("unknown-udeprel", line, "a universal relation", quote(deprel));
  }
}

function checkRange(row: Row, line: number, report: Report): void {
  for (const name of ["lemma", "upos", "xpos", "deprel", "deps"] as const) {
    if (row[name] !== "_") report("mwt-nonempty-field", line, `_ as ${name.toUpperCase()}`, quote(row[name]));
  }
  if (row.feats !== "_" && row.feats !== "Typo=Yes") {
    report("mwt-nonempty-field", line, "_ or Typo=Yes as FEATS", quote(row.feats));
  }
}

const FEATURE = /^([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=([A-Z0-9][A-Za-z0-9]*(?:,[A-Z0-9][A-Za-z0-9]*)*)$/;

function checkFeats(feats: string, line: number, report: Report): void {
  const features = feats.split("|");
  const names: string[] = [];
  for (const feature of features) {
    const [, name = feature, text = ""] = FEATURE.exec(feature) ?? [];
    if (text === "") report("invalid-feature", line, "Name=Value or Name=Value,Value", quote(feature));
    names.push(name);
    if (!text.includes(",")) continue;
    const values = text.split(",");
    checkSorted("unsorted-feature-values", values, line, report);
    checkDistinct("repeated-feature-value", values, line, report);
  }
  checkSorted("unsorted-features", features, line, report);
  checkDistinct("repeated-feature", names, line, report);
}

function checkSorted(rule: RuleName, items: readonly string[], line: number, report: Report): void {
  for (let i = 1; i < items.length; i++) {
    const before = items[i - 1]!.toLowerCase();
    const item = items[i]!.toLowerCase();
    if (before <= item) continue;
    report(rule, line, "ascending order", quote(`${items[i - 1]} before ${items[i]}`));
    break;
  }
}

function checkDistinct(rule: RuleName, items: readonly string[], line: number, report: Report): void {
  if (new Set(items).size === items.length) return;
  report(rule, line, "different ones", quote(items.join(" ")));
}

/** Attributes that have one value. */
const SINGLE = "SpaceAfter Lang Translit LTranslit Gloss LId LDeriv Ref".split(" ");
const SINGLE_IN_LOWER_CASE: ReadonlySet<string> = new Set(SINGLE.map((name) => name.toLowerCase()));

function checkMisc(misc: string, line: number, report: Report): void {
  const seen = new Map<string, number>();
  for (const item of misc.split("|")) {
    const equals = item.indexOf("=");
    const [name, value] = equals < 0 ? [item, ""] : [item.slice(0, equals), item.slice(equals + 1)];
    if (name === "") report(equals < 0 ? "empty-misc" : "empty-misc-key", line, "Name=Value", quote(item));
    if ([name, value].some((text) => trimmedEnd(trimmedStart(text)) !== text))
      report("misc-extra-space", line, "no space around names and values", quote(item));
    if (SINGLE.includes(name)) seen.set(name, (seen.get(name) ?? 0) + 1);
    else if (SINGLE_IN_LOWER_CASE.has(trimmedEnd(trimmedStart(name)).toLowerCase()))
      report("misc-attr-typo", line, SINGLE.join(", "), quote(name));
  }
  for (const [name, count] of seen) if (count > 1) report("repeated-misc", line, `one ${name}`, quote(misc));
}
