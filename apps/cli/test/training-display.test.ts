import type { TrainingProgress } from "@arcwise/core/training";
import { describe, expect, test } from "vitest";
import type { Io } from "../src/files/io.ts";
import { figuresOf, trainingDisplay } from "../src/training/training-display.ts";

/** A standard error that keeps what is written to it. */
function stderrOf(isTTY: boolean) {
  const written: string[] = [];
  const stderr = {
    isTTY,
    columns: 80,
    write: (text: string) => written.push(text) > 0,
    on: () => {},
    removeListener: () => {},
  };
  return { io: { stderr } as unknown as Io, text: () => written.join("") };
}

const AT = { epoch: 1, epochs: 2, epochDone: false, share: 0, trainingShare: 0 } as const;
const REPORTS: readonly TrainingProgress[] = [
  { ...AT, step: "tagger", target: "upos", share: 0.25, trainingShare: 0.1 },
  {
    ...AT,
    step: "tagger",
    target: "upos",
    epoch: 2,
    epochDone: true,
    share: 0.5,
    trainingShare: 0.2,
    dev: { upos: 95 },
  },
  {
    ...AT,
    step: "tagger",
    target: "xpos",
    epoch: 2,
    epochDone: true,
    share: 1,
    trainingShare: 0.4,
    dev: { xpos: 91 },
  },
  {
    ...AT,
    step: "network",
    epochDone: true,
    share: 0.5,
    trainingShare: 0.7,
    loss: { value: 0.5, per: "word" },
  },
  {
    ...AT,
    step: "network",
    epoch: 2,
    epochDone: true,
    share: 1,
    trainingShare: 1,
    loss: { value: 0.25, per: "word" },
  },
];

describe("the progress of a training", () => {
  test("is a line for each step that is done where there is no terminal", () => {
    const { io, text } = stderrOf(false);
    const shown = trainingDisplay(io);
    for (const at of REPORTS) shown.show(at);
    shown.stop();
    expect(text()).toMatch(
      /^tagger done after \d+\.\d s; dev upos 95\.00; dev xpos 91\.00\nnetwork done after \d+\.\d s; loss per word 0\.2500\n$/,
    );
  });

  test("has the epochs as well with --verbose", () => {
    const { io, text } = stderrOf(false);
    const shown = trainingDisplay(io, { verbose: true });
    for (const at of REPORTS) shown.show(at);
    expect(text().match(/^.* \d\/2: .*$/gm)).toEqual([
      "tagger, upos 2/2: dev upos 95.00",
      "tagger, xpos 2/2: dev xpos 91.00",
      "network 1/2: loss per word 0.5000",
      "network 2/2: loss per word 0.2500",
    ]);
  });

  test("is one bar for the whole training on a terminal, with the time left", () => {
    const { io, text } = stderrOf(true);
    const shown = trainingDisplay(io);
    for (const at of REPORTS) shown.show(at);
    shown.stop();
    expect(text()).toContain("10% | tagger");
    expect(text()).toMatch(/40% \| tagger \| 0:\d\d left|70% \| network \| 0:\d\d left/);
    expect(text()).toContain("network done after");
  });

  test("says what a training error is of", () => {
    const error = { share: 0.0123, of: "heads and labels" };
    expect(figuresOf({ ...AT, step: "weights", error, dev: { uas: 90, las: 88.5 } })).toBe(
      "training error of heads and labels 1.23 %, dev UAS 90.00 LAS 88.50",
    );
  });
});
