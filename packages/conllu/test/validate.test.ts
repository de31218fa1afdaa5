import { type Finding, parseConllu, RULES, validate, validateSource, validateText } from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleName } from "../src/rules.ts";
import { EXAMPLE, SMALL } from "./example.ts";
import { sentence } from "./generators.ts";

/** A change of one of the two examples, and all findings it causes, as `rule:line`. */
type Case = readonly [text: string, from: string, to: string, ...findings: string[]];

/** Returns the small example once per ID, which is in its second line. */
function parallel(...ids: readonly string[]): string {
  return ids.map((id, i) => SMALL.replace("s1\n", `s${i}\n# parallel_id = ${id}\n`)).join("");
}

const CASES: readonly Case[] = [
  [SMALL, "# sent", "\ufeff# sent", "byte-order-mark:1"],
  [SMALL, "s1\n", "s1\r\n", "line-ending:1"],
  [SMALL, "\t_\n\n", "\t_", "final-newline:4", "final-blank-line:4"],
  [SMALL, "\t_\n\n", "\t_\n", "final-blank-line:4"],
  [SMALL, "\t_\n\n", "\t_\n\n\n\n", "blank-line:6"],
  [SMALL, "\t_\n\n", "\t_\n \n\n", "whitespace-line:5"],
  [SMALL, "dog", "d\0g", "control-character:3"],
  [SMALL, "\tNNS", "", "columns:3"],
  [SMALL, "NNS", "", "empty-field:3"],
  [SMALL, "1\tDogs", "1:\tDogs", "id-syntax:3"],
  [SMALL, "2\tbark", "3\tbark", "id-order:4"],
  [SMALL, "2\tnsubj", "x\tnsubj", "head-syntax:3"],
  [SMALL, "2\tbark", "# late\n2\tbark", "comment-place:4"],
  [EXAMPLE, "3-4\t", "4-4\t", "range-order:7"],
  [EXAMPLE, "8.1\tvas", "8.2\tvas", "empty-node-order:14"],
  [SMALL, "1\tDogs", "# x\n\n1\tDogs", "no-words:3", "sentence-id:5", "text-comment:5"],
  [SMALL, "NNS", "N S", "whitespace:3"],
  [SMALL, "dog", "dog ", "whitespace:3"],
  [SMALL, "dog", "d\ud800g", "unpaired-surrogate:3"],
  [SMALL, "dog", "do\u0301g", "normalization:3"],
  [SMALL, "2\tnsubj", "_\tnsubj", "head-missing:3"],
  [SMALL, "2\tnsubj", "3\tnsubj", "head-range:3"],
  [SMALL, "2\tnsubj", "1\tnsubj", "head-cycle:3"],
  [SMALL, "0\troot\t0:root", "1\tobj\t0:root", "head-cycle:3"],
  [SMALL, "2\tnsubj\t2:nsubj", "0\troot\t0:root", "single-root:4"],
  [SMALL, "nsubj", "root", "root-label:3"],
  [SMALL, "0\troot", "0\tdep", "root-label:4"],
  [SMALL, "# sent_id = s1\n", "", "sentence-id:1"],
  [SMALL, "s1", "s 1", "sentence-id:1"],
  [SMALL, "s1", "a/b", ""],
  [SMALL, "s1", "\ufeffs1", ""],
  [SMALL, "= s1", "=\u0085s1", ""],
  [SMALL, "s1", "s\u00851", "sentence-id:1"],
  [SMALL, "Dogs bark\n1\tDogs", "\ufeffDogs bark\n1\t\ufeffDogs", ""],
  [SMALL, "Dogs bark", "\ufeffDogs bark", "text-match:3"],
  [SMALL, "Dogs bark", "Dogs\u001cbark", ""],
  [SMALL, "Dogs bark", "Dogs\ufeffbark", "text-match:3"],
  [SMALL, "Dogs bark", "Dogs bark\u0085", "text-match:2"],
  [SMALL, "s1", "a/b/c", "sentence-id:1"],
  [SMALL, "# text", "# sent_id = s2\n# text", "sentence-id:1"],
  [SMALL, "\t_\n\n", `\t_\n\n${SMALL}`, "sentence-id-unique:6"],
  [SMALL, "# text", "# parallel_id = cairo/1\n# text", ""],
  [SMALL, "# text", "# parallel_id = cairo/3-b/alt1part1\n# text", ""],
  [SMALL, "# text", "# parallel_id would be cairo/1\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = Cairo/1\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/alt0\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/part1alt1\n# text", "parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1\n# parallel_id = cairo/2\n# text", "parallel-id:3"],
  [SMALL, SMALL, parallel("cairo/5", "cairo/5"), "parallel-id-unique:8"],
  [SMALL, SMALL, parallel("cairo/5", "cairo/6", "pud/5"), ""],
  [SMALL, SMALL, parallel("cairo/6/alt1", "cairo/6/alt2", "cairo/6/alt3"), ""],
  [SMALL, SMALL, parallel("cairo/6/part1", "cairo/6/part2"), ""],
  [SMALL, SMALL, parallel("cairo/3/alt2", "cairo/3/alt1"), "parallel-id-order:2", "parallel-id-order:8"],
  [SMALL, SMALL, parallel("cairo/3/alt1", "cairo/3"), "parallel-id-order:8"],
  [SMALL, SMALL, parallel("cairo/3", "cairo/3/part1"), "parallel-id-order:8"],
  [SMALL, SMALL, parallel("cairo/3/alt1", "cairo/3/alt3"), "parallel-id-order:8"],
  [SMALL, "# text = Dogs bark\n", "", "text-comment:1"],
  [SMALL, "Dogs bark", "Dog bark", "text-match:3"],
  [SMALL, "Dogs bark", "Dogsbark", "text-match:3"],
  [SMALL, "Dogs bark", "Dogs bark ", "text-match:2"],
  [EXAMPLE, "SpaceAfter=No\n6", "_\n6", "text-match:10"],
  [EXAMPLE, "SpaceAfter=No\n10", "SpaceAfter=no\n10", "space-after:15", "text-match:15"],
  [EXAMPLE, "5:case\t_", "5:case\tSpaceAfter=No", "space-after:8"],
  [EXAMPLE, "CopyOf=1", "SpaceAfter=No", "space-after:14"],
  [EXAMPLE, "al\t_", "al\tal", "range-columns:7"],
  [EXAMPLE, "al\t_\t_\t_\t_", "al\t_\t_\t_\tTypo=Yes", ""],
  [EXAMPLE, "_\t_\t1:conj:y", "_\tconj\t1:conj:y", "empty-node-columns:14"],
  [EXAMPLE, "1:conj:y", "_", "deps-everywhere:14", "empty-node-columns:14"],
  [SMALL, "NOUN", "noun", "upos-inventory:3"],
  [SMALL, "\tnsubj", "\tnsubj:Pass", "deprel-characters:3"],
  [SMALL, "Number=Plur", "Number", "feats-characters:3"],
  [SMALL, "Number=Plur", "Number=Plur|", "feats-characters:3", "feats-order:3"],
  [SMALL, "Mood=Ind|VerbForm=Fin", "VerbForm=Fin|Mood=Ind", "feats-order:4"],
  [SMALL, "Mood=Ind", "Mood=Ind,Cnd", "feats-order:4"],
  [SMALL, "Mood=Ind|", "Mood=Ind|Mood=Ind|", "feats-unique:4"],
  [SMALL, "Mood=Ind", "Mood=Ind,Ind", "feats-unique:4"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tA=1||B=2", ""],
  [SMALL, "2:nsubj\t_", "2:nsubj\tGloss=1|Gloss=2", "misc-characters:3"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tRef=1|Ref=2", "misc-characters:3"],
  [SMALL, "# text", "# newpar\n# newpar id = p1\n# text", "breaks:3"],
  [SMALL, "# text", "# newpar\n# newparagraph\n# text", ""],
  [SMALL, "2:nsubj\t_", "2:nsubj\tZ=1|Note|Gloss=x|A=2|Z=1", ""],
  [SMALL, "2:nsubj", "2nsubj", "deps-characters:3", "deps-everywhere:3"],
  [SMALL, "2:nsubj", "2.0:nsubj", "deps-characters:3", "deps-everywhere:3"],
  [SMALL, "2:nsubj", "2:nsubj|2:dep", "deps-order:3"],
  [SMALL, "2:nsubj", "2:nsubj|2:nsubj", "deps-order:3"],
  [EXAMPLE, "1:obl:a|8.1:obl:a", "8.1:obl:a|1:obl:a", "deps-order:10"],
  [EXAMPLE, "8.1:nsubj", "8:dep|8.1:nsubj", ""],
  [EXAMPLE, "8.1:nsubj", "8.1:nsubj|8:dep", "deps-order:15"],
  [SMALL, "2:nsubj", "3:nsubj", "deps-head:3"],
  [SMALL, "2:nsubj", "1:nsubj", "deps-head:3"],
  [SMALL, "2:nsubj", "2.1:nsubj", "deps-head:3"],
  [SMALL, "2:nsubj", "2:root", "deps-root:3"],
  [SMALL, "2:nsubj", "_", "deps-everywhere:3"],
  [SMALL, "0:root", "1:dep", "deps-connected:3"],
  [SMALL, "NOUN", "NOUNS", "upos-inventory:3"],
  [SMALL, "\tnsubj", "\tsubj", "deprel-inventory:3"],
  [SMALL, "\tnsubj", "\tconj", "deprel-direction:3"],
  [EXAMPLE, "5\tcase", "6\tcase", "deprel-children:8"],
  [SMALL, "2:nsubj", "2:subj", "deps-inventory:3"],
  [SMALL, "2:nsubj", "2:ref", ""],
];

const brief = (findings: Iterable<Finding>) =>
  [...findings].map(({ rule, line }) => `${rule}:${line}`).sort();

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("validateText", () => {
  it.each([EXAMPLE, SMALL, EXAMPLE + SMALL, ""])("finds nothing wrong with an example", (text) => {
    expect([...validateText(text)]).toEqual([]);
  });

  it.each(
    CASES.map(([text, from, to, ...findings]) => ({ text, from, to, findings, all: findings.join(" and ") })),
  )("finds $all when $from becomes $to", ({ text, from, to, findings }) => {
    expect(text).toContain(from);
    const expected = findings.filter((finding) => finding !== "").sort();
    expect(brief(validateText(text.replace(from, () => to)))).toEqual(expected);
  });

  it("has a case for every rule", () => {
    const beyond: RuleName[] = [
      "deps-paths",
      "encoding",
      "line-length",
      "sentence-length",
      "sdp-flag",
      "argument-columns",
      // In relations.test.ts.
      "deprel-repeated",
    ];
    const covered = CASES.flatMap(([, , , ...findings]) => findings.map((finding) => finding.split(":")[0]));
    expect([...new Set([...covered, ...beyond])].filter((name) => name !== "").sort()).toEqual(
      Object.keys(RULES).sort(),
    );
  });

  it("reports level, file, line, sentence, rule, what was expected and what was found", () => {
    const [finding] = validateText(SMALL.replace("NOUN", "NAME"), { file: "a.conllu" });
    expect(finding).toEqual({
      file: "a.conllu",
      line: 3,
      sentence: "s1",
      rule: "upos-inventory",
      level: 2,
      message: expect.stringContaining("a.conllu:3: sentence s1: UPOS is one of the 17 universal tags"),
      expected: expect.stringContaining("ADJ"),
      found: '"NAME"',
    });
  });

  it.each([1, 2, 3] as const)("checks rules up to level %i", (level) => {
    const text = SMALL.replace("NNS", "N S")
      .replace("# text", "# parallel_id = 1\n# text")
      .replace("\tnsubj", "\troot");
    const levels = [...validateText(text, { level })].map((finding) => finding.level);
    expect(levels.sort()).toEqual([1, 2, 3].slice(0, level));
  });

  it("checks the relation of the root at level 3, as Universal Dependencies does", () => {
    const text = SMALL.replace("0\troot", "0\tdep").replace("0:root", "0:dep");
    expect(brief(validateText(text, { level: 2 }))).toEqual([]);
    expect(brief(validateText(text))).toEqual(["deps-root:4", "root-label:4"]);
  });

  it("sorts the findings of a sentence by line", () => {
    const text = SMALL.replace("bark\n", "barks\n").replace("NNS", "N S").replace("0\troot", "0\tdep");
    expect([...validateText(text.replace("# sent_id = s1\n", ""))].map(({ line }) => line)).toEqual([
      1, 2, 3, 3,
    ]);
  });

  it("continues after a sentence that cannot be read", () => {
    const text = SMALL.replace("\t0\t", "\tx\t") + SMALL.replace("s1", "s2").replace("NOUN", "NAME");
    expect(brief(validateText(text))).toEqual(["head-syntax:4", "upos-inventory:8"]);
  });

  it("ends at a line that is too long", () => {
    expect(brief(validateText(SMALL + SMALL, { maxLineLength: 15 }))).toEqual(["line-length:2"]);
    expect(brief(validateText(SMALL + SMALL, { maxSentenceLength: 90 }))).toEqual(["sentence-length:4"]);
    expect(brief(validateText(SMALL + SMALL, { maxSentenceLines: 2 }))).toEqual(["sentence-length:3"]);
  });

  it("limits the number of findings of a malicious sentence", () => {
    expect([...validateText(`${"x\n".repeat(50_000)}\n`)]).toHaveLength(1000);
    expect([...validateText("\n".repeat(50_000))]).toHaveLength(1);
  });

  it("is a sequence whose iteration can be left", () => {
    for (const finding of validateText(SMALL.replace("NOUN", "NAME") + SMALL)) {
      expect(finding.rule).toBe("upos-inventory");
      break;
    }
  });

  it("never throws, and reports an error where the reader throws one", () => {
    const damage = fc.record({
      place: fc.nat(EXAMPLE.length),
      remove: fc.nat(4),
      piece: fc.constantFrom("", "\t", "\n", "\r", "#", "|", ":", "=", "1", ".", "_", "\0", "\ud800", "A"),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let text = EXAMPLE;
        for (const { place, remove, piece } of damages)
          text = text.slice(0, place) + piece + text.slice(place + remove);
        const refused = [...validateText(text)].some(({ rule }) => RULES[rule].refused);
        if (refused) expect(() => parseConllu(text)).toThrow();
        else expect(() => parseConllu(text)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe("validateSource", () => {
  it("finds what validateText finds", async () => {
    for (const [text, from, to] of CASES) {
      const changed = text.replace(from, () => to);
      const bytes = new TextEncoder().encode(changed);
      if (changed.includes("\ud800")) continue;
      const chunks = [bytes.slice(0, 77), bytes.slice(77)];
      expect(await collect(validateSource(chunks))).toEqual([...validateText(changed)]);
    }
  });

  it("ends at bytes that are not UTF-8", async () => {
    const bytes = new TextEncoder().encode(SMALL);
    bytes[40] = 0xff;
    expect(brief(await collect(validateSource(bytes)))).toEqual(["encoding:3"]);
  });

  it("rethrows errors of the source", async () => {
    async function* failing() {
      yield SMALL;
      throw new Error("disk");
    }
    await expect(collect(validateSource(failing()))).rejects.toThrow("disk");
  });
});

describe("validate", () => {
  it("accepts one sentence or several", () => {
    const [read] = parseConllu(SMALL);
    expect([...validate(read!)]).toEqual([]);
    expect(brief(validate([read!, read!]))).toEqual(["sentence-id-unique:1"]);
  });

  it("finds the same in sentences as in their text, except for what the reader drops", () => {
    const dropped: RuleName[] = [
      "byte-order-mark",
      "line-ending",
      "final-newline",
      "final-blank-line",
      "blank-line",
    ];
    for (const [text, from, to] of CASES) {
      const changed = text.replace(from, () => to);
      const findings = [...validateText(changed)].filter(({ rule }) => !dropped.includes(rule));
      if (findings.some(({ rule }) => RULES[rule].refused)) continue;
      expect([...validate(parseConllu(changed))]).toEqual(findings);
    }
  });

  it("reports sentences that no reader would return", () => {
    const [read] = parseConllu(SMALL);
    const broken = { ...read!, rows: [{ ...read!.rows[0]!, form: "a\tb", head: -5 }, read!.rows[1]!] };
    expect(brief(validate(broken))).toEqual(["control-character:3", "head-syntax:3"]);
    expect(brief(validate({ comments: [], rows: [], line: 0 }))).toEqual(["no-words:0"]);
  });

  it("never throws, for any sentence", () => {
    fc.assert(
      fc.property(sentence, (one) => {
        for (const finding of validate(one)) expect(finding.message).toContain(finding.rule);
      }),
    );
  });
});
