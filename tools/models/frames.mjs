/**
 * Writes a treebank of frames: sentences of words in which kinds of words are replaced at random. A file of
 * frames, such as `frames/english.txt`, describes its format; it gives the training ways of writing and
 * constructions that treebanks have rarely or never. Lemmas, tags and features come from the treebanks.
 */
import { parseConllu, RULES, sentenceWords, validateText } from "@arcwise/conllu";
import { random } from "@arcwise/core";

/** Sentences per frame that does not say how many. */
const SENTENCES = 8;
/** Occurrences from which a word of the treebanks fills a slot. */
const MIN_COUNT = 4;
/** Share of sentences that begin a paragraph although the sentence before is complete. */
const PARAGRAPHS = 0.3;
const EMOJI = /\p{Extended_Pictographic}|\p{RI}/u;
const COMPLETE = /[.!?'"]$|\p{Extended_Pictographic}/u;

const two = (number) => String(number).padStart(2, "0");

/** Kinds of numbers: how each is drawn. */
const NUMBERS = {
  int: (stream) => String(stream.int(2) === 0 ? 2 + stream.int(19) : 2 + stream.int(900)),
  dec: (stream) => `${stream.int(40)}.${1 + stream.int(9)}${stream.int(2) === 0 ? "" : 5}`,
  big: (stream) => `${1 + stream.int(99)},${String(stream.int(1000)).padStart(3, "0")}`,
  year: (stream) => String(1950 + stream.int(80)),
  twodigits: (stream) => two(stream.int(100)),
  version: (stream) => `${stream.int(9)}.${stream.int(20)}.${stream.int(9)}`,
  score: (stream) => String(stream.int(7)),
  hour: (stream) => String(1 + stream.int(12)),
  daynumber: (stream) => String(1 + stream.int(31)),
  time: (stream) => `${1 + stream.int(12)}:${two(stream.int(60))}`,
  date: (stream) => `${1990 + stream.int(40)}-${two(1 + stream.int(12))}-${two(1 + stream.int(28))}`,
  fraction: (stream) => `${1 + stream.int(3)}/${2 + stream.int(8)}`,
  phone: (stream) => `${200 + stream.int(800)}-${200 + stream.int(800)}-${1000 + stream.int(9000)}`,
  less: (stream) => ["<", ">", "="][stream.int(3)],
};

/**
 * Returns the sentences of frames, in an order drawn by the seed.
 *
 * @param text the file of frames
 * @param treebanks the sentences whose words fill slots
 * @param excluded forms in lower case that do not fill slots
 * @throws Error that names the line of a frame with an unknown slot, or whose tree is not valid
 */
export function framedSentences(text, treebanks, seed, excluded = new Set()) {
  const { lists, frames } = parseFrames(text);
  const words = new TreebankWords(treebanks, excluded);
  const stream = random(seed);
  const drawn = frames.flatMap((frame) =>
    Array.from({ length: frame.count }, () => ({ frame, rows: rowsOf(frame, { lists, words, stream }) })),
  );
  let isAfterComplete = false;
  const blocks = stream.shuffle(drawn).map(({ frame, rows }, s) => {
    const raw = rows.text;
    const isComplete = COMPLETE.test(raw);
    const isNew = !isComplete || !isAfterComplete || stream.next() < PARAGRAPHS;
    isAfterComplete = isComplete;
    const comments = [
      ...(isNew ? ["# newpar"] : []),
      `# sent_id = frame-${frame.line}-${s + 1}`,
      `# text = ${raw}`,
    ];
    const block = `${[...comments, ...rows.lines].join("\n")}\n\n`;
    const problem = [...validateText(block)].find(({ rule, level }) => level < 3 || RULES[rule].searched);
    if (problem) throw new Error(`line ${frame.line}: ${problem.message}\n${block}`);
    return block;
  });
  return parseConllu(blocks.join(""));
}

/** Returns lists by name, and frames with the numbers of their lines. */
function parseFrames(text) {
  const lists = new Map();
  const frames = [];
  for (const [l, line] of text.split("\n").entries()) {
    if (line.startsWith("@")) {
      const [head, ...words] = line.slice(1).split(" ");
      const [name, tags] = head.split("/");
      lists.set(name, { tags: tags.split(","), words: words.map((word) => formsOf(word, tags)) });
    } else if (line !== "" && !line.startsWith("#")) frames.push(parseFrame(line, l + 1));
  }
  return { lists, frames };
}

/** Returns the forms of a word of a list, one per tag of the list. */
function formsOf(word, tags) {
  const forms = tags.includes(",") ? word.split(",") : [word];
  if (forms.length !== tags.split(",").length)
    throw new Error(`expected a form for each of ${tags}, found ${word}`);
  return forms;
}

function parseFrame(line, number) {
  const [, count, rest] = /^(?:\*(\d+) )?(.*)$/.exec(line);
  // A slot may have a space: {VBD obj}.
  const tokens = rest.match(/(?:\{[^}]*\}|[^ {])+/g).map((token) => {
    const match = /^([~+]?)(.+)\/([^/]+)\/(\d+):([a-z:]+)$/.exec(token);
    if (match === null) throw new Error(`line ${number}: expected FORM/XPOS/HEAD:DEPREL, found ${token}`);
    const [, join, form, xpos, head, deprel] = match;
    return { join, form, xpos, head, deprel };
  });
  return { line: number, count: count === undefined ? SENTENCES : Number(count), tokens };
}

/** Returns the lines and the text of a sentence. */
function rowsOf({ tokens, line }, context) {
  const forms = [];
  const lemmas = [];
  for (const { form, xpos } of tokens) {
    const word = filled(form, forms.at(-1), { ...context, line, xpos });
    forms.push(word.form);
    lemmas.push(word.lemma);
  }
  const lines = [];
  let text = "";
  for (let t = 0; t < tokens.length; ) {
    let end = t + 1;
    while (tokens[end]?.join === "+") end++;
    const space = end < tokens.length && tokens[end].join === "~" ? "SpaceAfter=No" : "_";
    const token = forms.slice(t, end).join("");
    text += token + (space === "_" && end < tokens.length ? " " : "");
    if (end - t > 1) lines.push([`${t + 1}-${end}`, token, ..."_______", space].join("\t"));
    for (let w = t; w < end; w++) {
      const { xpos, head, deprel } = tokens[w];
      const { lemma, upos, feats } = context.words.attributes(forms[w], tokens[w], lemmas[w]);
      const misc = end - t > 1 ? "_" : space;
      lines.push([w + 1, forms[w], lemma, upos, xpos, feats, head, deprel, "_", misc].join("\t"));
    }
    t = end;
  }
  return { lines, text };
}

/** Returns a form whose slots are filled, and its lemma if it is a word of a list with forms of several tags. */
function filled(form, before, { lists, words, stream, line, xpos }) {
  let lemma;
  const filledForm = form.replace(/\{([^}]+)\}/g, (_, slot) => {
    if (NUMBERS[slot]) return NUMBERS[slot](stream);
    const lower = slot[0].toLowerCase() + slot.slice(1);
    const isTitle = !lists.has(slot) && (lists.has(lower) || /^[A-Z][a-z]/.test(slot));
    const list = lists.get(slot) ?? lists.get(lower);
    const tag = list === undefined ? 0 : Math.max(0, list.tags.indexOf(xpos));
    const choices = list?.words ?? words.choices(isTitle ? slot.toUpperCase() : slot)?.map((word) => [word]);
    if (choices === undefined || choices.length === 0)
      throw new Error(`line ${line}: no words for {${slot}}`);
    const isAfterA = before?.toLowerCase() === "a";
    const fits = isAfterA ? choices.filter((forms) => !/^[aeiou]/i.test(forms[tag])) : choices;
    const forms = fits[stream.int(fits.length)];
    if (forms.length > 1 && list.tags.includes(xpos)) [lemma] = forms;
    return isTitle ? forms[tag][0].toUpperCase() + forms[tag].slice(1) : forms[tag];
  });
  return { form: filledForm, lemma };
}

