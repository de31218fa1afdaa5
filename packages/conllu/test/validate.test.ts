import {
  type Finding,
  parseConllu,
  READ_LIMITS,
  RULES,
  validate,
  validateSource,
  validateText,
} from "@arcwise/conllu";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collected } from "../../../tools/test-helpers.ts";
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
  [SMALL, "# sent", "\ufeff# sent", "invalid-line:1"],
  [SMALL, "s1\n", "s1\r\n", "non-unix-newline:1"],
  [SMALL, "\t_\n\n", "\t_", "missing-empty-line:4"],
  [SMALL, "\t_\n\n", "\t_\n", "missing-empty-line:4"],
  [SMALL, "\t_\n\n", "\t_\n\n\n\n", "empty-sentence:6", "empty-sentence:7"],
  [SMALL, "\t_\n\n", "\t_\n \n\n", "empty-sentence:6", "pseudo-empty-line:5"],
  [SMALL, "dog", "d\0g", "control-character:3"],
  [SMALL, "\tNNS", "", "number-of-columns:3"],
  [SMALL, "NNS", "", "empty-column:3"],
  [SMALL, "1\tDogs", "1:\tDogs", "invalid-word-id:3"],
  [SMALL, "2\tbark", "3\tbark", "word-id-sequence:4", "word-interval-out:4"],
  [SMALL, "2\tnsubj", "x\tnsubj", "invalid-head:3"],
  [SMALL, "2\tbark", "# late\n2\tbark", "misplaced-comment:4"],
  [EXAMPLE, "3-4\t", "4-4\t", "misplaced-word-interval:7"],
  [EXAMPLE, "8.1\tvas", "8.2\tvas", "misplaced-empty-node:14"],
  [SMALL, "1\tDogs", "# x\n\n1\tDogs", "empty-sentence:3", "missing-sent-id:5", "missing-text:5"],
  [SMALL, "NNS", "N S", "invalid-whitespace:3"],
  [SMALL, "dog", "dog ", "trailing-whitespace:3"],
  [SMALL, "dog", "d\ud800g", "unpaired-surrogate:3"],
  [SMALL, "dog", "do\u0301g", "unicode-normalization:3"],
  [SMALL, "2\tnsubj", "_\tnsubj", "invalid-head:3"],
  [SMALL, "2\tnsubj", "3\tnsubj", "unknown-head:3"],
  [SMALL, "2\tnsubj", "1\tnsubj", "head-self-loop:3"],
  [SMALL, "0\troot\t0:root", "1\tobj\t0:root", "non-tree:3"],
  [SMALL, "2\tnsubj\t2:nsubj", "0\troot\t0:root", "multiple-roots:4"],
  [SMALL, "nsubj", "root", "root-is-not-0:3"],
  [SMALL, "0\troot", "0\tdep", "0-is-not-root:4"],
  [SMALL, "# sent_id = s1\n", "", "missing-sent-id:1"],
  [SMALL, "s1", "s 1", "invalid-sent-id:1", "missing-sent-id:1"],
  [SMALL, "s1", "a/b", ""],
  [SMALL, "s1", "\ufeffs1", ""],
  [SMALL, "= s1", "=\u0085s1", ""],
  [SMALL, "s1", "s\u00851", "invalid-sent-id:1", "missing-sent-id:1"],
  [SMALL, "Dogs bark\n1\tDogs", "\ufeffDogs bark\n1\t\ufeffDogs", ""],
  [SMALL, "Dogs bark", "\ufeffDogs bark", "text-extra-chars:2", "text-form-mismatch:3"],
  [SMALL, "Dogs bark", "Dogs\u001cbark", ""],
  [
    SMALL,
    "Dogs bark",
    "Dogs\ufeffbark",
    "missing-spaceafter:3",
    "text-extra-chars:2",
    "text-form-mismatch:4",
  ],
  [SMALL, "Dogs bark", "Dogs bark\u0085", "text-trailing-whitespace:2"],
  [SMALL, "s1", "a/b/c", "slash-in-sent-id:1"],
  [SMALL, "# text", "# sent_id = s2\n# text", "multiple-sent-id:2"],
  [SMALL, "\t_\n\n", `\t_\n\n${SMALL}`, "non-unique-sent-id:6"],
  [SMALL, "# text", "# parallel_id = cairo/1\n# text", ""],
  [SMALL, "# text", "# parallel_id = cairo/3-b/alt1part1\n# text", ""],
  [SMALL, "# text", "# parallel_id would be cairo/1\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = Cairo/1\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/alt0\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1/part1alt1\n# text", "invalid-parallel-id:2"],
  [SMALL, "# text", "# parallel_id = cairo/1\n# parallel_id = cairo/2\n# text", "multiple-parallel-id:3"],
  [SMALL, SMALL, parallel("cairo/5", "cairo/5"), "non-unique-parallel-id:8"],
  [SMALL, SMALL, parallel("cairo/5", "cairo/6", "pud/5"), ""],
  [SMALL, SMALL, parallel("cairo/6/alt1", "cairo/6/alt2", "cairo/6/alt3"), ""],
  [SMALL, SMALL, parallel("cairo/6/part1", "cairo/6/part2"), ""],
  [SMALL, SMALL, parallel("cairo/3/alt2", "cairo/3/alt1"), "parallel-id-alt:2", "parallel-id-alt:8"],
  [SMALL, SMALL, parallel("cairo/3/alt1", "cairo/3"), "parallel-id-alt:8"],
  [SMALL, SMALL, parallel("cairo/3", "cairo/3/part1"), "parallel-id-part:8"],
  [SMALL, SMALL, parallel("cairo/3/alt1", "cairo/3/alt3"), "parallel-id-alt:8"],
  [SMALL, "# text = Dogs bark\n", "", "missing-text:1"],
  [SMALL, "Dogs bark", "Dog bark", "text-extra-chars:2", "text-form-mismatch:3"],
  [SMALL, "Dogs bark", "Dogsbark", "missing-spaceafter:3"],
  [SMALL, "Dogs bark", "Dogs bark ", "text-trailing-whitespace:2"],
  [EXAMPLE, "SpaceAfter=No\n6", "_\n6", "missing-spaceafter:10"],
  [EXAMPLE, "SpaceAfter=No\n10", "SpaceAfter=no\n10", "missing-spaceafter:15", "spaceafter-value:15"],
  [EXAMPLE, "5:case\t_", "5:case\tSpaceAfter=No", "spaceafter-mwt-node:8"],
  [EXAMPLE, "CopyOf=1", "SpaceAfter=No", "spaceafter-empty-node:14"],
  [EXAMPLE, "al\t_", "al\tal", "mwt-nonempty-field:7"],
  [EXAMPLE, "al\t_\t_\t_\t_", "al\t_\t_\t_\tTypo=Yes", ""],
  [EXAMPLE, "_\t_\t1:conj:y", "_\tconj\t1:conj:y", "empty-node-nonempty-field:14"],
  [EXAMPLE, "1:conj:y", "_", "unconnected-egraph:11"],
  [SMALL, "NOUN", "noun", "unknown-upos:3"],
  [SMALL, "\tnsubj", "\tnsubj:Pass", "invalid-deprel:3"],
  [SMALL, "Number=Plur", "Number", "invalid-feature:3"],
  [SMALL, "Number=Plur", "Number=Plur|", "invalid-feature:3", "unsorted-features:3"],
  [SMALL, "Mood=Ind|VerbForm=Fin", "VerbForm=Fin|Mood=Ind", "unsorted-features:4"],
  [SMALL, "Mood=Ind", "Mood=Ind,Cnd", "unsorted-feature-values:4"],
  [SMALL, "Mood=Ind|", "Mood=Ind|Mood=Ind|", "repeated-feature:4"],
  [SMALL, "Mood=Ind", "Mood=Ind,Ind", "repeated-feature-value:4"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tA=1||B=2", "empty-misc:3"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tGloss=1|Gloss=2", "repeated-misc:3"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tRef=1|Ref=2", "repeated-misc:3"],
  [
    SMALL,
    "2:nsubj\t_",
    "2:nsubj\t=x|a =b|GLOSS=c",
    "empty-misc-key:3",
    "misc-attr-typo:3",
    "misc-extra-space:3",
  ],
  [EXAMPLE, "3-4\tal", "3-4\ta l", "invalid-whitespace-mwt:7", "text-extra-chars:3", "text-form-mismatch:7"],
  [SMALL, "dog\t", " dog\t", "leading-whitespace:3"],
  [SMALL, "dog\t", "d  g\t", "repeated-whitespace:3"],
  [EXAMPLE, "3-4\t", "3-2\t", "reversed-word-interval:7"],
  [EXAMPLE, "3-4\t", "3-99\t", "word-interval-out:7"],
  [EXAMPLE, "3-4\t", "3-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n3-4\t", "overlapping-word-intervals:8"],
  [SMALL, "Dogs bark\n", "\n", "empty-text:2", "text-form-mismatch:3"],
  [SMALL, "# text", "# text = x\n# text", "multiple-text:3"],
  [SMALL, "2:nsubj\t_", "2:nsubj\tNoSpaceAfter=Yes", "nospaceafter-yes:3"],
  [
    SMALL,
    SMALL,
    SMALL.replace("0:root\t_", "0:root\tSpaceAfter=No") + SMALL.replace("s1", "s2\n# newdoc"),
    "spaceafter-newdocpar:7",
  ],
  [SMALL, "# text", "# newdoc\n# newdoc\n# text", "multiple-newdoc:3"],
  [
    SMALL,
    SMALL,
    SMALL + SMALL.replace("s1", "s2").replace("2:nsubj", "_").replace("0:root", "_"),
    "edeps-only-sometimes:8",
  ],
  [SMALL, "2:nsubj", "2:Nsubj", "invalid-edeprel:3"],
  [SMALL, "1\tDogs", "-\tDogs", "invalid-line:3"],
  [SMALL, "# text", "# newpar\n# newpar p1\n# newpar id = p1\n# text", "multiple-newpar:3"],
  [SMALL, "# text", "# newpar\n# newparagraph\n# text", ""],
  [SMALL, "2:nsubj\t_", "2:nsubj\tZ=1|Note|Gloss=x|A=2|Z=1", ""],
  [SMALL, "2:nsubj", "2nsubj", "invalid-deps:3"],
  [SMALL, "2:nsubj", "2.0:nsubj", "invalid-ehead:3"],
  [SMALL, "2:nsubj", "2:nsubj|2:dep", "unsorted-deps-2:3"],
  [SMALL, "2:nsubj", "2:nsubj|2:nsubj", "repeated-deps:3"],
  [EXAMPLE, "1:obl:a|8.1:obl:a", "8.1:obl:a|1:obl:a", "unsorted-deps:10"],
  [EXAMPLE, "8.1:nsubj", "8:dep|8.1:nsubj", ""],
  [EXAMPLE, "8.1:nsubj", "8.1:nsubj|8:dep", "unsorted-deps:15"],
  [SMALL, "2:nsubj", "3:nsubj", "unknown-ehead:3"],
  [SMALL, "2:nsubj", "1:nsubj", "deps-self-loop:3", "unconnected-egraph:3"],
  [SMALL, "2:nsubj", "2.1:nsubj", "unknown-ehead:3"],
  [SMALL, "2:nsubj", "2:root", "enhanced-root-is-not-0:3"],
  [SMALL, "2:nsubj", "_", "unconnected-egraph:3"],
  [SMALL, "0:root", "1:dep", "unconnected-egraph:3"],
  [SMALL, "NOUN", "NOUNS", "unknown-upos:3"],
  [SMALL, "\tnsubj", "\tsubj", "unknown-udeprel:3"],
  [SMALL, "\tnsubj", "\tconj", "right-to-left-conj:3"],
  [EXAMPLE, "5\tcase", "6\tcase", "leaf-punct:8"],
  [SMALL, "2:nsubj", "2:subj", "unknown-eudeprel:3"],
  [SMALL, "2:nsubj", "2:ref", ""],
];

