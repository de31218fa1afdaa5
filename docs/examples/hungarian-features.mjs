/**
 * Features of whole Hungarian trees: the frames of verbs, the agreement of verbs with their objects,
 * possessors, and what introduces a clause. Universal Dependencies tags and features.
 */

const isVerb = (tree, i) => tree.word(i).upos === "VERB" || tree.word(i).upos === "AUX";
const NOMINAL = new Set(["NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET"]);
const isNominal = (tree, i) => NOMINAL.has(tree.word(i).upos);
const upTo = (count, most) => Math.min(count, most);

/** The nominal modifiers of a word in a case. */
const inCase = (tree, h, value) =>
  tree.modifiers(h).filter((m) => isNominal(tree, m) && tree.feature(m, "Case") === value);

/** Whether a nominal is definite: by its article, as a name, by a possessive ending. */
function definiteness(tree, m) {
  if (tree.word(m).upos === "PROPN" || tree.feature(m, "Number[psor]") !== "") return "Def";
  const article = tree.modifiers(m).find((x) => tree.word(x).upos === "DET");
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
        const subjects = inCase(tree, h, "Nom").length;
        const objects = inCase(tree, h, "Acc").length;
        const form = `${tree.feature(h, "VerbForm")} ${tree.feature(h, "Definite")}`;
        yield `subjects ${upTo(subjects, 3)} ${form}`;
        yield `objects ${upTo(objects, 3)} ${form}`;
        yield `objects ${upTo(objects, 2)} ${tree.word(h).lemma}`;
        yield `both ${upTo(subjects, 2)} ${upTo(objects, 2)} ${form}`;
      },
    },

    /** The cases below a verb, each once, and how often. */
    cases: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isVerb(tree, h)) return;
        const count = new Map();
        for (const m of tree.modifiers(h)) {
          const value = isNominal(tree, m) ? tree.feature(m, "Case") : "";
          if (value !== "") count.set(value, (count.get(value) ?? 0) + 1);
        }
        for (const [value, times] of count) {
          yield `${value} ${upTo(times, 3)}`;
          yield `${value} ${upTo(times, 2)} ${tree.word(h).lemma}`;
        }
      },
    },

    /**
     * The definite conjugation asks for a definite object, which its article shows: a modifier of a modifier.
     */
    conjugation: {
      touched: (tree, _m, old, head) => [old, head, tree.head(old), tree.head(head)].filter((i) => i >= 0),
      *features(tree, h) {
        if (!isVerb(tree, h)) return;
        for (const m of inCase(tree, h, "Acc"))
          yield `${tree.feature(h, "Definite")} ${definiteness(tree, m)}`;
      },
    },

    /** A possessed noun has one possessor, unmarked or with a case; others have none. */
    possession: {
      scope: "modifiers",
      *features(tree, h) {
        if (!isNominal(tree, h)) return;
        const owned = tree.feature(h, "Number[psor]") + tree.feature(h, "Person[psor]");
        const unmarked = inCase(tree, h, "Nom").filter((m) => m < h).length;
        const marked = inCase(tree, h, "Gen").length + inCase(tree, h, "Dat").length;
        yield `${owned} ${upTo(unmarked, 2)} ${upTo(marked, 2)}`;
      },
    },

    /**
     * What introduces a clause, by what it is below: relative pronouns below nouns, conjunctions below verbs.
     */
    clause: {
      scope: "both",
      *features(tree, i) {
        if (!isVerb(tree, i)) return;
        const before = tree.modifiers(i).filter((m) => m < i);
        const relative = before.some((m) => tree.feature(m, "PronType") === "Rel");
        const joined = before
          .filter((m) => /^[SC]CONJ$/.test(tree.word(m).upos))
          .map((m) => tree.word(m).lemma);
        const comma = before.some((m) => tree.word(m).upos === "PUNCT");
        const above = `${tree.word(tree.head(i)).upos} ${tree.head(i) < i ? "left" : "right"}`;
        yield `${above} ${relative} ${joined.length > 0} ${comma}`;
        yield `${above} ${joined[0] ?? ""} ${relative}`;
      },
    },
  },
};
