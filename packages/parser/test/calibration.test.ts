import { beforeAll, describe, expect, test } from "vitest";
import { createParser, loadParser, type ParserModel, saveParser } from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { trainedParser } from "./fast-training.ts";
import { readingOf, sample, withCode } from "./support.ts";

let model: ParserModel;
const train = sample("train").slice(0, 120);
const dev = sample("dev").slice(0, 80);

beforeAll(async () => {
  model = await trainedParser(train, { epochs: 3, dev });
}, 60_000);

/** The mean negative log-likelihood of gold heads. */
function loss(own: ParserModel): number {
  const parser = createParser(own);
  let [sum, words] = [0, 0];
  for (const { sentence, tree } of dev) {
    const { arcs, arcProbabilities } = readingOf(parser, sentence).marginals();
    for (let m = 1; m <= arcs.n; m++) {
      for (let a = arcs.start[m]!; a < arcs.start[m + 1]!; a++) {
        if (arcs.head[a] !== tree.heads[m]) continue;
        sum -= Math.log(Math.max(1e-9, arcProbabilities[a]!));
        words++;
      }
    }
  }
  return sum / words;
}

/** The model with another temperature. */
function at(temperature: number): ParserModel {
  const { description } = model;
  return {
    ...trained(model),
    description: { ...description, calibration: { ...description.calibration!, temperature } },
  };
}

describe("a training with a development set", () => {
  test("learns the temperature at which gold heads are most probable", () => {
    const { temperature, words } = model.description.calibration!;
    expect(words).toBeGreaterThan(100);
    const best = loss(model);
    for (const factor of [0.7, 0.85, 1.2, 1.5]) expect(loss(at(factor * temperature))).toBeGreaterThan(best);
  });

  test("is undone by the temperature 1", () => {
    const { sentence } = dev[0]!;
    const own = readingOf(createParser(model), sentence);
    const plain = readingOf(createParser(at(1)), sentence);
    expect(own.marginals({ temperature: 1 })).toEqual(plain.marginals());
    for (const temperature of [0, -1, Number.NaN, Infinity])
      expect(() => own.marginals({ temperature })).toThrow(withCode("invalid-option"));
  });

  test("changes nothing but probabilities, and is kept in the file", { tags: "slow" }, async () => {
    const plain = await trainedParser(train, { epochs: 3 });
    expect(plain.description.calibration).toBeUndefined();
    const sentences = dev.map(({ sentence }) => sentence);
    const [one, other] = [model, plain].map((own) =>
      createParser(own)
        .read(sentences)
        .map((r) => r.best()),
    );
    expect(one).toEqual(other);
    const restored = loadParser(saveParser(model));
    expect(restored.description.calibration).toEqual(model.description.calibration);
    expect(createParser(restored).read(sentences)[0]!.marginals()).toEqual(
      createParser(model).read(sentences)[0]!.marginals(),
    );
  });

  test("leaves the probabilities of heads with a smaller error", () => {
    const { error, uncalibratedError } = model.description.calibration!;
    expect(error).toBeLessThan(uncalibratedError);
  });

  test.each([0, -1, Number.POSITIVE_INFINITY, "hot"])(
    "refuses a file with the temperature %s",
    (temperature) => {
      const bytes = saveParser(at(temperature as number));
      expect(() => loadParser(bytes)).toThrow("temperature");
    },
  );
});
