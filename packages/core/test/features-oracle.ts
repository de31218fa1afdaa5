import type { Sentence, Word } from "@arcwise/core";

/**
 * Features as strings, by the tables of the documentation and nothing else: slow, and independent of the
 * codes. Two features are the same exactly when their strings are.
 */
export class FeatureOracle {
  readonly #sentence: Sentence;
  readonly #words: ReadonlySet<string>;
  readonly #lemmas: ReadonlySet<string>;

  constructor(
    sentence: Sentence,
    data: { readonly words: readonly string[]; readonly lemmas: readonly string[] },
  ) {
    this.#sentence = sentence;
    this.#words = new Set(data.words);
    this.#lemmas = new Set(data.lemmas);
  }

  /**
   * What a template of arcs gives for h -> m. Of the head (or modifier) alone: for an arc to the right (or
   * left).
   */
  arc(template: string, h: number, m: number): string[] {
    let found = [h < m ? "right" : "left"];
    const extend = (values: readonly string[]) => {
      found = found.flatMap((text) => values.map((value) => `${text} & ${value}`));
    };
    for (const piece of template.split(" ")) {
      if (piece === "between.upos") extend(this.#tagsBetween(h, m).map((tag) => `between ${tag}`));
      else if (piece.startsWith("count.")) extend([`count ${this.#count(piece.slice(6), h, m)}`]);
      else if (piece === "h.feat") extend(this.#features(h));
      else if (piece === "m.feat") extend(this.#features(m));
      else extend([this.#piece(piece, piece[0] === "h" ? h : m)]);
    }
    return found;
  }

  /**
   * What a template of parts gives for words at the anchors; undefined: a word that is not there, and that is
   * seen by all templates.
   */
  part(
    template: string,
    anchors: readonly string[],
    words: readonly (number | undefined)[],
    directions: number,
  ): string {
    const values = anchors.map((anchor, index) => {
      const word = words[index];
      if (word === undefined) return `${anchor} absent`;
      const pieces = template.split(" ").filter((piece) => piece[0] === anchor);
      return `${anchor} ${pieces.map((piece) => this.#piece(piece, word)).join(" & ")}`;
    });
    return `${directions}: ${values.join(", ")}`;
  }

  #piece(piece: string, word: number): string {
    const [, offset = "0", attribute] = /^[a-z]([+-]\d)?\.(\w+)$/.exec(piece)!;
    return this.#attribute(attribute!, word + Number(offset));
  }

  #attribute(attribute: string, i: number): string {
    if (i < 0) return "before the sentence";
    if (i === 0) return "root";
    if (i > this.#sentence.length) return "after the sentence";
    if (attribute === "marker") return this.#marker(i);
    return `"${attributeOf(this.#sentence[i - 1], attribute, this.#words, this.#lemmas)}"`;
  }

  #marker(i: number): string {
    for (let j = i - 1; j >= Math.max(1, i - 5); j--) {
      const { upos = "" } = this.#sentence[j - 1];
      if (["ADP", "SCONJ", "CCONJ", "PART"].includes(upos)) return this.#attribute("lemma", j);
      if (!["DET", "ADJ", "NUM", "ADV", "PROPN", "NOUN", "PRON", "AUX", "X", "SYM"].includes(upos))
        return "none";
    }
    return "none";
  }

  #features(i: number): string[] {
    if (i === 0) return [];
    const { feats = "" } = this.#sentence[i - 1];
    return feats === "" ? [] : feats.split("|");
  }

  #tagsBetween(a: number, b: number): string[] {
    const between = this.#sentence.slice(Math.min(a, b), Math.max(a, b) - 1);
    return [...new Set(between.map(({ upos = "" }) => upos))];
  }

  #count(kind: string, a: number, b: number): string {
    const tags: Record<string, string[]> = {
      verb: ["VERB", "AUX"],
      noun: ["NOUN", "PROPN", "PRON"],
      punctuation: ["PUNCT"],
      conjunction: ["CCONJ", "SCONJ"],
    };
    const between = this.#sentence.slice(Math.min(a, b), Math.max(a, b) - 1);
    const number = between.filter(({ upos = "" }) => tags[kind].includes(upos)).length;
    return number > 2 ? "more" : String(number);
  }
}

function attributeOf(
  word: Word,
  attribute: string,
  words: ReadonlySet<string>,
  lemmas: ReadonlySet<string>,
): string {
  const lower = word.form.toLowerCase();
  const lemma = word.lemma === undefined || word.lemma === "" ? lower : word.lemma;
  const feats = word.feats === undefined || word.feats === "" ? [] : word.feats.split("|");
  switch (attribute) {
    case "word":
      return words.has(lower) ? lower : "?";
    case "lemma":
      return lemmas.has(lemma) ? lemma : "?";
    case "upos":
      return word.upos ?? "";
    case "xpos":
      return word.xpos === undefined || word.xpos === "" ? (word.upos ?? "") : word.xpos;
    case "feats":
      return feats.join("|");
    case "case":
      return feats.filter((feat) => feat.startsWith("Case=") || feat.startsWith("VerbForm=")).join("|");
    case "prefix":
      return lower.substring(0, 3);
    case "suffix":
      return lower.substring(lower.length - 3);
    case "ending":
      return lower.substring(lower.length - 2);
    case "shape":
      return word.form
        .replace(/\p{Lu}/gu, "\u0001")
        .replace(/\p{L}/gu, "\u0002")
        .replace(/\p{N}/gu, "\u0003")
        .replace(/(.)\1{2,}/gu, "$1$1");
    default:
      throw new Error(`no attribute ${attribute}`);
  }
}

const FORMS = [
  "The",
  "dog",
  "Dogs",
  "barked",
  "in",
  "of",
  "that",
  "U.S.",
  "1990s",
  "and",
  ",",
  "e-mail",
  "NATO",
  "rare",
];
const TAGS = ["DET", "NOUN", "VERB", "ADP", "SCONJ", "PUNCT", "CCONJ", "ADJ", "PRON", "AUX"];
const FEATS = [
  "",
  "Case=Nom",
  "Case=Acc|Number=Sing",
  "Number=Plur|VerbForm=Fin",
  "Case=Nom|Gender=Fem|Number=Sing",
];

/** A sentence of words that repeat, some with a lemma or a fine tag and some without. */
export function randomSentence(int: (bound: number) => number, n: number): Sentence {
  return Array.from({ length: n }, () => {
    const form = FORMS[int(FORMS.length)];
    const feats = FEATS[int(FEATS.length)];
    return {
      form,
      upos: TAGS[int(TAGS.length)],
      ...(int(3) > 0 && { lemma: int(8) === 0 ? "" : form.toLowerCase().replace(/s$/, "") }),
      ...(int(2) > 0 && { xpos: ["", "X1", "X2"][int(3)] }),
      ...(feats !== "" && { feats }),
    };
  });
}
