/**
 * Features of whole Hungarian trees: frames of verbs, agreement of verbs with their objects, possessors,
 * noun phrases, coordination, and where punctuation and conjunctions are attached. They read universal tags
 * and features.
 */

const NOMINAL = new Set(["NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET"]);
const tag = (tree, i) => tree.word(i).upos;
const isVerb = (tree, i) => tag(tree, i) === "VERB" || tag(tree, i) === "AUX";
const isNominal = (tree, i) => NOMINAL.has(tag(tree, i));
const direction = (from, to) => (from < to ? "right" : "left");

/** A word's tag with its case or form of verb: what conjuncts share. */
const category = (tree, i) => `${tag(tree, i)} ${tree.feature(i, "Case")} ${tree.feature(i, "VerbForm")}`;

/** The nominal modifiers of a word in a case. */
const inCase = (tree, h, value) =>
  tree.modifiers(h).filter((m) => isNominal(tree, m) && tree.feature(m, "Case") === value);

/** The words whose features can differ when the features of a word depend on its head and the head of its head. */
const withModifiers = (tree, m) => [m, ...tree.modifiers(m)];

/** Whether a nominal is definite: by its article, as a name, by a possessive ending. */
function definiteness(tree, m) {
  if (tag(tree, m) === "PROPN" || tree.feature(m, "Number[psor]") !== "") return "Def";
  const article = tree.modifiers(m).find((x) => tag(tree, x) === "DET");
  return article === undefined ? "none" : tree.feature(article, "Definite") || "other";
}

