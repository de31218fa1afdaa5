import { parseConllu } from "@arcwise/conllu";
import { headReliability } from "@arcwise/evaluate";
import { expect, test } from "vitest";

const rows = (heads: readonly number[], misc: readonly string[]) =>
  parseConllu(
    `${heads.map((h, i) => `${i + 1}\tw\t_\t_\t_\t_\t${h}\tx\t_\t${misc[i] ?? "_"}\n`).join("")}\n`,
  );

test("compares probabilities of MISC with the share of right heads", () => {
  const gold = rows([0, 1, 1, 2], []);
  const system = rows([0, 1, 2, 2], ["ArcP=1.0000", "A=1|ArcP=0.8200|B=2", "ArcP=0.8600", "_"]);
  const { count, error, bins } = headReliability(gold, system)!;
  expect(count).toBe(3);
  expect(bins[8]).toMatchObject({ count: 2, observed: 0.5 });
  expect(bins[8]!.predicted).toBeCloseTo(0.84);
  expect(error).toBeCloseTo((2 / 3) * 0.34);
});

test.each([["_"], ["ArcP=7"], ["ArcP=x"], ["NoArcP=0.5"]])(
  "is undefined where no word has a probability: %s",
  (misc) => {
    expect(headReliability(rows([0], []), rows([0], [misc]))).toBeUndefined();
  },
);
