import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createPipeline,
  type InputCounts,
  isMostlyUnknown,
  loadPipeline,
  noInput,
  type Pipeline,
} from "../src/index.ts";

describe("a text in a language that a model of English does not know", () => {
  let nlp: Pipeline;
  beforeAll(async () => {
    nlp = createPipeline(
      loadPipeline(await readFile(new URL("../../english-small/english-small.model", import.meta.url))),
    );
  });

  test.each([
    ["English", "Dogs bark at the mail.", false],
    ["informal English", "ngl that movie sucked, brb gotta feed the cat", false],
    [
      "English with names",
      "Angela Merkel met Emmanuel Macron and Pedro Sánchez in Brussels on Tuesday.",
      false,
    ],
    ["English numbers and addresses", "Call 555-0123 or write to info@example.org by 3 May 2024!", false],
    ["English headlines", "Stocks slide as oil prices rise\nCity council approves new budget", false],
    ["French", "Bonjour le monde, je suis content", true],
    ["German", "Der Hund schläft auf dem Sofa, und die Katze jagt eine Maus.", true],
    ["Spanish", "Me gusta mucho leer libros en la biblioteca.", true],
    ["Finnish", "Hän lukee kirjaa puutarhassa aamulla joka päivä.", true],
    ["Russian", "Я люблю читать книги в парке.", true],
    ["a short sentence of Russian", "Я люблю кошек.", true],
    ["a short sentence of Arabic", "أحب القطط كثيرا", true],
    ["a sentence of Chinese, as one token", "我喜欢猫。", true],
    ["English with a word of Chinese", "The word 猫 means cat.", false],
    ["numbers and emoji", "2024: 👍 :-)", false],
    ["four words of French, too few to tell", "Bonjour, je suis content", false],
  ])("%s", async (_what, text, expected) => {
    const calls: InputCounts[] = [];
    const onMostlyUnknown = (counts: InputCounts) => void calls.push(counts);
    nlp.run(text, { onMostlyUnknown });
    for await (const _ of nlp.stream([text], { onMostlyUnknown }));
    expect(calls.map(isMostlyUnknown)).toEqual(expected ? [true, true] : []);
  });
});

test.each([
  [5, 3, 20_000, true],
  [5, 2, 20_000, false],
  [100, 60, 20_000, true],
  [4, 4, 20_000, false],
  [100, 60, 1_000, false],
  [100, 76, 1_000, true],
  [100, 75, 0, false],
])(
  "of %i words of letters %i are unknown to a model of %i forms: %s",
  (letterWords, unknown, forms, expected) => {
    const counts = { ...noInput(), letterWords, unknownForms: unknown, knownForms: forms };
    expect(isMostlyUnknown(counts)).toBe(expected);
  },
);
