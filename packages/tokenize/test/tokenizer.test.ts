import { rawText, viewSentence, writeConllu } from "@arcwise/conllu";
import type { TrainingProgress } from "@arcwise/core/training";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { characterKeys, TOKEN_FEATURES, tokenKeys } from "../src/features.ts";
import {
  createTokenizer,
  type TextOptions,
  type TextSession,
  type TokenizedSentence,
  type Tokenizer,
  type TokenizerModel,
  tokenizedSentence,
  trainTokenizer,
} from "../src/index.ts";
import { CharacterReader } from "../src/text/character-reader.ts";
import { LineBlocks } from "../src/text/line-blocks.ts";
import { anyText, chunksOf } from "./generators.ts";
import { sentences, TREEBANK } from "./sentences.ts";
import { trainedTokenizer } from "./trained.ts";

/** Runs of properties, and the length of the longest line: more in a thorough test. */
const THOROUGH = process.env.ARCWISE_THOROUGH !== undefined;
const RUNS = THOROUGH ? 20_000 : 1000;
const LONG_LINE = THOROUGH ? 2 ** 20 : 2 ** 17;

let model: TokenizerModel;
let tokenizer: Tokenizer;

beforeAll(async () => {
  const dev = TREEBANK.slice(0, 50);
  model = await trainedTokenizer(TREEBANK, { epochs: 12, dev });
  tokenizer = createTokenizer(model);
});

/** Tokens between spaces, one sentence a line, multiword tokens with their words. */
function cut(text: string, by = tokenizer, options?: TextOptions): string {
  return by
    .tokenize(text, options)
    .map(({ tokens }) =>
      tokens.map(({ form, words }) => (words.length === 0 ? form : `${form}=${words.join("+")}`)).join(" "),
    )
    .join("\n");
}

describe("a tokeniser that has learned a small treebank", () => {
  test("finds its sentences, tokens and words again", () => {
    const { text } = rawText(TREEBANK);
    const found = tokenizer.tokenize(text).map((sentence, s) => tokenizedSentence(sentence, s + 1));
    const rows = (list: typeof TREEBANK) =>
      list.map((sentence) => sentence.rows.map((row) => `${row.kind} ${row.form}`).join("\n"));
    expect(rows(found)).toEqual(rows(TREEBANK));
    expect(model.description.dev).toEqual({ tokens: 100, sentences: 100, words: 100 });
  });

  test("cuts new sentences", () => {
    expect(cut("My dog can't run! Mr. Bob saw 10 000 cats.\n\nAnn sleeps")).toBe(
      "My dog can't=ca+n't run !\nMr. Bob saw 10 000 cats .\nAnn sleeps",
    );
  });
});

test("sentences in CoNLL-U have ranges, offsets in code points, and their text", () => {
  const [sentence] = tokenizer.tokenize("\u{1f600} \u{1f600} Ann can't sing!");
  expect(writeConllu([tokenizedSentence(sentence!, 7)])).toBe(
    `# newpar
# sent_id = 7
# text = \u{1f600} \u{1f600} Ann can't sing!
${[
  "1 \u{1f600} TokenRange=0:1",
  "2 \u{1f600} TokenRange=2:3",
  "3 Ann TokenRange=4:7",
  "4-5 can't TokenRange=8:13",
  "4 ca _",
  "5 n't _",
  "6 sing SpaceAfter=No|TokenRange=14:18",
  "7 ! TokenRange=18:19",
]
  .map((line) => {
    const [id, form, misc] = line.split(" ");
    return [id, form, "_", "_", "_", "_", "_", "_", "_", misc].join("\t");
  })
  .join("\n")}

`,
  );
});

/** The text between two offsets, with the spaces of forms. */
function slice(points: readonly string[], start: number, end: number): string {
  return points
    .slice(start, end)
    .join("")
    .replace(/[\s\p{Cc}]+/gu, (run) => (/^\p{Zs}$/u.test(run) ? run : " "));
}

