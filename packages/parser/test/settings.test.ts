import type { ArcwiseError } from "@arcwise/core/errors";
import { LEAN_ARC_TEMPLATES, PRUNER_TEMPLATES } from "@arcwise/core/features";
import { checkOptions, mergeOptions } from "@arcwise/core/options";
import { describe, expect, test } from "vitest";
import { testOptions } from "../../../tools/option-laws.ts";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { checkTrainOptions, type TrainOptions } from "../src/index.ts";
import type { LearnerReference } from "../src/training/learners.ts";
import { PARSER_PRESETS } from "../src/training/parser-presets.ts";
import { PRESETS } from "../src/training/presets.ts";
import { networkEpochs, settingsOf } from "../src/training/settings.ts";
import { PARSER_SETTINGS } from "../src/training/train-options.ts";

const ENCODER = { name: "none", width: 4, fingerprint: "none", encode: async () => [] };

describe("the settings", () => {
  testOptions(PARSER_SETTINGS);

  test.each<[object, string, string]>([
    [{ netwrok: {} }, "netwrok", "network"],
    [{ network: { unit: 3 } }, "network.unit", "units"],
    [{ learning: { minWeights: 1 } }, "learning.minWeights", "minWeight"],
  ])("refuse names that are not there: %#", (options, place, suggestion) => {
    const error = thrownBy(() => checkOptions(PARSER_SETTINGS, options, "train")) as ArcwiseError;
    expect(error).toMatchObject({ code: "unknown-option", at: place });
    expect(error.message).toContain(`"${suggestion}"`);
  });

  test.each(PRESETS)("of the preset %s are complete, and can be given again", (preset) => {
    const { plain } = settingsOf({ preset });
    expect(settingsOf({ preset, ...PARSER_PRESETS[preset] }).plain).toEqual(plain);
  });

  test("that are given count, options of a group one by one; false switches a stage off", () => {
    const { network } = settingsOf({ preset: "balanced", network: { members: 3 } });
    expect(network).toMatchObject({ members: 3, units: 96, hiddenUnits: 64 });
    expect(settingsOf({ preset: "balanced", terms: ["features"] }).network).toBe(false);
    // Settings of features ask for features.
    expect(settingsOf({ preset: "fast" }).terms).toEqual(["network"]);
    expect(settingsOf({ preset: "fast", order: 2 })).toMatchObject({
      terms: ["network", "features"],
      network: { units: 64 },
    });
    expect(settingsOf({ preset: "linear", network: {} }).network).toMatchObject({ units: 128 });
    expect(mergeOptions(PARSER_SETTINGS, { epochs: 3 }, { epochs: undefined })).toEqual({ epochs: 3 });
  });

  test.each([
    [{}, ["network", "features"]],
    [{ partial: true }, ["network"]],
    [{ encoder: ENCODER }, ["network"]],
    [{ encoder: ENCODER, order: 2 }, ["network", "features"]],
    [{ encoder: ENCODER, terms: ["network", "features"] }, ["network", "features"]],
    [{ terms: ["network"] }, ["network"]],
  ] as const)("of the preset balanced have features where these help: %#", (given, terms) => {
    expect(settingsOf({ preset: "balanced", ...given }).terms).toEqual(terms);
  });

  test("of the preset linear are a parser of arcs", () => {
    const { plain, templates, learnerReference } = settingsOf({ preset: "linear" });
    expect(templates).toEqual({ arc: LEAN_ARC_TEMPLATES, parts: {}, pruner: PRUNER_TEMPLATES });
    expect(learnerReference).toEqual({ name: "mira" } satisfies LearnerReference);
    expect(plain).toMatchObject({
      decoder: "mst",
      order: 1,
      epochs: 10,
      prune: true,
      shards: { count: 1, mixes: 32 },
      labeller: "joint",
      network: false,
    });
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  });

  test("follow each other where they are not given", () => {
    const { plain } = settingsOf({ preset: "linear", order: 2, learner: "kbest-mira" });
    expect([plain.decoder, plain.labeller]).toEqual(["projective", "sequence"]);
    expect(settingsOf({ preset: "linear", learner: "crf" }).shards.mixes).toBe(1);
    for (const [learner, weight] of [
      ["mira", 0.2],
      ["crf", 0.8],
    ] as const) {
      expect(settingsOf({ preset: "linear", learner, network: {} }).network).toMatchObject({ weight });
      expect(settingsOf({ preset: "linear", learner, network: { weight: 3 } }).network).toMatchObject({
        weight: 3,
      });
    }
  });

  test("show a network small treebanks more often", () => {
    const epochs = { epochs: undefined, minEpochs: 12 };
    expect(networkEpochs(epochs, 20_000)).toBe(70);
    expect(networkEpochs(epochs, 200_000)).toBe(12);
    expect(networkEpochs(epochs, 300)).toBe(400);
    expect(networkEpochs({ ...epochs, epochs: 3 }, 20_000)).toBe(3);
  });
});

describe("settings that do not go together", () => {
  test.each<[Partial<ArcwiseError> & object, TrainOptions]>([
    [
      { code: "invalid-option", at: "parts" },
      { decoder: "ad3", parts: "full" },
    ],
    [{ code: "unsupported-part" }, { decoder: "mst", order: 2 }],
    [{ code: "unsupported-part" }, { order: 3, decoder: "ad3", parts: ["greatGrandparent"] }],
    [{ code: "unsupported-part" }, { global: true }],
    [
      { code: "invalid-option", at: "shards.count" },
      { learner: "lbfgs", shards: { count: 2 } },
    ],
    [
      { code: "invalid-option", at: "terms" },
      { network: {}, learner: "perceptron" },
    ],
    [
      { code: "invalid-option", at: "network.columns" },
      { network: { columns: [1, 2].map(() => ({ name: "upos", labels: [] })) } },
    ],
  ])("are refused with %j", (expected, options) => {
    expect(thrownBy(() => checkTrainOptions({ preset: "linear", ...options }))).toMatchObject(expected);
  });

  test("but those that do are accepted", () => {
    expect(() => checkTrainOptions({ order: 3, learner: "kbest-mira", prune: false })).not.toThrow();
  });
});
