import type { ModelReliability } from "../measures/reliability.ts";
import { formatInteger, formatPercent, threeDigits } from "../results/format.ts";
import { reliabilityPlot } from "./plots.ts";
import { left, right, type Section } from "./report.ts";

/** Number of models in the figure. */
const MAX_DRAWN = 6;

/** A model and the reliability of its probabilities. */
export interface NamedReliability {
  readonly name: string;
  readonly reliability: ModelReliability | undefined;
}

/** Returns the probabilities of a model with temperature 1, where it has another one. */
function beforeOf(name: string, reliability: ModelReliability) {
  const { uncalibrated } = reliability;
  if (uncalibrated === undefined) return [];
  return [{ ...reliability, ...uncalibrated, name: `${name}, temperature 1`, temperature: 1 }];
}

/** Returns the reliability of the probabilities of heads (ArcP) of models; nothing where none was measured. */
export function reliabilityOf(models: readonly NamedReliability[]): Pick<Section, "figures" | "tables"> {
  const measured = models.flatMap(({ name, reliability }) =>
    reliability === undefined ? [] : [{ name, ...reliability }, ...beforeOf(name, reliability)],
  );
  if (measured.length === 0) return { figures: [], tables: [] };
  const drawn = measured.toSorted((a, b) => a.error - b.error).slice(0, MAX_DRAWN);
  const points = drawn.flatMap(({ name, bins }) => bins.map((bin) => ({ series: name, ...bin })));
  return {
    figures: [
      {
        title: "Reliability of ArcP",
        note:
          "Probability against correctness: below the diagonal the model is too sure of itself. The size of a point is the " +
          "number of heads." +
          (measured.length > drawn.length ? ` Drawn: the ${MAX_DRAWN} with the lowest error.` : ""),
        drawing: reliabilityPlot(points),
      },
    ],
    tables: [
      {
        title: "Calibration of ArcP",
        columns: [
          left("model"),
          right(
            "calibration error %",
            "Expected calibration error: the distance of probability and share of right heads, averaged over ten " +
              "bins, weighted by the heads in them.",
          ),
          right(
            "temperature",
            "The divisor of scores that training learned on a development set, compared with 1; without one, " +
              "probabilities of margin learners only rank arcs.",
          ),
          left("sums", "Exact: over all trees. Arcs: of a model of arcs around the best tree."),
          right("heads"),
        ],
        rows: measured.map(({ name, error, temperature, method, count }) => [
          name,
          formatPercent(error),
          temperature === undefined ? "–" : threeDigits(temperature),
          method,
          formatInteger(count),
        ]),
      },
    ],
  };
}