/** Returns what is wrong with tokens and their offsets: they reproduce the text, with spaces between them. */
function faults(text: string, found: readonly TokenizedSentence[]): string[] {
  const points = [...text];
  const isSpace = (from: number, end?: number) => /^[\s\p{Cc}]*$/u.test(points.slice(from, end).join(""));
  const wrong: string[] = [];
  let covered = 0;
  for (const { tokens } of found) {
    if (tokens.length === 0) wrong.push("a sentence without tokens");
    for (const { form, start, end, spaceAfter } of tokens) {
      if (start < covered || !isSpace(covered, start)) wrong.push(`${form}: a gap before ${start}`);
      if (slice(points, start, end) !== form) wrong.push(`${form} is not at ${start}:${end}`);
      const isSpaced = end === points.length || isSpace(end, end + 1);
      if (spaceAfter !== isSpaced) wrong.push(`${form}: space after it`);
      covered = end;
    }
  }
  return isSpace(covered) ? wrong : [...wrong, "no token at the end"];
}

describe("any text", () => {
  test("is covered by tokens, whose offsets reproduce it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const found = tokenizer.tokenize(text);
        expect(faults(text, found)).toEqual([]);
        const written = found.map((sentence, s) => tokenizedSentence(sentence, s + 1));
        expect(() => writeConllu(written)).not.toThrow();
      }),
      { numRuns: RUNS },
    );
  });

  test("has offsets in code units in views of its sentences", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const points = Array.from(text);
        for (const [s, sentence] of tokenizer.tokenize(text).entries()) {
          const view = viewSentence(tokenizedSentence(sentence, s + 1));
          expect(view.start).toBe(view.tokens[0]!.start);
          for (const [t, { start, end }] of sentence.tokens.entries()) {
            const token = view.tokens[t]!;
            expect(text.slice(token.start, token.end)).toBe(points.slice(start, end).join(""));
          }
        }
      }),
    );
  });

  test("gives the same sentences in any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(anyText.chain(chunksOf), async (chunks) => {
        const found: TokenizedSentence[] = [];
        for await (const sentence of tokenizer.stream(chunks)) found.push(sentence);
        expect(found).toEqual(tokenizer.tokenize(chunks.join("")));
      }),
    );
  });

  test.each(["", " ", "\n\n\n", "\0\r\n\t\ufeff"])("%j has no sentences", (text) => {
    expect(tokenizer.tokenize(text)).toEqual([]);
  });
});

/** Returns a session that goes on with what another one has read, as a thread does. */
function resumed(session: TextSession): TextSession {
  return tokenizer.session({ rest: structuredClone(session.rest!()) });
}

test("a session that resumes a text after a chunk returns the same sentences", () => {
  fc.assert(
    fc.property(anyText.chain(chunksOf), (chunks) => {
      let session = tokenizer.session();
      const found: TokenizedSentence[] = [];
      for (const chunk of chunks) {
        found.push(...session.push(chunk));
        session = resumed(session);
      }
      expect([...found, ...session.end()]).toEqual(tokenizer.tokenize(chunks.join("")));
    }),
    { numRuns: RUNS / 5 },
  );
});

test.each([null, 5, {}, { characters: null, pairs: 0 }, { characters: { length: 1e12 }, pairs: 0 }])(
  "a session does not resume from %j",
  (rest) => {
    const session = () => tokenizer.session({ rest: rest as never });
    expect(session).toThrow(expect.objectContaining({ code: "invalid-option" }));
  },
);

describe("long texts", () => {
  const words = ["the", "cat", "saw", "10", "birds", "x,y", "don't", "東京", "👍🏽"];
  const line = Array.from({ length: 20_000 }, (_, i) => words[(i * i) % words.length]).join(" ");

  test("a long line without breaks is cut into sentences of bounded length", () => {
    const found = createTokenizer(model, { maxTokens: 200 }).tokenize(line);
    expect(faults(line, found)).toEqual([]);
    expect(Math.max(...found.map(({ tokens }) => tokens.length))).toBeLessThanOrEqual(200);
    expect(found.filter(({ startsParagraph }) => startsParagraph)).toHaveLength(1);
  });

  test.each([false, true])("sentences do not depend on the chunks of a text of several blocks", (moves) => {
    const [first, second] = [line.slice(0, 40_000), line.slice(0, 30_000)];
    const text = `${first}\n\n${second} The cat sleeps. ${line.slice(0, 9_000)}`;
    let session = tokenizer.session();
    const found: TokenizedSentence[] = [];
    for (let at = 0; at < text.length; at += 7_919) {
      found.push(...session.push(text.slice(at, at + 7_919)));
      if (moves) session = resumed(session);
    }
    expect(found.length).toBeGreaterThan(5);
    found.push(...session.end());
    expect(found).toEqual(tokenizer.tokenize(text));
  });

  test("a line of a megabyte is read in bounded memory", async () => {
    const long = line.repeat(Math.ceil(LONG_LINE / line.length)).slice(0, LONG_LINE);
    const before = process.memoryUsage().rss;
    let [largest, end] = [0, 0];
    for await (const { tokens } of tokenizer.stream([long])) {
      expect(tokens[0]!.start).toBeGreaterThanOrEqual(end);
      end = tokens.at(-1)!.end;
      largest = Math.max(largest, process.memoryUsage().rss);
    }
    expect(end).toBe([...long.trimEnd()].length);
    expect(largest - before).toBeLessThan(2 ** 28);
  });

  test("a long text without spaces is cut into tokens of bounded length", () => {
    const text = "東".repeat(40_000);
    const found = tokenizer.tokenize(text);
    expect(faults(text, found)).toEqual([]);
    const lengths = found.flatMap(({ tokens }) => tokens.map(({ form }) => form.length));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1000);
  });
});

