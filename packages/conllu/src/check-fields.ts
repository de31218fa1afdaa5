import { quote } from "./error.ts";
import { RELATIONS, TAGS } from "./inventory.ts";
import type { Report } from "./rows.ts";
import type { Row, WordRow } from "./types.ts";

const NAMES = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const;
const SPACED: ReadonlySet<string> = new Set(["form", "lemma", "misc"]);
const BAD_SPACING = /^\s|\s$|\s\s/u;
const SURROGATE = /\p{Surrogate}/u;
/** Characters that may be changed by normalization form C: text without them needs no normalization. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/** Checks spacing and Unicode of all columns: level 1. */
export function checkText(row: Row, line: number, report: Report): void {
  for (const name of NAMES) {
    const field = row[name];
    if (field.length < 2) continue;
    if (/\s/u.test(field)) {
      if (!SPACED.has(name)) report("whitespace", line, `no space in ${name.toUpperCase()}`, quote(field));
      else if (BAD_SPACING.test(field))
        report("whitespace", line, "single spaces between words", quote(field));
    }
    if (!MAY_COMPOSE.test(field)) continue;
    if (SURROGATE.test(field)) report("unpaired-surrogate", line, "Unicode text", quote(field));
    else if (field.normalize("NFC") !== field) {
      report("normalization", line, quote(field.normalize("NFC")), quote(field));
    }
  }
}

/** Checks the characters, order and emptiness of all columns but DEPS: level 2. */
export function checkColumnValues(row: Row, line: number, report: Report): void {
  if (row.kind === "range") checkRange(row, line, report);
  if (row.kind === "empty") {
    if (row.deprel !== "_") report("empty-node-columns", line, "_ as DEPREL", quote(row.deprel));
    if (row.deps === "_") report("empty-node-columns", line, "DEPS", "_");
  }
  if (row.upos !== "_" && !/^[A-Z]+$/.test(row.upos)) {
    report("upos-characters", line, "capital letters", quote(row.upos));
  }
  if (row.kind === "word" && row.deprel !== "_" && !/^[a-z]+(?::[a-z]+)?$/.test(row.deprel)) {
    report("deprel-characters", line, "relation or relation:subtype", quote(row.deprel));
  }
  if (row.feats !== "_") checkFeats(row.feats, line, report);
  if (row.misc !== "_") checkMisc(row, line, report);
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
  const names: string[] = [];
  for (const feature of feats.split("|")) {
    const match = FEATURE.exec(feature);
    if (match === null) {
      report("feats-characters", line, "Name=Value or Name=Value,Value", quote(feature));
      continue;
    }
    names.push(match[1]!);
    if (match[2]!.includes(",")) checkSorted(match[2]!.split(","), `values of ${match[1]}`, line, report);
  }
  checkSorted(names, "features", line, report);
}

function checkSorted(items: readonly string[], what: string, line: number, report: Report): void {
  for (let i = 1; i < items.length; i++) {
    const before = items[i - 1]!.toLowerCase();
    const item = items[i]!.toLowerCase();
    if (before <= item) continue;
    report("feats-order", line, `sorted ${what}`, quote(`${items[i - 1]} before ${items[i]}`));
    break;
  }
  if (new Set(items).size === items.length) return;
  report("feats-unique", line, `different ${what}`, quote(items.join(" ")));
}

const SINGLE: ReadonlySet<string> = new Set(["SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId"]);

function checkMisc(row: Row, line: number, report: Report): void {
  const seen = new Set<string>();
  for (const item of row.misc.split("|")) {
    if (item === "") report("misc-characters", line, "text between bars", quote(row.misc));
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    if (seen.has(name)) report("misc-characters", line, `one ${name}`, quote(row.misc));
    if (SINGLE.has(name)) seen.add(name);
    if (name !== "SpaceAfter") continue;
    if (item !== "SpaceAfter=No") report("space-after", line, "SpaceAfter=No", quote(item));
    if (row.kind === "empty") report("space-after", line, "no SpaceAfter at an empty node", quote(item));
  }
}

/** Checks tags and relations against the universal inventories: level 3. */
export function checkInventory(row: Row, line: number, report: Report): void {
  if (row.kind === "range") return;
  const absent = row.kind === "empty" && row.upos === "_";
  if (!absent && !TAGS.has(row.upos)) report("upos-inventory", line, [...TAGS].join(" "), quote(row.upos));
  if (row.kind === "word") checkRelation(row, line, report);
}

const RIGHTWARD: ReadonlySet<string> = new Set(["conj", "appos", "fixed", "flat", "goeswith"]);

function checkRelation(row: WordRow, line: number, report: Report): void {
  const relation = universal(row.deprel);
  if (!RELATIONS.has(relation)) report("deprel-inventory", line, "a universal relation", quote(row.deprel));
  if (RIGHTWARD.has(relation) && row.head > row.id) {
    report("deprel-direction", line, `a head of ${relation} before word ${row.id}`, `${row.head}`);
  }
}

/** Returns a relation without its subtype. */
export function universal(relation: string): string {
  const colon = relation.indexOf(":");
  return colon < 0 ? relation : relation.slice(0, colon);
}
