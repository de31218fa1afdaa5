import fc from "fast-check";

/** Characters of several scripts, spaces, controls, emoji, surrogate halves, and ends of lines. */
const PIECES = [
  ..."abcXYZ'.,!?-0123",
  ..."éßÅĳ",
  ..."αβΓ",
  ..."дЖя",
  ..."東京日本。、",
  ..."ไทย",
  ..."مرحبا؟",
  ..."नमस्ते।",
  ..."\u{10330}\u{10345}",
  "👍🏽",
  "👩‍👩‍👧",
  "🇭🇺",
  "e\u0301\u0323",
  "\ud800",
  "\udfff",
  "\0",
  "\u0007",
  "\u0085",
  "\u200b",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\r\n",
  "\n",
  "\r",
  "\n\n",
  "\t",
  " ",
  "  ",
  "\u00a0",
  "\u3000",
  "don't",
  " du ",
  "The end. ",
];

/** Texts of any characters. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(""));

/** A text cut into chunks, also within surrogate pairs. */
export function chunksOf(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat(text.length), { maxLength: 8 }).map((cuts) => {
    const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
    return at.slice(1).map((end, i) => text.slice(at[i], end));
  });
}