export default {
  name: "hungarian",
  features: {
    /** How many subjects and objects a verb has: a second one is rarely right. */
    frame: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isVerb(tree, h)) return;
        const subjects = Math.min(inCase(tree, h, "Nom").length, 3);
        const objects = Math.min(inCase(tree, h, "Acc").length, 2);
        const form = `${tree.feature(h, "VerbForm")} ${tree.feature(h, "Definite")}`;
        yield `subjects ${subjects} ${form}`;
        yield `objects ${objects} ${form}`;
        yield `objects ${objects} ${tree.word(h).lemma}`;
      },
    },

    /** The cases below a verb or participle, each once, and how often. */
    cases: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isVerb(tree, h) && tree.feature(h, "VerbForm") === "") return;
        const count = new Map();
        for (const m of tree.modifiers(h)) {
          const value = isNominal(tree, m) ? tree.feature(m, "Case") : "";
          if (value !== "") count.set(value, (count.get(value) ?? 0) + 1);
        }
        for (const [value, times] of count) {
          yield `${value} ${Math.min(times, 3)} ${tree.feature(h, "VerbForm")}`;
          yield `${value} ${Math.min(times, 2)} ${tree.word(h).lemma}`;
        }
      },
    },

    /** A verb in the definite conjugation has a definite object, which its article shows. */
    conjugation: {
      touched: (tree, _m, old, head) => [old, head, tree.head(old), tree.head(head)].filter((i) => i >= 0),
      *features(tree, h) {
        if (!isVerb(tree, h)) return;
        for (const m of inCase(tree, h, "Acc"))
          yield `${tree.feature(h, "Definite")} ${definiteness(tree, m)}`;
      },
    },

    /** A possessed noun has one possessor, unmarked or with a case; other nouns lack a possessor. */
    possession: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isNominal(tree, h)) return;
        const possessed = tree.feature(h, "Number[psor]") + tree.feature(h, "Person[psor]");
        const nouns = inCase(tree, h, "Nom").filter((m) => m < h && /^(NOUN|PROPN|PRON)$/.test(tag(tree, m)));
        const marked = inCase(tree, h, "Gen").length + inCase(tree, h, "Dat").length;
        yield `${possessed} ${Math.min(nouns.length, 2)} ${Math.min(marked, 2)}`;
      },
    },

    /** The order of determiners, adjectives and nouns before a noun: an article comes first, and once. */
    phrase: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isNominal(tree, h)) return;
        const before = tree.modifiers(h).filter((m) => m < h && tag(tree, m) !== "PUNCT");
        const tags = before.map((m) => tag(tree, m)).filter((one, k, all) => one !== all[k - 1]);
        const articles = before.filter((m) => tag(tree, m) === "DET").length;
        const possessed = tree.feature(h, "Number[psor]") !== "";
        yield `${tag(tree, h)} ${tags.join(" ")}`;
        yield `articles ${Math.min(articles, 2)} ${tag(tree, before[0] ?? h)} ${tag(tree, h)} ${possessed}`;
      },
    },

    /** What introduces a clause: relative pronouns below nouns, conjunctions below verbs. */
    clause: {
      scope: "both",
      *features(tree, i) {
        if (!isVerb(tree, i)) return;
        const before = tree.modifiers(i).filter((m) => m < i);
        const relative = before.some((m) => tree.feature(m, "PronType") === "Rel");
        const joined = before.filter((m) => /^[SC]CONJ$/.test(tag(tree, m))).map((m) => tree.word(m).lemma);
        const comma = before.some((m) => tag(tree, m) === "PUNCT");
        const above = `${tag(tree, tree.head(i))} ${direction(tree.head(i), i)}`;
        yield `${above} ${relative} ${joined.length > 0} ${comma}`;
        yield `${above} ${joined[0] ?? ""} ${relative}`;
        yield `${above} ${tree.feature(i, "VerbForm")} ${tree.feature(i, "Mood")} ${joined[0] ?? ""}`;
      },
    },

    /** Conjuncts, shown by a conjunction or comma before the second, are of one category. */
    coordination: {
      scope: "both",
      *features(tree, i) {
        const h = tree.head(i);
        if (h <= 0 || h > i) return;
        const joiners = tree.modifiers(i).filter((m) => m < i && /^(CCONJ|PUNCT)$/.test(tag(tree, m)));
        if (joiners.length === 0) return;
        const joiner = joiners.map((m) => tree.word(m).lemma).join(" ");
        const same = category(tree, h) === category(tree, i);
        const distant = i - h > 4;
        yield `${same} ${tag(tree, h)} ${tag(tree, i)} ${joiner}`;
        yield `${category(tree, h)} ${category(tree, i)}`;
        yield `${same} ${tag(tree, i)} ${distant} ${tree.feature(h, "Number") === tree.feature(i, "Number")}`;
      },
    },

    /** A noun has its conjuncts behind it: how many, and with how many conjunctions. */
    conjuncts: {
      scope: "modifiers",
      *features(tree, h) {
        const behind = tree.modifiers(h).filter((m) => m > h && tag(tree, m) !== "PUNCT");
        const alike = behind.filter((m) => category(tree, m) === category(tree, h)).length;
        if (behind.length === 0 || isVerb(tree, h)) return;
        yield `${tag(tree, h)} ${Math.min(alike, 3)} ${Math.min(behind.length - alike, 3)}`;
        yield `${category(tree, h)} ${tag(tree, behind[0])} ${tag(tree, behind.at(-1))}`;
      },
    },

    /** Punctuation and conjunctions depend on a word whose own head is on their other side, or the root. */
    joints: {
      touched: withModifiers,
      *features(tree, m) {
        const kind = tag(tree, m);
        if (kind !== "PUNCT" && kind !== "CCONJ" && kind !== "SCONJ") return;
        const { lemma } = tree.word(m);
        const h = tree.head(m);
        const g = tree.head(h);
        const order = g < 0 ? "root" : `${direction(g, h)} ${direction(h, m)} ${direction(g, m)}`;
        const place = m === tree.n ? "last" : m === 1 ? "first" : "inside";
        yield `${lemma} ${place} ${g === 0 ? "root" : order}`;
        yield `${lemma} ${order} ${tag(tree, h)} ${g > 0 ? tag(tree, g) : "root"}`;
        yield `${lemma} ${order} ${tag(tree, h)} ${tag(tree, m + 1 > tree.n ? 0 : m + 1)}`;
      },
    },
  },
};