/** Returns the lemma of a form that treebanks do not have: the form itself, or none for an inflected one. */
function ownLemma(form, xpos) {
  if (/^(?:NNS|NNPS|VB[DGNZ]|JJ[RS]|RB[RS])$/.test(xpos)) return "_";
  return xpos.startsWith("NNP") ? form : form.toLowerCase();
}

/** Returns keys of a form with a tag: as auxiliary or copula, or as another word (*do* is AUX or VERB), then as any. */
const keysOf = (form, xpos, deprel) => {
  const key = `${form.toLowerCase()}\t${xpos}`;
  return [`${key}\t${/^(?:aux|cop)\b/.test(deprel)}`, key];
};

/** The words of treebanks: what fills slots, and the other columns of a form with a tag. */
class TreebankWords {
  #counts = new Map();
  #slots = new Map();
  #columns = new Map();

  constructor(treebanks, excluded) {
    for (const sentence of treebanks) this.#add(sentenceWords(sentence), sentence);
    for (const [key, count] of this.#counts) {
      const [slot, form] = key.split("\t");
      if (count >= MIN_COUNT && !excluded.has(form))
        this.#slots.set(slot, [...(this.#slots.get(slot) ?? []), form]);
    }
  }

  #add(words, { rows }) {
    const heads = rows.filter(({ kind }) => kind === "word").map(({ head, deprel }) => ({ head, deprel }));
    for (const [w, { form, lemma, upos, xpos, feats }] of words.entries()) {
      if (xpos === undefined || /Typo=Yes/.test(feats ?? "")) continue;
      const columns = [lemma ?? "_", upos ?? "_", feats || "_"].join("\t");
      const [key, anyKey] = keysOf(form, xpos, heads[w].deprel);
      // Each form counts once for its tag: most words that are VBZ are forms of "be", most forms are none.
      if (!this.#columns.has(anyKey))
        this.#count(this.#columns, `\t${xpos}`, ["", upos ?? "_", feats || "_"].join("\t"));
      this.#count(this.#columns, key, columns);
      this.#count(this.#columns, anyKey, columns);
      if (!/^[a-z]{3,}$/.test(form)) continue;
      const add = (slot) =>
        this.#counts.set(`${slot}\t${form}`, (this.#counts.get(`${slot}\t${form}`) ?? 0) + 1);
      add(xpos);
      if (heads.some(({ head, deprel }) => head === w + 1 && deprel === "obj")) add(`${xpos} obj`);
    }
  }

