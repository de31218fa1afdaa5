/**
 * Makes a lexicon of English forms and their lemmas from WordNet: base forms, the irregular forms of its lists of
 * exceptions, and the regular forms of base forms.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAST = /^(?!.*(?:ing|s)$)/;

/** Files of parts of speech, with their universal tags. */
const PARTS = { noun: "NOUN", verb: "VERB", adj: "ADJ" };

/** Forms of verbs and nouns: their features, what irregular forms of the kind end with, and the regular form. */
const FORMS = {
  NOUN: [["Number=Plur", /./, (base) => withS(base)]],
  VERB: [
    ["Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", /s$/, (base) => withS(base, /[^aeiou]o$/)],
    ["Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", PAST, (base) => withVowel(base, "ed")],
    ["Tense=Past|VerbForm=Part", PAST, (base) => withVowel(base, "ed")],
    ["VerbForm=Ger", /ing$/, withIng],
  ],
  // Only the irregular ones: few adjectives have regular forms of degrees.
  ADJ: [
    ["Degree=Cmp", /r$/],
    ["Degree=Sup", /t$/],
  ],
};
const BASE_FEATS = { NOUN: "Number=Sing", VERB: "VerbForm=Inf", ADJ: "Degree=Pos" };

/**
 * Returns the lexicon as CoNLL-U: a sentence per lemma, with its forms.
 *
 * @param folder the folder `dict` of WordNet
 */
export function wordnetLexicon(folder) {
  return Object.entries(PARTS).flatMap(([part, upos]) => {
    const irregular = exceptionsOf(join(folder, `${part}.exc`));
    const written = formsOfSynsets(join(folder, `data.${part}`));
    return basesOf(join(folder, `index.${part}`), irregular)
      .filter((lemma) => written.has(lemma))
      .map((lemma) => sentenceOf(formsOf(lemma, upos, irregular.get(lemma) ?? []), lemma, upos));
  });
}

const WORD = /^[a-z]{2,}$/;
const linesOf = (file) => readFileSync(file, "latin1").split("\n");

/** Returns the base forms of an index that texts of WordNet have, all verbs, and those with irregular forms. */
function basesOf(file, irregular) {
  return linesOf(file).flatMap((line) => {
    const [lemma, part, , pointers, ...rest] = line.split(" ");
    // After the pointers come the number of senses, and the number of senses that its tagged texts have.
    const isFrequent = Number(rest[Number(pointers) + 1]) > 0;
    return WORD.test(lemma) && (isFrequent || part === "v" || irregular.has(lemma)) ? [lemma] : [];
  });
}

/** Returns words as sets of synonyms write them: indices have no capitals, so that names look like other words there. */
function formsOfSynsets(file) {
  return new Set(
    linesOf(file).flatMap((line) => {
      const [, , , count, ...words] = line.split(" ");
      return words.slice(0, 2 * Number.parseInt(count, 16)).map((word) => word.replace(/\(.*/, ""));
    }),
  );
}

/** Returns irregular forms by their base forms. */
function exceptionsOf(file) {
  const byBase = new Map();
  for (const line of linesOf(file)) {
    const [form, ...bases] = line.trim().split(" ");
    for (const base of bases) if (WORD.test(form)) byBase.set(base, [...(byBase.get(base) ?? []), form]);
  }
  return byBase;
}

/** Returns the forms of a base form with their features; irregular forms replace the regular one. */
function formsOf(lemma, upos, irregular) {
  return [
    [lemma, BASE_FEATS[upos]],
    ...FORMS[upos].flatMap(([feats, ending, inflect]) => {
      const own = irregular.filter((form) => ending.test(form));
      const forms = own.length > 0 || inflect === undefined ? own : [inflect(lemma)];
      return forms.map((form) => [form, feats]);
    }),
  ];
}

function withS(base, more = /^$/) {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`;
  return `${base}${/(?:[sxz]|[cs]h)$/.test(base) || more.test(base) ? "es" : "s"}`;
}

function withIng(base) {
  if (/ie$/.test(base)) return `${base.slice(0, -2)}ying`;
  return /[^eoy]e$/.test(base) ? `${base.slice(0, -1)}ing` : `${base}ing`;
}

function withVowel(base, ending) {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}i${ending}`;
  return base + (base.endsWith("e") ? ending.slice(1) : ending);
}

function sentenceOf(forms, lemma, upos) {
  const rows = forms.map(([form, feats], i) =>
    [i + 1, form, lemma, upos, "_", feats, "_", "_", "_", "_"].join("\t"),
  );
  return `# text = ${forms.map(([form]) => form).join(" ")}\n${rows.join("\n")}\n\n`;
}
