import { normalizeText } from "@arcwise/core";
import { quote } from "./error.ts";
import { RELATIONS, TAGS } from "./inventory.ts";
import { universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { Row } from "./types.ts";

const NAMES = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const;
const SPACED: ReadonlySet<string> = new Set(["form", "lemma", "misc"]);
const SPACED_IN_RANGES: ReadonlySet<string> = new Set(["misc"]);
const SPACE = /\p{White_Space}/u;
const BAD_SPACING = /^\p{White_Space}|\p{White_Space}$|\p{White_Space}{2}/u;
const SURROGATE = /\p{Surrogate}/u;
/** Characters that may be changed by normalization form C: text without them needs no normalization. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/** Checks spacing and Unicode of all columns: level 1. */
export function checkText(row: Row, line: number, report: Report): void {
  const spaced = row.kind === "range" ? SPACED_IN_RANGES : SPACED;
  for (const name of NAMES) {
    const field = row[name];
    if (field === "_") continue;
    if (BAD_SPACING.test(field)) report("whitespace", line, "single spaces between words", quote(field));
    else if (!spaced.has(name) && SPACE.test(field))
      report("whitespace", line, `no space in ${name.toUpperCase()}`, quote(field));
    checkUnicode(field, line, report);
  }
}

/** Checks that a text is in Unicode normalization form C: level 1. */
export function checkUnicode(text: string, line: number, report: Report): void {
  if (!MAY_COMPOSE.test(text)) return;
  if (SURROGATE.test(text)) report("unpaired-surrogate", line, "Unicode text", quote(text));
  else {
    const normal = normalizeText(text);
    if (normal !== text) report("normalization", line, quote(normal), quote(text));
  }
}

/** Checks the values of all columns but DEPS: level 2. */
export function checkColumnValues(row: Row, line: number, report: Report): void {
  if (row.kind === "range") checkRange(row, line, report);
  if (row.kind === "empty") {
    if (row.deprel !== "_") report("empty-node-columns", line, "_ as DEPREL", quote(row.deprel));
    if (row.deps === "_") report("empty-node-columns", line, "DEPS", "_");
  }
  if (row.kind !== "range") checkTag(row, line, report);
  if (row.kind === "word") checkRelation(row.deprel, line, report);
  if (row.feats !== "_") checkFeats(row.feats, line, report);
  if (row.misc !== "_") checkMisc(row.misc, line, report);
}

function checkTag(row: Row, line: number, report: Report): void {
  if (TAGS.has(row.upos) || (row.kind === "empty" && row.upos === "_")) return;
  report("upos-inventory", line, [...TAGS].join(" "), quote(row.upos));
}

function checkRelation(deprel: string, line: number, report: Report): void {
  if (!/^[a-z]+(?::[a-z]+)?$/.test(deprel)) {
    report("deprel-characters", line, "relation or relation:subtype", quote(deprel));
  } else if (!RELATIONS.has(universal(deprel))) {
    report("deprel-inventory", line, "a universal relation", quote(deprel));
  }
}

function checkRange(row: Row, line: number, report: Report): void {
  for (const name of ["lemma", "upos", "xpos", "deprel", "deps"] as const) {
    if (row[name] !== "_") report("range-columns", line, `_ as ${name.toUpperCase()}`, quote(row[name]));
  }
  if (row.feats !== "_" && row.feats !== "Typo=Yes") {
    report("range-columns", line, "_ or Typo=Yes as FEATS", quote(row.feats));
  }
}

const FEATURE = /^([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=([A-Z0-9][A-Za-z0-9]*(?:,[A-Z0-9][A-Za-z0-9]*)*)$/;

function checkFeats(feats: string, line: number, report: Report): void {
  const features = feats.split("|");
  const names: string[] = [];
  for (const feature of features) {
    const [, name = feature, text = ""] = FEATURE.exec(feature) ?? [];
    if (text === "") report("feats-characters", line, "Name=Value or Name=Value,Value", quote(feature));
    names.push(name);
    if (!text.includes(",")) continue;
    const values = text.split(",");
    checkSorted(values, `values of ${name}`, line, report);
    checkDistinct(values, `values of ${name}`, line, report);
  }
  checkSorted(features, "features", line, report);
  checkDistinct(names, "features", line, report);
}

function checkSorted(items: readonly string[], what: string, line: number, report: Report): void {
  for (let i = 1; i < items.length; i++) {
    const before = items[i - 1]!.toLowerCase();
    const item = items[i]!.toLowerCase();
    if (before <= item) continue;
    report("feats-order", line, `sorted ${what}`, quote(`${items[i - 1]} before ${items[i]}`));
    break;
  }
}

function checkDistinct(items: readonly string[], what: string, line: number, report: Report): void {
  if (new Set(items).size === items.length) return;
  report("feats-unique", line, `different ${what}`, quote(items.join(" ")));
}

const SINGLE: ReadonlySet<string> = new Set(
  "SpaceAfter Lang Translit LTranslit Gloss LId LDeriv Ref".split(" "),
);

function checkMisc(misc: string, line: number, report: Report): void {
  const seen = new Set<string>();
  for (const item of misc.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    if (seen.has(name)) report("misc-characters", line, `one ${name}`, quote(misc));
    if (SINGLE.has(name)) seen.add(name);
  }
}
