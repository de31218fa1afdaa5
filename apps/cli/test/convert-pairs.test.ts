import { writeConll2009, writeConllu, writeConllX, writeSdp } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arcwise } from "./support.ts";

const convert = (stdin: string, from: string, to: string) =>
  arcwise(["convert", "--from", from, "--to", to], { stdin });

/** Columns that have separators, flags, headers and brackets of the formats in them. */
const text = fc.constantFrom(
  ...'a _ a|b x|0:root 1:2 : | = a=b|c ( ) \\ / # + - é 0:root > [ { "'.split(" "),
  ...["#SDP 2015", "# sent_id = 1", "a  b", " ", "\u2028", "\u0085", "\u202e", "\ufeff", "1\u00a02"],
);
const label = fc.oneof({ weight: 3, arbitrary: fc.constant("_") }, text);
const comments = fc.subarray(["# sent_id = a", "# text = b|c", "# newpar", "#", "#SDP 2015 x"]);

/** Sentences of up to four words with arguments of each of their predicates. */
const rows = fc.integer({ min: 1, max: 4 }).chain((n) =>
  fc.record({
    comments,
    isPredicate: fc.array(fc.boolean(), { minLength: n, maxLength: n }),
    words: fc.array(
      fc.record({
        ...{ form: text, lemma: text, tag: text, feats: text, deprel: text, other: text, misc: text },
        ...{
          top: fc.boolean(),
          head: fc.integer({ min: 0, max: n }),
          labels: fc.array(label, { minLength: n, maxLength: n }),
        },
      }),
      { minLength: n, maxLength: n },
    ),
  }),
);
type Drawn = typeof rows extends fc.Arbitrary<infer Value> ? Value : never;

/** Heads of a chain, so that each is a tree. */
const headOf = (i: number) => i;
const argumentsOf = ({ isPredicate }: Drawn, labels: readonly string[]) =>
  labels.filter((_, p) => isPredicate[p]);

/** The texts of sentences by their formats. JSON and brackets are made of CoNLL-U. */
const WRITERS: Readonly<Record<string, (drawn: Drawn) => string>> = {
  conllu: ({ comments, words }) =>
    writeConllu([
      {
        ...{ comments, line: 0 },
        rows: words.map(({ form, lemma, tag, feats, deprel, other, misc }, i) => {
          const columns = { form, lemma, upos: "_", xpos: tag, feats, deprel, deps: other, misc };
          return { kind: "word" as const, id: i + 1, head: headOf(i), ...columns };
        }),
      },
    ]),
  conllx: ({ comments, words }) =>
    writeConllX([
      {
        ...{ comments, line: 0 },
        rows: words.map(({ form, lemma, tag, feats, deprel, other, head }, i) => {
          const columns = { form, lemma, cpostag: "_", postag: tag, feats, deprel };
          return { id: i + 1, head: headOf(i), ...columns, phead: head, pdeprel: other };
        }),
      },
    ]),
  conll2009: (drawn) =>
    writeConll2009([
      {
        ...{ comments: drawn.comments, line: 0 },
        rows: drawn.words.map(({ form, lemma, tag, feats, deprel, other, head, labels }, i) => ({
          ...{ id: i + 1, form, lemma, plemma: other, pos: tag, ppos: other, feat: feats, pfeat: "_" },
          ...{ head: headOf(i), phead: head, deprel, pdeprel: other },
          ...{ fillpred: drawn.isPredicate[i] ? "Y" : "_", pred: drawn.isPredicate[i] ? other : "_" },
          apreds: argumentsOf(drawn, labels),
        })),
      },
    ]),
  sdp: (drawn) =>
    writeSdp([
      {
        ...{ version: 2015, comments: ["#SDP 2015", "#22"], line: 0 },
        rows: drawn.words.map(({ form, lemma, tag, top, other, labels }, i) => ({
          ...{ id: i + 1, form, lemma, pos: tag, top, pred: drawn.isPredicate[i]!, frame: other },
          args: argumentsOf(drawn, labels),
        })),
      },
    ]),
};
const FORMATS = ["conllu", "conllx", "conll2009", "sdp", "json", "jsonl", "brackets"];
const PAIRS = FORMATS.flatMap((from) => FORMATS.map((to): [string, string] => [from, to]));

