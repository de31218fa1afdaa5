import type { ArcwiseError } from "@arcwise/core/errors";
import { checkOptions } from "@arcwise/core/options";
import { describe, expect, test } from "vitest";
import { testOptions } from "../../../tools/option-laws.ts";
import { thrownBy } from "../../../tools/test-helpers.ts";
import { checkGraphTrainOptions, GRAPH_PRESETS, GRAPH_SETTINGS } from "../src/index.ts";

describe("the settings of graphs", () => {
  testOptions(GRAPH_SETTINGS);

  test("refuse names that are not there", () => {
    const options = { network: { epoch: 3 } };
    const error = thrownBy(() => checkOptions(GRAPH_SETTINGS, options, "train")) as ArcwiseError;
    expect(error).toMatchObject({ code: "unknown-option", at: "network.epoch" });
    expect(error.message).toContain('"epochs"');
  });

  test.each(Object.keys(GRAPH_PRESETS) as (keyof typeof GRAPH_PRESETS)[])(
    "of the preset %s are complete, and can be given again",
    (preset) => {
      const graphs = checkGraphTrainOptions({ preset });
      const again = checkGraphTrainOptions({ preset, ...GRAPH_PRESETS[preset] });
      expect({ ...again, learner: again.learner.name }).toEqual({ ...graphs, learner: graphs.learner.name });
    },
  );

  test("that do not go together are refused", () => {
    const error = thrownBy(() => checkGraphTrainOptions({ basicEpochs: 1, learner: "frank-wolfe" }));
    expect(error).toMatchObject({ code: "invalid-option", at: "basicEpochs" });
  });
});
