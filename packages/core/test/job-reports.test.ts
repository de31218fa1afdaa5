import { expect, test } from "vitest";
import { jobReports, type StepProgress } from "../src/training/index.ts";

const at = (share: number, loss?: number): StepProgress => ({
  ...{ step: "network", epoch: 1, epochs: 1, epochDone: share === 1, share },
  loss: loss === undefined ? undefined : { value: loss, per: "word" },
});

test("several jobs of a step are reported with the share of all, and their mean loss", () => {
  const found: (readonly [share: number, loss: number | undefined])[] = [];
  const report = jobReports(2, ({ share, loss }) => found.push([share, loss?.value]));
  report(0, at(0.5, 3));
  report(1, at(0.25, 1));
  report(0, at(1, 2));
  report(1, at(1, 2));
  expect(found).toEqual([
    [0.25, 3],
    [0.375, 2],
    [0.625, 1.5],
    [1, 2],
  ]);
  jobReports(1, (whole) => expect(whole).toEqual(at(0.5)))(0, at(0.5));
});