test.each(PAIRS)(
  "what is converted and converted back from %s to %s: is the same, unless a warning or an error says otherwise",
  async (from, to) => {
    await fc.assert(
      fc.asyncProperty(rows, async (drawn) => {
        const write = WRITERS[from];
        const made = write === undefined ? await convert(WRITERS.conllu!(drawn), "conllu", from) : undefined;
        if (made !== undefined && made.code !== 0) return;
        const before = made?.out ?? write!(drawn);
        const there = await convert(before, from, to);
        if (there.code !== 0) {
          expect([there.code, there.err]).toEqual([
            1,
            expect.stringMatching(/^arcwise: standard input:\d+: /),
          ]);
          return;
        }
        const back = await convert(there.out, to, from);
        if (there.err === "") expect([back.code, back.err]).toEqual([0, expect.anything()]);
        if (there.err === "" && back.err === "") expect(back.out).toBe(before);
      }),
      { numRuns: 6 },
    );
  },
);

const frames =
  "1\tcats\tcat\tcat\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n" +
  "2\tchase\tchase\tchase\tV\tV\t_\t_\t0\t0\tROOT\tROOT\tY\tchase.01\t_\n" +
  "3\tdogs\tdog\tdog\tN\tN\t_\t_\t2\t2\tOBJ\tOBJ\t_\t_\tA1\n\n";
const graph =
  "#SDP 2015\n#22000001\n1\tcats\tcat\tN\t-\t-\t_\tARG1\n2\tchase\tchase\tV\t+\t+\tv.x\t_\n3\tdogs\tdog\tN\t-\t-\t_\tARG2\n\n";

describe("predicates and arguments are carried over, which were lost", () => {
  test("from CoNLL-2009 to SDP", async () => {
    const { out, err } = await convert(frames, "conll2009", "sdp");
    expect(out).toBe(
      "#SDP 2015\n1\tcats\tcat\tN\t-\t-\t_\tA0\n2\tchase\tchase\tV\t-\t+\tchase.01\t_\n3\tdogs\tdog\tN\t-\t-\t_\tA1\n\n",
    );
    expect(err).not.toMatch(/senses|DEPS|APRED|predicates/);
  });

  test("from SDP to CoNLL-2009, all but the top", async () => {
    const { out, err } = await convert(graph, "sdp", "conll2009");
    expect(out).toBe(
      "# sent_id = 22000001\n" +
        "1\tcats\tcat\t_\tN\t_\t_\t_\t_\t_\t_\t_\t_\t_\tARG1\n" +
        "2\tchase\tchase\t_\tV\t_\t_\t_\t_\t_\t_\t_\tY\tv.x\t_\n" +
        "3\tdogs\tdog\t_\tN\t_\t_\t_\t_\t_\t_\t_\t_\t_\tARG2\n\n",
    );
    expect(err).toBe("arcwise: warning: conll2009 cannot hold: 1 DEPS\n");
  });

  test("and predicates without arguments", async () => {
    const lone = "#SDP 2015\n#1\n1\ta\ta\tN\t-\t+\tf\t_\n\n";
    const there = await convert(lone, "sdp", "conll2009");
    expect(there.out).toContain("\tY\tf\t_\n");
    expect((await convert(there.out, "conll2009", "sdp")).out).toBe(lone);
  });
});

test("a label with a separator is refused with its line: it became other edges, and a top", async () => {
  const bar = "#SDP 2015\n#1\n1\ta\ta\tN\t-\t+\tf\t_\n2\tb\tb\tN\t-\t-\t_\tx|0:root\n\n";
  for (const to of ["conllu", "json", "sdp", "conll2009"]) {
    const { code, err } = await convert(bar, "sdp", to);
    expect([code, err]).toEqual([1, expect.stringMatching(/^arcwise: standard input:4: .*x\|0:root/)]);
  }
});