/** The findings, without the finding that all examples have: their DEPS are those of their trees. */
const brief = (findings: Iterable<Finding>) =>
  [...findings]
    .map(({ rule, line }) => `${rule}:${line}`)
    .filter((finding) => finding !== "edeps-identical-to-basic-trees:0")
    .sort();

describe("validateText", () => {
  it.each([EXAMPLE, SMALL, EXAMPLE + SMALL, ""])("finds nothing wrong with an example", (text) => {
    expect(brief(validateText(text))).toEqual([]);
  });

  it.each(
    CASES.map(([text, from, to, ...findings]) => ({ text, from, to, findings, all: findings.join(" and ") })),
  )("finds $all when $from becomes $to", ({ text, from, to, findings }) => {
    expect(text).toContain(from);
    const expected = findings.filter((finding) => finding !== "").sort();
    expect(brief(validateText(text.replace(from, () => to)))).toEqual(expected);
  });

  it("has a case for every rule of levels 1 and 2", () => {
    const covered = new Set(
      CASES.flatMap(([, , , ...findings]) => findings.map((one) => one.split(":")[0]!)),
    );
    const missing = (Object.keys(RULES) as RuleName[]).filter(
      (name) => RULES[name].level < 3 && !covered.has(name),
    );
    const beyond = [
      "encoding",
      "line-length",
      "sentence-length",
      "sdp-flag",
      "argument-columns",
      "deps-paths",
    ];
    expect(missing.sort()).toEqual(beyond.sort());
  });

  it("reports level, file, line, sentence, rule, what was expected and what was found", () => {
    const [finding] = validateText(SMALL.replace("NOUN", "NAME"), { file: "a.conllu" });
    expect(finding).toEqual({
      file: "a.conllu",
      line: 3,
      sentence: "s1",
      rule: "unknown-upos",
      level: 2,
      severity: "error",
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
    expect(brief(validateText(text))).toEqual(["0-is-not-root:4", "enhanced-0-is-not-root:4"]);
  });

  it("sorts the findings of a sentence by line", () => {
    const text = SMALL.replace("bark\n", "barks\n").replace("NNS", "N S").replace("0\troot", "0\tdep");
    expect([...validateText(text.replace("# sent_id = s1\n", ""))].map(({ line }) => line)).toEqual([
      1, 1, 2, 3, 3,
    ]);
  });

  it("continues after a sentence that cannot be read", () => {
    const text = SMALL.replace("\t0\t", "\tx\t") + SMALL.replace("s1", "s2").replace("NOUN", "NAME");
    expect(brief(validateText(text))).toEqual(["invalid-head:4", "unknown-upos:8"]);
  });

  it("ends at a line or a sentence that is too long", () => {
    const { lineLength, sentenceLines } = READ_LIMITS;
    const long = `#${"x".repeat(lineLength - 1)}`;
    expect(brief(validateText(`${SMALL}${long}x\n${SMALL}`))).toEqual(["line-length:6"]);
    expect(brief(validateText(`${long}\n`.repeat(17)))).toEqual(["sentence-length:16"]);
    expect(brief(validateText("#\n".repeat(sentenceLines + 1)))).toEqual([
      `sentence-length:${sentenceLines + 1}`,
    ]);
  });

  it("limits the number of findings of a malicious sentence", () => {
    expect([...validateText(`${"x\n".repeat(50_000)}\n`)]).toHaveLength(1000);
    expect([...validateText("\n".repeat(50_000))]).toHaveLength(1000);
  });

  it("is a sequence whose iteration can be left", () => {
    for (const finding of validateText(SMALL.replace("NOUN", "NAME") + SMALL)) {
      expect(finding.rule).toBe("unknown-upos");
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
        const refused = [...validateText(text)].map(({ rule }) => RULES[rule].refused);
        if (refused.includes(true)) expect(() => parseConllu(text)).toThrow();
        else if (!refused.includes("partly")) expect(() => parseConllu(text)).not.toThrow();
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
      expect(await collected(validateSource(chunks))).toEqual([...validateText(changed)]);
    }
  });

  it("ends at bytes that are not UTF-8", async () => {
    const bytes = new TextEncoder().encode(SMALL);
    bytes[40] = 0xff;
    expect(brief(await collected(validateSource(bytes)))).toEqual(["encoding:3"]);
  });

  it("rethrows errors of the source", async () => {
    async function* failing() {
      yield SMALL;
      throw new Error("disk");
    }
    await expect(collected(validateSource(failing()))).rejects.toThrow("disk");
  });
});

describe("validate", () => {
  it("accepts one sentence or several", () => {
    const [read] = parseConllu(SMALL);
    expect(brief(validate(read!))).toEqual([]);
    expect(brief(validate([read!, read!]))).toEqual(["non-unique-sent-id:1"]);
  });

  it("finds the same in sentences as in their text, except for what the reader drops", () => {
    const dropped: RuleName[] = ["invalid-line", "non-unix-newline", "missing-empty-line", "empty-sentence"];
    for (const [text, from, to] of CASES) {
      const changed = text.replace(from, () => to);
      const findings = [...validateText(changed)].filter(({ rule }) => !dropped.includes(rule));
      let read: ReturnType<typeof parseConllu>;
      try {
        read = parseConllu(changed);
      } catch {
        continue;
      }
      expect([...validate(read)]).toEqual(findings);
    }
  });

  it("reports sentences that no reader would return", () => {
    const [read] = parseConllu(SMALL);
    const broken = { ...read!, rows: [{ ...read!.rows[0]!, form: "a\tb", head: -5 }, read!.rows[1]!] };
    expect(brief(validate(broken))).toEqual(["control-character:3", "invalid-head:3"]);
    expect(brief(validate({ comments: [], rows: [], line: 0 }))).toEqual(["empty-sentence:0"]);
  });

  it("never throws, for any sentence", () => {
    fc.assert(
      fc.property(sentence, (one) => {
        for (const finding of validate(one)) expect(finding.message).toContain(finding.rule);
      }),
    );
  });
});