test.each(["a", "9", "-", "\u{1f44d}\u{1f3fd}", "e\u0301", "\u4e00"])(
  "texts of powers of two of %j end with their last character",
  (character) => {
    for (let length = 1; length <= 2 ** 12; length *= 2) {
      const found = tokenizer.tokenize(character.repeat(length));
      expect(found.flatMap(({ tokens }) => tokens.map(({ form }) => form)).join("")).toBe(
        character.repeat(length),
      );
    }
  },
);

test("variants that training lacks are read as those that it has", () => {
  expect(cut("The cat can\u2019t sing.")).toBe("The cat can\u2019t=ca+n\u2019t sing .");
});

test("offsets count a byte-order mark", () => {
  const [sentence] = tokenizer.tokenize("\ufeffAnn sleeps.");
  expect(sentence!.tokens.map(({ start, end }) => [start, end])).toEqual([
    [1, 4],
    [5, 11],
    [11, 12],
  ]);
});

describe("rules", () => {
  const text = "Ann saw http://a.org/x?y=1#z! Bob, ann.b!c@d.org :-)";

  test("keep addresses and emoticons whole", () => {
    const forms = tokenizer.tokenize(text).flatMap(({ tokens }) => tokens.map(({ form }) => form));
    expect(forms).toEqual(expect.arrayContaining(["http://a.org/x?y=1#z", "c@d.org", ":-)"]));
  });

  test("give a number of a list to the item after it", () => {
    const list = "The cats\n1. The dog sleeps\n2. Ann sings\n\n(a) Ann\n(b) Bob";
    expect(cut(list).replaceAll(/ ?([.)]) ?/g, "$1 ")).toBe(
      "The cats\n1. The dog sleeps\n2. Ann sings\n( a) Ann\n( b) Bob",
    );
  });

  test("leave no closing mark alone", () => {
    for (const { tokens } of tokenizer.tokenize(
      '\u00ab Ann sleeps! \u00bb Bob sings. \u00bb The cat sings. "',
    ))
      expect(tokens.length).toBeGreaterThan(1);
  });
});

test.each<[boolean | undefined, string]>([
  [true, "Ann\nthe cat\nA dog"],
  [false, "Ann the cat\nA dog"],
  [undefined, "Ann the cat\nA dog"],
])("with lines: %s, a line end is an end of a sentence as it says", (lines, expected) => {
  expect(cut("Ann\nthe cat\n\nA dog", tokenizer, { lines })).toBe(expected);
});

/** Sentences without their offsets. */
const plain = (found: readonly TokenizedSentence[]) =>
  found.map(({ tokens }) => tokens.map(({ form, words, spaceAfter }) => ({ form, words, spaceAfter })));

