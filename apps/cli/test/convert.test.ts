import { writeConllu } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../src/files/input.ts";
import { arcwise, conllu, inFolder } from "./support.ts";

const dogs = conllu("s1", "Old/ADJ/2/amod dogs/NOUN/3/nsubj chase/VERB/0/root cats/NOUN/3/obj");
const rich = `# sent_id = r
# text = Al dog
1-2	Al	_	_	_	_	_	_	_	_
1	A	a	ADP	IN	_	3	case	3:case	_
2	l	l	DET	DT	Definite=Def	3	det	3:det	_
3	dog	dog	NOUN	NN	_	0	root	0:root	SpaceAfter=No
3.1	gone	go	VERB	_	_	_	_	3:conj	_

`;

const convert = (stdin: string, ...argv: readonly string[]) => arcwise(["convert", ...argv], { stdin });

describe("formats", () => {
  test("brackets", async () => {
    const { code, out, err } = await convert(dogs, "--to", "brackets");
    expect(code).toBe(0);
    expect(out).toBe("# sent_id = s1\n(root (nsubj (amod Old/ADJ) dogs/NOUN) chase/VERB (obj cats/NOUN))\n");
    expect(err).toBe("arcwise: warning: brackets cannot hold: 4 LEMMA\n");
    const back = await convert(out, "--to", "conllu");
    expect(back.out.replaceAll(/\t_\t([A-Z]+)\t/g, (_, tag) => `\t?\t${tag}\t`)).toBe(
      dogs.replaceAll(/\t[a-z]+\t([A-Z]+)\t/g, (_, tag) => `\t?\t${tag}\t`),
    );
  });

  test.each([
    ["conllx", "1\tOld\told\tADJ\t_\t_\t2\tamod\t_\t_"],
    ["conll2009", "1\tOld\told\t_\tADJ\t_\t_\t_\t2\t_\tamod\t_\t_\t_"],
    ["sdp", "#SDP 2015\n#s1\n1\tOld\told\tADJ\t-\t-\t_"],
    ["json", '[\n{"id":"s1"'],
    ["jsonl", '{"id":"s1"'],
    ["tikz", "% \\usepackage{tikz-dependency}\n\\begin{dependency}\n"],
    ["text", "Old dogs chase cats\n"],
  ])("%s", async (format, start) => {
    const { code, out } = await convert(dogs, "--to", format);
    expect(code).toBe(0);
    expect(out.replace(/^# sent_id = s1\n/, "").startsWith(start)).toBe(true);
  });

  test("SDP keeps edges and tops as DEPS", async () => {
    const sdp =
      "#SDP 2015\n#22\n1\tCats\tcat\tNNS\t-\t-\t_\tARG1\n2\tsleep\tsleep\tVB\t+\t+\tsleep.01\t_\n\n";
    const { out, err } = await convert(sdp, "--to", "conllu");
    expect(out).toBe(
      "# sent_id = 22\n1\tCats\tcat\t_\tNNS\t_\t_\t_\t2:ARG1\t_\n2\tsleep\tsleep\t_\tVB\t_\t_\t_\t0:root\t_\n\n",
    );
    expect(err).toBe("arcwise: warning: conllu cannot hold: 1 senses\n");
    expect((await convert(out, "--to", "sdp")).out).toBe(sdp.replace("sleep.01", "_"));
  });

  test("CoNLL-2009 keeps predicted columns and predicates when it is read and written", async () => {
    const rows =
      "1\tA\ta\ta\tDT\tDT\t_\t_\t2\t2\tNMOD\tX\t_\t_\tA0\n2\tb\tb\t_\tNN\t_\t_\t_\t0\t0\tROOT\tY\tY\tb.1\t_\n\n";
    expect((await convert(rows, "--to", "conll2009")).out).toBe(rows);
    const { err } = await convert(rows, "--to", "conllu");
    expect(err).toContain("1 senses");
  });
});

test.each([
  ["conllx", "1 DEPS|multiword|empty"],
  ["brackets", "LEMMA"],
  ["sdp", "HEAD"],
])("what %s cannot hold is counted in one warning", async (format) => {
  const { err } = await convert(rich, "--to", format);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(err).toContain("1 multiword tokens");
  expect(err).toContain("1 empty nodes");
});

test("CoNLL-U and its JSON hold everything", async () => {
  const json = await convert(rich, "--to", "json");
  const back = await convert(json.out, "--to", "conllu");
  expect([json.err, back.err, back.out]).toEqual(["", "", rich]);
});

test.each([
  ["conllu", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"],
  ["conllu", "# the beginning of a long comment"],
  ["conllu", "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"],
  ["conllx", "1\ta\t_\t_\t_\t_\t0\troot\t0\troot\n"],
  ["conll2009", "1\ta\t_\t_\t_\t_\t_\t_\t0\t0\tr\tr\t_\t_\n"],
  ["sdp", "#SDP 2015\n#1\n"],
  ["sdp", "1\ta\ta\tX\t-\t+\t_\n"],
  ["json", '\n{"words":[]}'],
  ["json", "[\n{"],
  ["brackets", "# a\n(root a)\n"],
  ["text", "The dogs bark.\n"],
  ["text", "1\n"],
  ["conllu", ""],
])("%s is found by its content: %j", (format, text) => {
  expect(detectFormat(text)).toBe(format);
});

test("--from decides what columns mean", async () => {
  const rows = "1\ta\t_\tN\tNN\t_\t0\troot\t_\t_\n\n";
  const { out } = await convert(rows, "--from", "conllx", "--to", "jsonl");
  expect(JSON.parse(out).words[0]).toMatchObject({ upos: "N", xpos: "NN" });
});

describe("drawings", () => {
  const arcs = async (stdin: string, ...argv: readonly string[]) => {
    const { code, out, err } = await convert(stdin, ...argv);
    expect([code, err]).toEqual([0, ""]);
    return [...out.matchAll(/class="arc [^>]*data-head="(\d)" data-modifier="(\d)"/g)].map(
      ([, h, m]) => `${h}>${m}`,
    );
  };

  test.each(["conllu", "conllx", "conll2009", "json", "jsonl", "brackets"])(
    "of the trees of %s",
    async (format) => {
      const { out } = await convert(dogs, "--to", format);
      for (const argv of [["svg"], ["html"], ["svg", "--layout", "tree"]]) {
        expect((await arcs(out, "--from", format, "--to", ...argv)).sort()).toEqual([
          "0>3",
          "2>1",
          "3>2",
          "3>4",
        ]);
      }
    },
  );

  test("of the graphs of SDP", async () => {
    const sdp = "#SDP 2015\n#22\n1\tCats\tcat\tNNS\t-\t-\t_\tARG1\n2\tsleep\tsleep\tVB\t+\t+\t_\t_\n\n";
    expect((await arcs(sdp, "--to", "svg")).sort()).toEqual(["0>2", "2>1"]);
  });

  test.each([
    [
      "of SDP",
      "#SDP 2015\n#22\n1\tcats\tcat\tN\t-\t-\t_\tARG1\n2\tchase\tchase\tV\t+\t+\tv.x\t_\n3\tdogs\tdog\tN\t-\t-\t_\tARG2\n\n",
    ],
    [
      "of DEPS",
      "1\tcats\tcat\tN\t_\t_\t_\t_\t2:ARG1\t_\n2\tchase\tchase\tV\t_\t_\t_\t_\t0:root\t_\n3\tdogs\tdog\tN\t_\t_\t_\t_\t2:ARG2\t_\n\n",
    ],
  ])("the data of displaCy have the graph %s", async (_, graph) => {
    const { arcs: drawn, words } = JSON.parse((await convert(graph, "--to", "displacy")).out);
    expect(words).toHaveLength(3);
    expect(drawn).toEqual([
      { start: 0, end: 1, label: "ARG1", dir: "left" },
      { start: 1, end: 2, label: "ARG2", dir: "right" },
    ]);
  });

  test("in characters, and as the data of displaCy", async () => {
    const [first, second] = (await convert(dogs + dogs, "--to", "tree")).out.split("\n\n");
    expect(first!.split("\n").map((row) => /[a-z]+/i.exec(row)![0])).toEqual([
      "Old",
      "dogs",
      "chase",
      "cats",
    ]);
    expect(second).toBe(first);
    expect(JSON.parse((await convert(dogs, "--to", "displacy")).out).arcs).toHaveLength(3);
  });

  test("are one page of several files, titled as the only one", async () => {
    const { run } = inFolder({ a: dogs, b: "(root x)\n" });
    const pages = await Promise.all(["@a @b", "@a"].map((files) => run(`convert --to html ${files}`)));
    expect(pages.map(({ out }) => out.match(/<article/g)!.length)).toEqual([2, 1]);
    expect(pages.map(({ out }) => out.includes("<title>a</title>"))).toEqual([false, true]);
  });
});

test("a non-projective tree in JSON is refused for brackets with its line", async () => {
  const crossing = conllu("x", "a/X/3/dep b/X/4/dep c/X/0/root d/X/3/dep");
  const { code, err } = await convert(
    (await convert(dogs + crossing, "--to", "jsonl")).out,
    "--to",
    "brackets",
  );
  expect([code, err]).toEqual([1, expect.stringContaining("standard input:2:")]);
});

test.each([
  ["", "conllu", ""],
  ["\n\n", "sdp", ""],
  ["", "json", "[\n]\n"],
])("of an empty file (%j) to %s are no sentences", async (stdin, to, expected) => {
  expect(await convert(stdin, "--to", to)).toEqual(
    expect.objectContaining({ code: 0, out: expected, err: "" }),
  );
});

test("several inputs of different formats make one output", async () => {
  const { run, text } = inFolder({ a: dogs, b: "(root x)\n" });
  expect((await run("convert @a @b --to conllu -o @out")).code).toBe(0);
  expect(text("out")).toBe(`${dogs}1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n\n`);
});

/** Any tree; projective ones are made by attaching words to neighbours of what is built so far. */
const heads = (n: number, isProjective: boolean) =>
  fc.array(fc.nat(), { minLength: n, maxLength: n }).map((picks) => {
    const all = new Array<number>(n + 1).fill(-1);
    if (!isProjective) {
      // Word m depends on a word before it, or on the root.
      for (let m = 1; m <= n; m++) all[m] = picks[m - 1]! % m;
      return all;
    }
    const attach = (from: number, to: number, head: number): void => {
      if (from > to) return;
      const root = from + (picks[from - 1]! % (to - from + 1));
      all[root] = head;
      attach(from, root - 1, root);
      attach(root + 1, to, root);
    };
    attach(1, n, 0);
    return all;
  });

const text = fc.constantFrom("a", "dog", "(", ")", "\\", "/", "x y", "é", "#", "1:2", "‮", "-LRB-");
const orNone = (...values: readonly string[]) => fc.constantFrom("_", ...values);

const sentences = (isProjective: boolean, hasUpos = true) =>
  fc.array(
    fc.integer({ min: 1, max: 6 }).chain((n) =>
      fc
        .record({
          tree: heads(n, isProjective),
          words: fc.array(
            fc.record({
              form: text,
              lemma: orNone("a", "b/c"),
              upos: hasUpos ? orNone("NOUN", "X") : fc.constant("_"),
              xpos: orNone("NN", "VB"),
              feats: orNone("Case=Nom", "A=B|C=D"),
              deprel: orNone("nsubj", "nsubj:pass", "a b"),
              deps: orNone("0:root", "1:x", "0:root|1:y"),
              misc: orNone("SpaceAfter=No", "Gloss=a"),
            }),
            { minLength: n, maxLength: n },
          ),
          comments: fc.subarray(["# sent_id = a", "# text = b", "# newpar"]),
        })
        .map(({ tree, words, comments }) => ({
          comments,
          line: 0,
          rows: words.map((word, i) => ({ kind: "word" as const, id: i + 1, head: tree[i + 1]!, ...word })),
        })),
    ),
    { minLength: 1, maxLength: 3 },
  );

describe("round trips", () => {
  test.each(["conllx", "conll2009", "sdp", "json", "jsonl", "brackets"])(
    "from CoNLL-U to %s and back: the same, or a warning",
    async (format) => {
      let unchanged = 0;
      const hasOneTag = format === "conll2009" || format === "sdp";
      await fc.assert(
        fc.asyncProperty(sentences(format === "brackets", !hasOneTag), async (all) => {
          const before = writeConllu(all);
          const there = await convert(before, "--from", "conllu", "--to", format);
          expect(there.code, there.err).toBe(0);
          const back = await convert(there.out, "--from", format, "--to", "conllu");
          expect(back.code, back.err).toBe(0);
          expect(back.out === before).toBe(there.err === "");
          if (there.err === "") unchanged++;
          // Once converted, nothing more is lost.
          const again = await convert(back.out, "--from", "conllu", "--to", format);
          expect(again.out).toBe(there.out);
        }),
      );
      if (format === "json") expect(unchanged).toBeGreaterThan(0);
    },
  );

  test("brackets are refused for exactly the trees with crossing arcs", async () => {
    await fc.assert(
      fc.asyncProperty(sentences(false), async (all) => {
        const isCrossing = all.some(({ rows }) =>
          rows.some(({ id, head }) =>
            rows.some((row) => {
              const [left, right] = [Math.min(id, head), Math.max(id, head)];
              const [l, r] = [Math.min(row.id, row.head), Math.max(row.id, row.head)];
              return left < l && l < right && right < r;
            }),
          ),
        );
        const { code } = await convert(writeConllu(all), "--from", "conllu", "--to", "brackets");
        expect(code).toBe(isCrossing ? 1 : 0);
      }),
    );
  });
});