  #count(counts, key, value) {
    const own = counts.get(key) ?? new Map();
    own.set(value, (own.get(value) ?? 0) + 1);
    counts.set(key, own);
  }

  /** Returns the forms of a slot, in the order of their first occurrence; undefined for an unknown slot. */
  choices(slot) {
    return this.#slots.get(slot);
  }

  /** Returns the most frequent columns of a form with a tag, else those of the tag with the lemma of a list. */
  attributes(form, { xpos, deprel }, listed) {
    const key = [...keysOf(form, xpos, deprel), `\t${xpos}`].find((key) => this.#columns.has(key));
    const found = this.#columns.get(key);
    if (found === undefined) throw new Error(`no word has the tag ${xpos}`);
    const [[columns]] = [...found].sort(([, a], [, b]) => b - a);
    const [lemma, upos, feats] = columns.split("\t");
    if (xpos === "NFP" && EMOJI.test(form)) return { lemma: form, upos: "SYM", feats: "_" };
    if (xpos === "CD" && /^[-+]?\d/.test(form)) {
      const type = /\d\.\d|\//.test(form) ? "Frac" : "Card";
      return { lemma: form.replace(/,/g, ""), upos: "NUM", feats: `NumForm=Digit|NumType=${type}` };
    }
    return { lemma: lemma || listed || ownLemma(form, xpos), upos, feats };
  }
}
