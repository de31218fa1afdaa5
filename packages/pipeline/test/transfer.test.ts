import { parseConllu } from "@arcwise/conllu";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packSentence, unpackSentence } from "../src/transfer.ts";

const TEXT = `# sent_id = a
1-2	don't	_	_	_	_	_	_	_	SpaceAfter=No
1	do	do	AUX	VBP	Mood=Ind	0	root	0:root	_
2	n't	not	PART	RB	_	1	advmod	1:advmod	_
2.1	go	go	VERB	_	_	_	_	1:conj	CopyOf=1

`;

test("sentences are the same after a structured clone of their columns", () => {
  const [sentence] = parseConllu(TEXT);
  expect(unpackSentence(structuredClone(packSentence(sentence!)))).toEqual(sentence);
  const word = fc.record({
    form: fc.string({ minLength: 1 }),
    upos: fc.constantFrom("_", "NOUN"),
    head: fc.integer({ min: -1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(word), fc.option(fc.nat(), { nil: undefined }), (words, start) => {
      const empty = { lemma: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };
      const rows = words.map((own, i) => ({ kind: "word" as const, id: i + 1, ...empty, ...own }));
      const whole = { comments: ["# c"], rows, line: 3, ...(start !== undefined && { start }) };
      expect(unpackSentence(structuredClone(packSentence(whole)))).toEqual(whole);
    }),
  );
});
