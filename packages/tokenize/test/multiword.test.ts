import { describe, expect, test } from "vitest";
import { learnMultiword, MultiwordSplitter } from "../src/multiword.ts";

/** Tokens `form=word+word`, or a form alone for a single word. */
function splitter(text: string): MultiwordSplitter {
  const tokens = text.split(" ").map((token) => {
    const [form, words] = token.split("=");
    return { form: form!, words: words?.split("+") ?? [] };
  });
  return new MultiwordSplitter(learnMultiword(tokens));
}

const rules = splitter(
  "du=de+le du des=de+les aux=à+les auxquels=à+lesquels don't=do+n't isn't=is+n't gonna=gon+na " +
    "John's=John+'s it's=it+'s vámonos=vamos+nos dímelo=di+me+lo",
);
const written = (form: string) => ({ form, reading: form });
const split = (form: string, isMultiword = true) => rules.split(written(form), isMultiword).join("+");

describe("forms of the training data", () => {
  test.each([
    ["des", "de+les"],
    ["Des", "De+les"],
    ["DES", "DE+LES"],
    ["don't", "do+n't"],
    ["Don't", "Do+n't"],
    ["DON'T", "DO+N'T"],
    ["gonna", "gon+na"],
    ["JOHN'S", "JOHN+'S"],
  ])("%s is cut, with its case", (form, words) => {
    expect(split(form, false)).toBe(words);
  });

  test("that are also single words are cut if they look like several", () => {
    expect([split("du"), split("du", false), split("Du")]).toEqual(["de+le", "", "De+le"]);
  });
});

test("the rule of more forms is used, of a suffix and a prefix", () => {
  const possessives = splitter("don't=do+n't cats'=cats+' boys'=boys+' girls'=girls+'");
  expect(possessives.split(written("dogs'"), true)).toEqual(["dogs", "'"]);
});

test("a suffix is not a word after an apostrophe and letters, unless it was a word there in training", () => {
  const english = splitter("im=i+m its=it+s don't=do+n't he'd've=he+'d+'ve");
  const turkish = splitter("Ankara'daki=Ankara'da+ki evdeki=evde+ki");
  const all = (rules: MultiwordSplitter, ...forms: string[]) =>
    forms.map((form) => rules.split(written(form), true).join("+"));
  expect(all(english, "ma'am", "O\u2019Neills", "mam", "ma'an't", "she'd've")).toEqual([
    "",
    "",
    "ma+m",
    "ma'a+n't",
    "she+'d+'ve",
  ]);
  expect(all(turkish, "Bursa'daki")).toEqual(["Bursa'da+ki"]);
});

describe("unknown forms", () => {
  test.each([
    ["Mary's", "Mary+'s"],
    ["zorkmeister's", "zorkmeister+'s"],
    ["couldn't", "could+n't"],
    ["COULDN'T", "COULD+N'T"],
    ["auxquelles", "à+lesquelles"],
    ["Auxquelles", "À+lesquelles"],
    ["dádmelo", "dád+me+lo"],
  ])("%s is cut like similar ones", (form, words) => {
    expect(split(form)).toBe(words);
  });

  test.each(["xyz", "n't", "", "'s"])("%j is one word: no rule leaves a stem", (form) => {
    expect(split(form)).toBe("");
  });

  test("are one word where they do not look like several", () => {
    expect(split("couldn't", false)).toBe("");
  });
});

test("a form that is read as another keeps its characters", () => {
  expect(rules.split({ form: "DON\u2019T", reading: "DON'T" }, false)).toEqual(["DO", "N\u2019T"]);
});

test("the most frequent words of a form are used", () => {
  expect(splitter("x's=x+is x's=x+has x's=x+has").split(written("x's"), true)).toEqual(["x", "has"]);
});

test("finds no multiword tokens without multiword tokens in training", () => {
  expect(splitter("du don't").split(written("don't"), true)).toEqual([]);
});
