import { NoTree, UnsupportedPart } from "@arcwise/core";
import { eisnerDecoder, mstDecoder, plainEisnerDecoder, plainMstDecoder } from "@arcwise/decode-mst";
import * as whole from "@arcwise/parser";
import { createParser, loadParser, ModelError } from "@arcwise/parser/parse";
import { beforeAll, describe, expect, it } from "vitest";
import { parserFile } from "./fast-training.ts";
import { TREEBANK, withCode } from "./support.ts";

describe("@arcwise/parser/parse", () => {
  const examples = TREEBANK;
  const files: Record<string, Uint8Array> = {};

  beforeAll(async () => {
    for (const [name, options] of Object.entries({
      mst: { epochs: 2 },
      eisner: { decoder: "eisner", epochs: 2 },
      second: { order: 2, epochs: 1 },
    } as const)) {
      files[name] = await parserFile(examples, options);
    }
  });

  it.each([
    ["mst", plainMstDecoder],
    ["mst", mstDecoder],
    ["eisner", plainEisnerDecoder],
    ["eisner", eisnerDecoder],
  ])("parses as the parser with built-in decoders: %s", (name, make) => {
    const expected = whole.createParser(whole.loadParser(files[name]!));
    const parser = createParser(loadParser(files[name]!), { decoder: make() });
    for (const { sentence } of examples) {
      expect(parser.parse(sentence)).toEqual(expected.parse(sentence));
      const constraints = { forbiddenArcs: [[0, 1]] as [number, number][] };
      if (sentence.length > 1) {
        expect(parser.parse(sentence, { constraints })).toEqual(expected.parse(sentence, { constraints }));
      }
    }
  });

  it("ranks and sums also by a decoder without capabilities", () => {
    const plain = createParser(loadParser(files.mst!), { decoder: plainMstDecoder() });
    const capable = createParser(loadParser(files.mst!), { decoder: mstDecoder() });
    const [own, expected] = [plain, capable].map((parser) => parser.read([examples[0]!.sentence])[0]!);
    const scores = (reading: typeof own) => reading!.kBest(4).map(({ score }) => score.toFixed(9));
    expect(scores(own)).toEqual(scores(expected));
    expect(own!.marginals()).toEqual(expected!.marginals());
  });

  it("unknown options are refused, and wrong values", () => {
    const model = whole.loadParser(files.mst!);
    const misspelt = { decoder: mstDecoder(), globl: undefined } as {
      decoder: ReturnType<typeof mstDecoder>;
    };
    expect(() => createParser(model, misspelt)).toThrow(withCode("unknown-option"));
    expect(() => whole.createParser(model, { exakt: true } as whole.ParserOptions)).toThrow(
      withCode("unknown-option"),
    );
    expect(() => whole.createParser(model, { decoder: "hillclimb", restarts: 0 })).toThrow(
      withCode("invalid-option"),
    );
  });

  it("constraints that no tree meets are refused", () => {
    const parser = createParser(loadParser(files.mst!), { decoder: plainMstDecoder() });
    const { sentence } = examples[0]!;
    const forbiddenArcs = sentence.map((_, i): [number, number] => [0, i + 1]);
    expect(() => parser.parse(sentence, { constraints: { forbiddenArcs } })).toThrow(NoTree);
  });

  it("a decoder that does not score the parts of the model is refused", () => {
    const model = loadParser(files.second!);
    expect(() => createParser(model, { decoder: plainMstDecoder() })).toThrow(UnsupportedPart);
  });

  it("what is no decoder, and what is no model, is refused", () => {
    const model = loadParser(files.mst!);
    expect(() => createParser(model, {} as never)).toThrow("the option decoder: expected a decoder");
    expect(() => createParser({} as never, { decoder: plainMstDecoder() })).toThrow(
      withCode("invalid-argument"),
    );
    expect(() => loadParser(files.mst!.subarray(0, 100))).toThrow(ModelError);
  });
});
