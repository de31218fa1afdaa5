import { ad3Decoder } from "@arcwise/decode-ad3";
import { beforeAll, describe, expect, test } from "vitest";
import { createParser, type ParserModel, type ParserOptions } from "../src/index.ts";
import { trainedParser } from "./fast-training.ts";
import { sample, TREEBANK } from "./support.ts";

const models = new Map<string, ParserModel>();
const sentences = [...TREEBANK, ...sample("dev").slice(0, 15)].map(({ sentence }) => sentence);

beforeAll(async () => {
  const some = [...TREEBANK, ...sample("train").slice(0, 10)];
  const common = { epochs: 1, labeller: "joint" } as const;
  models.set("ad3", await trainedParser(some, { ...common, decoder: "ad3", order: 2 }));
  models.set("mst", await trainedParser(some, common));
}, 60_000);

describe("a parser with the decoder ad3", () => {
  test("tells how it came to each tree, and a bound of the others", () => {
    const parser = createParser(models.get("ad3")!);
    for (const sentence of sentences) {
      const { score, bound, report } = parser.parse(sentence);
      const direct = ad3Decoder().decodeWithReport(parser.read([sentence])[0]!.problem());
      const { status, ascentIterations, iterations, nodes } = direct;
      expect(report).toEqual({ status, counts: { iterations: ascentIterations + iterations, nodes } });
      expect([score, bound]).toEqual([direct.score, direct.bound]);
      expect(report!.status === "optimal").toBe(bound === score);
    }
  });

  test("proves each tree to be the best when it is to be exact", () => {
    const loose = createParser(models.get("ad3")!, { decoder: ad3Decoder({ ascent: 1, maxIterations: 1 }) });
    const exact = createParser(models.get("ad3")!, { exact: true });
    const statuses = sentences.map((sentence) => {
      const [found, best] = [loose.parse(sentence), exact.parse(sentence)];
      expect(best.report!.status).toBe("optimal");
      expect(best.bound).toBe(best.score);
      expect(best.score).toBeLessThanOrEqual(found.bound + 1e-9);
      expect(best.score).toBeGreaterThanOrEqual(found.score - 1e-9);
      return found.report!.status;
    });
    expect(statuses).toContain("unsolved");
  });

  test("tells the same of a sentence with constraints", () => {
    const { heads, report } = createParser(models.get("ad3")!).parse(sentences[0]!, {
      constraints: { heads: [-1, 2, -1, 1] },
    });
    expect([heads[1], heads[3]]).toEqual([2, 1]);
    expect(report!.status).toBe("optimal");
  });
});

test("other decoders tell no more than score and bound", () => {
  expect(createParser(models.get("mst")!).parse(sentences[0]!).report).toBeUndefined();
});

test.each<[string, ParserOptions, string]>([
  ["mst", { exact: true }, 'exact requires the decoder ad3, got "mst"'],
  ["ad3", { decoder: "hillclimb", exact: true }, 'exact requires the decoder ad3, got "hillclimb"'],
  ["ad3", { restarts: 3 }, 'restarts requires the decoder hillclimb, got "ad3"'],
  ["ad3", { decoder: ad3Decoder(), exact: true }, "exact requires the name of a decoder, got a decoder"],
])("of a model of %s, %o do not fit", (name, options, message) => {
  expect(() => createParser(models.get(name)!, options)).toThrow(
    expect.objectContaining({ code: "invalid-option", message }),
  );
});

test("exact: false and the decoder's own options fit any decoder", () => {
  expect(() => createParser(models.get("mst")!, { exact: false })).not.toThrow();
  expect(() => createParser(models.get("ad3")!, { decoder: "hillclimb", restarts: 3 })).not.toThrow();
});