describe.each([true, false])("what is cut by line ends: %s", (lines) => {
  const separator = lines ? "\n" : "\n\n";
  const endings = /[\n\v\f\r\u0085\u2028\u2029]/g;
  const line = fc.oneof(
    anyText,
    fc.constantFrom(
      "km/h",
      "Ann sings.",
      "1. The cat",
      "2) Bob",
      "- a",
      "of the end.",
      '"Ann',
      'cat"',
      "»Bob",
      "a (b",
      "e.g. it",
    ),
  );

  test("has the same features next to other lines: the first token of a text had others", () => {
    const keysOf = (text: string) => {
      const reader = new CharacterReader();
      reader.push(text);
      reader.end();
      new LineBlocks({ option: lines, isLines: undefined, marked: 0 }).mark(reader, true);
      const ends = Array.from({ length: reader.length }, (_, i) => i + 1);
      return [...tokenKeys(reader, ends).keys, ...characterKeys(reader, true).keys];
    };
    const one = keysOf("km/h");
    const half = (4 * TOKEN_FEATURES.kinds) as number;
    const both = keysOf(`km/h${separator}km/h`);
    expect([...both.slice(half, 2 * half), ...both.slice(-(one.length - half))]).toEqual(one);
  });

  test("does not depend on its neighbours", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (texts) => {
        const parts = texts.map((text) => text.replace(endings, " "));
        const apart = parts.flatMap((one) => plain(tokenizer.tokenize(one)));
        expect(plain(tokenizer.tokenize(parts.join(separator), { lines }))).toEqual(apart);
      }),
    );
  });
});

test("a script without spaces is cut into words as in training", async () => {
  const words = ["猫", "が", "寝る", "犬", "走る", "。", "鳥", "を", "見る"];
  const lines = Array.from({ length: 60 }, (_, i) => {
    const [subject, verb] = [words[[0, 3, 6][i % 3]!], words[[2, 4, 8][(i * 7 + 1) % 3]!]];
    return `${subject}|が|${i % 2 === 0 ? "鳥|を|" : ""}${verb}|。|`;
  });
  const japanese = sentences(lines.join("\n"));
  const own = createTokenizer(await trainedTokenizer(japanese, { epochs: 40 }));
  expect(cut("犬が鳥を見る。猫が寝る。", own)).toBe("犬 が 鳥 を 見る 。\n猫 が 寝る 。");
});

describe("training", () => {
  test.each([
    ["learns from tags and relations where sentences end without marks", "end", false],
    ["does not learn from them where sentences end with marks", "!", true],
  ])("%s", async (_, mark, same) => {
    const unmarked = TREEBANK.slice(0, 20).map((sentence) => ({
      ...sentence,
      rows: sentence.rows.map((row) => (/^[.!?]$/.test(row.form) ? { ...row, form: mark } : row)),
    }));
    const tagged = unmarked.map((sentence) => ({
      ...sentence,
      rows: sentence.rows.map((row) =>
        row.kind === "word" ? { ...row, upos: row.form === mark ? "PUNCT" : "X" } : row,
      ),
    }));
    const [plain, own] = [
      await trainedTokenizer(unmarked, { epochs: 1 }),
      await trainedTokenizer(tagged, { epochs: 1 }),
    ];
    expect(own.tokens.parameters).toHaveLength(plain.tokens.parameters.length);
    if (same) expect(own.tokens.parameters).toEqual(plain.tokens.parameters);
    else expect(own.tokens.parameters).not.toEqual(plain.tokens.parameters);
    expect(own.characters).toEqual(plain.characters);
  });

  test("gives the same model from the same seed, and another one from another", async () => {
    const train = (seed: number) => trainTokenizer(TREEBANK.slice(0, 20), { epochs: 1, seed });
    const [first, second, other] = [await train(1), await train(1), await train(2)];
    expect(second).toEqual(first);
    expect(other.characters.parameters).not.toEqual(first.characters.parameters);
  });

  test("reports its progress", async () => {
    const shown: TrainingProgress[] = [];
    const dev = TREEBANK.slice(0, 5);
    await trainTokenizer(TREEBANK.slice(0, 20), { epochs: 2, dev, onProgress: (at) => shown.push(at) });
    expect(shown.map(({ target, epoch }) => `${target} ${epoch}`)).toHaveLength(4);
    const last = { step: "tokenizer", target: "tokens", epoch: 2, epochs: 2, share: 1 };
    expect(shown.at(-1)).toMatchObject({ ...last, dev: { sentences: expect.any(Number) } });
  });

  test("refuses a treebank without sentences, and options out of range", async () => {
    await expect(trainTokenizer([])).rejects.toThrow("expected sentences to learn from, found none");
    await expect(trainTokenizer(TREEBANK, { epochs: 0 })).rejects.toMatchObject({
      code: "invalid-option",
      at: "epochs",
    });
  });

  test("stops when its signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(trainTokenizer(TREEBANK, { signal })).rejects.toThrow("stopped");
  });
});
