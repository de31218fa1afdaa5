import { beforeAll, describe, expect, test } from "vitest";
import { conllu, inFolder, TRAIN_PARSER, trainedModel, treebank, UNPRUNED } from "./support.ts";

/** Models by the decoder that they were trained with. */
const models = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const [decoder, order] of [
    ["ad3", "2"],
    ["mst", "1"],
  ] as const) {
    const argv = [...TRAIN_PARSER, "--train", "@treebank", "--epochs", "1", ...UNPRUNED];
    models.set(decoder, await trainedModel([...argv, "--decoder", decoder, "--order", order]));
  }
}, 60_000);

function parse(decoder: string, input: string, ...more: string[]) {
  return inFolder({ model: models.get(decoder)! }).run("parse --model @model", ...more, { stdin: input });
}

const comments = (text: string) => text.split("\n").filter((line) => line.startsWith("#"));
const input = conllu("s", "Old/ADJ/_/_ dogs/NOUN/_/_ chase/VERB/_/_ cats/NOUN/_/_");

describe("--report", () => {
  test.each([[[]], [["--exact"]], [["--decoder", "ad3", "--exact"]]])(
    "tells how ad3 found each tree, after the other comments: %o",
    async (more) => {
      const plain = await parse("ad3", input, ...more);
      const { code, out } = await parse("ad3", input, "--report", ...more);
      expect(code).toBe(0);
      const [id, status, score, bound, iterations, nodes, ...rest] = comments(out);
      expect(id).toBe("# sent_id = s");
      expect(status).toBe("# status = optimal");
      expect(score).toMatch(/^# score = -?\d+\.\d{4}$/);
      expect(bound).toBe(score!.replace("score", "bound"));
      expect(iterations).toMatch(/^# iterations = [1-9]\d*$/);
      expect(nodes).toBe("# nodes = 0");
      expect(rest).toEqual([]);
      const isReport = /^# (?:status|score|bound|iterations|nodes) = /;
      expect(
        out
          .split("\n")
          .filter((line) => !isReport.test(line))
          .join("\n"),
      ).toBe(plain.out);
    },
  );

  test("shows a bound and no proof when the time for it is over", async () => {
    const words = Array.from(
      { length: 40 },
      (_, i) => `${["old", "dogs", "chase", "they", "."][(i * 7) % 5]}/X/_/_`,
    );
    const long = conllu("long", words.join(" "));
    const argv = ["--exact", "--seconds", "0.000001", "--report"];
    const { code, out } = await parse("ad3", long, ...argv);
    expect(code).toBe(0);
    const proven = await parse("ad3", long, "--exact", "--report");
    const numberOf = (text: string, name: string) => Number(new RegExp(`# ${name} = (.*)`).exec(text)![1]);
    expect(numberOf(out, "bound")).toBeGreaterThanOrEqual(numberOf(proven.out, "score"));
    expect(numberOf(out, "nodes")).toBeLessThan(numberOf(proven.out, "nodes"));
    expect((await parse("ad3", input, "--seconds", "1")).code).toBe(2);
    expect((await parse("ad3", input, "--exact", "--seconds", "0")).code).toBe(2);
  });

  test("takes the place of an older one, and of nothing else", async () => {
    const named = input.replace("# sent_id", "# status = draft\n# nodes = A, B\n# sent_id");
    const { out } = await parse("ad3", named, "--report");
    expect(comments(out).slice(0, 3)).toEqual(["# status = draft", "# nodes = A, B", "# sent_id = s"]);
    expect((await parse("ad3", out, "--report")).out).toBe(out);
  });

  test.each([
    ["without a report, score and bound", "mst", "mst", []],
    ["that searches, what it counts as well", "ad3", "hillclimb", ["status", "climbs", "rounds", "moves"]],
  ])("of a decoder %s (the model of %s, decoded by %s)", async (_, model, decoder, names) => {
    const { out } = await parse(model, input, "--report", "--decoder", decoder);
    const reported = comments(out).slice(1);
    expect(reported.map((line) => line.split(" ")[1])).toEqual(
      expect.arrayContaining(["score", "bound", ...names]),
    );
    expect(reported.length).toBe(2 + names.length);
    const score = reported.find((line) => line.startsWith("# score = "))!;
    expect(score).toMatch(/^# score = -?\d+\.\d{4}$/);
    expect(reported).toContain(decoder === "mst" ? score.replace("score", "bound") : "# bound = Infinity");
    expect((await parse(model, out, "--report", "--decoder", decoder)).out).toBe(out);
  });
});

test.each([
  ["mst", ["--exact"], 'exact requires the decoder ad3, got "mst"'],
  ["ad3", ["--exact", "--decoder", "hillclimb"], 'exact requires the decoder ad3, got "hillclimb"'],
  ["ad3", ["--restarts", "3"], 'restarts requires the decoder hillclimb, got "ad3"'],
  ["mst", ["--report", "--kbest", "2"], "'--report' cannot be used with option '--kbest"],
])("a model of %s with %o: an error of usage", async (model, more, message) => {
  const { code, out, err } = await parse(model, input, ...more);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
});

test("parts are in the description of the model", async () => {
  const { run } = inFolder({ train: treebank });
  const more = ["--decoder", "ad3", "--settings", "parser.parts=headBigram, sibling"];
  const line = "train --for tagged --preset linear --train @train --model @model --epochs 1 --order 2";
  expect((await run(line, ...more)).code).toBe(0);
  const { parts } = JSON.parse((await run("info --json @model")).out);
  expect(parts).toEqual(["sibling", "headBigram"]);
});
