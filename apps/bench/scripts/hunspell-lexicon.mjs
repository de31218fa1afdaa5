/**
 * Writes a dictionary of hunspell whose words have morphological fields as a lexicon in the format of
 * UniMorph, for `arcwise vectors --lexicon`: the words of the dictionary and what its rules of suffixes make
 * of them. Attributes are the fields of parts of speech, inflection and derivation (po, is, ts, ds), cut at
 * underscores. Prefixes, and suffixes on suffixes, are left out.
 *
 * With --beginnings, for languages whose words have too many forms: the words of the dictionary, and other
 * beginnings that several forms of a word have in common, such as csatá- of Hungarian csata; for
 * the setting `vectors.minPrefix` of `arcwise train`.
 *
 * node apps/bench/scripts/hunspell-lexicon.mjs fr.aff fr.dic [--beginnings] > fr.tsv
 */

import { readFileSync } from "node:fs";

const [, , AFF, DIC, KIND] = process.argv;
const ofBeginnings = KIND === "--beginnings";
if (DIC === undefined) throw new Error("expected the .aff and the .dic file of a dictionary");

const decoder = new TextDecoder("utf-8");
const linesOf = (path) => decoder.decode(readFileSync(path)).split(/\r?\n/);

/** Reads the rules of suffixes and what flags and numbers of fields stand for. */
function rulesOf(lines) {
  const rules = new Map();
  const aliases = { AF: [], AM: [] };
  const single = new Map();
  for (const line of lines) {
    const fields = line.trim().split(/\s+/);
    const [kind, first, ...others] = fields;
    // The first line of a table of aliases says how many there are.
    if (kind === "AF" || kind === "AM") aliases[kind].push(line.trim().slice(2).split("#")[0].trim());
    else if (kind === "SFX" && fields.length > 4) {
      const [strip, add, condition, ...morphology] = others;
      const own = rules.get(first) ?? [];
      if (own.length === 0) rules.set(first, own);
      own.push({
        strip: strip === "0" ? "" : strip,
        add: add.split("/")[0].replace(/^0$/, ""),
        // A hyphen stands for itself in hunspell.
        condition: new RegExp(`${condition.replaceAll("-", "\\x2d")}$`, "u"),
        morphology,
      });
    } else if (fields.length === 2) single.set(kind, first);
  }
  return { rules, flags: aliases.AF.slice(1), fields: aliases.AM.slice(1), single };
}

const { rules, flags, fields, single } = rulesOf(linesOf(AFF));

/** Returns the flags of a word: single characters, pairs of them, or numbers. */
function flagsOf(text) {
  const written = flags.length > 0 && /^\d+$/.test(text) ? flags[Number(text) - 1] : text;
  if (single.get("FLAG") === "long") return written.match(/../gu) ?? [];
  return single.get("FLAG") === "num" ? written.split(",") : [...written];
}

/** Returns fields in writing, for which a number may stand. */
function morphologyOf(written) {
  return written.flatMap((field) => {
    return fields.length > 0 && /^\d+$/.test(field)
      ? (fields[Number(field) - 1] ?? "").split(/\s+/)
      : [field];
  });
}

function attributesOf(morphology) {
  const kept = morphology.filter((field) => /^(?:po|is|ts|ds):/.test(field));
  const parts = kept.flatMap((field) => {
    return field
      .slice(3)
      .split("_")
      .filter((part) => part !== "")
      .map((part) => field.slice(0, 3) + part);
  });
  return [...new Set(parts)].sort();
}

/**
 * Yields the forms that rules of suffixes make of a word.
 *
 * @param replacing whether to leave out rules that only add to the word
 */
function* formsOf(word, own, replacing = false) {
  for (const flag of own) {
    for (const rule of rules.get(flag) ?? []) {
      const { strip, add, condition } = rule;
      if (replacing && strip === "") continue;
      if (word.endsWith(strip) && condition.test(word)) {
        yield { rule, form: word.slice(0, word.length - strip.length) + add };
      }
    }
  }
}

/** Returns, for each ending of a word that rules replace, what all the forms without it begin with. */
function commonBeginnings(word, own) {
  const starts = new Map();
  for (const { rule, form } of formsOf(word, own, true)) {
    const start = starts.get(rule.strip);
    starts.set(rule.strip, start === undefined ? form : commonStart(start, form));
  }
  return [...starts.values()].filter((start) => !word.startsWith(start));
}

function commonStart(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

const seen = new Set();
function write(lemma, form, morphology) {
  const attributes = attributesOf(morphology);
  const line = `${lemma}\t${form}\t${attributes.join(";")}\n`;
  if (attributes.length === 0 || seen.has(line)) return;
  seen.add(line);
}

for (const entry of linesOf(DIC).slice(1)) {
  if (entry.trim() === "") continue;
  const [head, ...written] = entry
    .trim()
    .split(/(?<![\t ])[\t ]+(?=\d+$|[a-z]{2}:)/u)
    .flatMap((part) => part.split("\t"));
  const [word, text = ""] = head.split("/");
  const morphology = morphologyOf(written.flatMap((part) => part.split(/\s+/)));
  const lemma = morphology.find((field) => field.startsWith("st:"))?.slice(3) ?? word;
  const own = flagsOf(text);
  if (own.includes(single.get("FORBIDDENWORD"))) continue;
  if (!own.includes(single.get("NEEDAFFIX"))) write(lemma, word, morphology);
  if (ofBeginnings) {
    for (const start of commonBeginnings(word, own)) write(lemma, start, morphology);
    continue;
  }
  for (const { rule, form } of formsOf(word, own)) {
    write(lemma, form, [...morphology, ...morphologyOf(rule.morphology)]);
  }
}
process.stdout.write([...seen].join(""));
