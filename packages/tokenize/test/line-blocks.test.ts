import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { countLines, createTokenizer, type Tokenizer } from "../src/index.ts";
import type { LineCounts } from "../src/text/line-blocks.ts";
import { chunksOf } from "./generators.ts";
import { TREEBANK } from "./sentences.ts";
import { trainedTokenizer } from "./trained.ts";

function counted(chunks: readonly string[]): LineCounts {
  const counter = countLines();
  for (const chunk of chunks) counter.push(chunk);
  return counter.end();
}

const HEADLINES = `Scientists find evidence of ancient water on Mars
Florida man arrested after high-speed chase
Stocks slide as oil prices rise
Storm threat kills plans for outdoor concert
City council approves new budget
Could this be the end of the office?`;

const CHAT = `hey, are you coming tonight
yeah around 8
great
do you need a ride?
no thanks 😊
ok see you`;

const WRAPPED = `The school had been closed for several years when the council of
Oxford decided that it would be sold to a company from the north of
England, which wanted to build flats. Nobody was asked, and when the
people of the street heard of it they wrote a letter. It was printed.`;

const GERMAN = `Nach langen Beratungen hat der Rat der Stadt am späten Abend den
Haushalt des kommenden Jahres beschlossen. Die Fraktionen von CDU und
SPD stimmten für den Entwurf der Verwaltung, während die Grünen ihre
Änderungen nicht durchsetzen konnten. Der Bürgermeister dankte dem
Kämmerer für seine Arbeit`;

/* Texts, and how many lines end sentences because of their form, of which how many end without a final mark. */
describe("recognises", () => {
  test.each<[string, string, lines: number, open: number]>([
    ["headlines", HEADLINES, 6, 5],
    ["headlines in capitals", HEADLINES.toUpperCase(), 6, 5],
    ["Windows line ends", HEADLINES.replaceAll("\n", "\r\n"), 6, 5],
    ["a chat in small letters", CHAT, 6, 4],
    ["a chat with names", "Ann: hi there\nBob: hello Ann\nAnn: lunch?", 3, 2],
    ["subject lines", "Re: Budget 2026\nFwd: Minutes of Monday\nYour invoice 4711", 3, 3],
    ["a shopping list", "Milk\nBread\nTwo apples\nButter", 4, 4],
    ["a title above a paragraph on one line", "The end of the road\nDogs bark. Cats sleep in the sun.", 2, 1],
    ["Russian headlines", "Совет принял бюджет города\nВ Москве выпал снег\nЦены на нефть растут", 3, 3],
    ["Chinese headlines", "市议会通过预算\n莫斯科下雪了\n油价上涨\n股市下跌", 4, 4],
    ["headlines after wrapped prose", `${WRAPPED}\n\n${HEADLINES}`, 6, 5],
    ["many headlines", Array.from({ length: 500 }, () => HEADLINES).join("\n"), 3000, 2500],
  ])("%s", (_what, text, lines, open) => {
    expect(counted([text])).toEqual({ lines, open });
  });

  test.each([
    ["nothing", ""],
    ["one line", "Dogs bark"],
    ["sentences with final marks", "Dogs bark.\nCats sleep.\nDo birds sing?"],
    ["wrapped prose", WRAPPED],
    ["wrapped German prose", GERMAN],
    ["wrapped prose with a long address", WRAPPED.replace("people", `${"https://example.org/".repeat(6)}`)],
    ["wrapped prose after a table of contents", `The first part\nThe second part\n\n${WRAPPED}`, 2],
    [
      "wrapped Chinese prose",
      "市议会在长时间的讨论之后于昨天晚上通过了\n明年的预算草案市长感谢了所有参加讨论的人\n并且希望大家继续努力",
    ],
    ["a hyphen at the end of a line", "They spoke of the infor-\nMation age"],
    ["a greeting", "Dear Ann,\nThanks for the letter"],
    [
      "verse with commas",
      "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\nCould frame",
    ],
    ["verse that goes on", "The fog comes\non little cat feet\nand then moves on"],
  ])("no lines in %s", (_what, text, lines = 0) => {
    expect(counted([text as string]).lines).toBe(lines);
  });
});

/** Greedy wrapping, as editors and mail programs wrap. */
function wrapped(words: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join("\n");
}

const letters = (of: string) => fc.string({ unit: fc.constantFrom(...of), minLength: 1, maxLength: 9 });
const word = fc.oneof(
  { weight: 8, arbitrary: letters("abcdeé") },
  { weight: 1, arbitrary: letters("ABCDE").map((text) => `${text},`) },
  { weight: 1, arbitrary: letters("ABCDE") },
);

test("no text wrapped at 40 columns or more is cut at its line ends", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), fc.integer({ min: 40, max: 120 }), (words, width) => {
      expect(counted([wrapped(words, width)]).lines).toBe(0);
    }),
  );
});

describe("a text of lines", () => {
  const line = fc.constantFrom(
    "Ann sings",
    "the cat",
    "A dog.",
    "Bob ran,",
    "1 cat",
    "e\u0301t\u00e9",
    "👍🏽",
    "",
  );
  const text = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n", "\n\n", " ")), { maxLength: 40 })
    .map((lines) => lines.flat().join(""));
  let tokenizer: Tokenizer;

  beforeAll(async () => {
    tokenizer = createTokenizer(await trainedTokenizer(TREEBANK, { epochs: 2 }));
  });

  test("is read alike in any chunks", () => {
    fc.assert(
      fc.property(text.chain(chunksOf), (chunks) => {
        const whole = chunks.join("");
        expect(counted(chunks)).toEqual(counted([whole]));
        let session = tokenizer.session();
        const found = chunks.flatMap((chunk) => {
          const sentences = session.push(chunk);
          session = tokenizer.session({ rest: structuredClone(session.rest!()) });
          return sentences;
        });
        expect([...found, ...session.end()]).toEqual(tokenizer.tokenize(whole));
      }),
    );
  });

  test("that is recognised is cut as with lines: true, and another one as with lines: false", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const block = lines.filter((one) => one !== "").join("\n");
        const isLines = counted([block]).lines > 0;
        expect(tokenizer.tokenize(block)).toEqual(tokenizer.tokenize(block, { lines: isLines }));
      }),
    );
  });
});
