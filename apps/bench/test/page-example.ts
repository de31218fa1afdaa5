import { accuracyPlot, timePlot } from "../src/report/plots.ts";
import { left, type Report, right } from "../src/report/report.ts";
import { environment } from "../src/results/environment.ts";

const names = Array.from({ length: 12 }, (_, i) => `decoder number ${i + 1}, with a long name`);

/** A report with all kinds of content: text, a wide table, plots of crowded points, and marks of HTML in words. */
export const pageExample: Report = {
  title: "Tests of the page",
  command: "npm run bench -- compare --with a-module-whose-name-does-not-end-at-the-edge-of-a-phone.mjs",
  environment: environment(),
  sections: [
    {
      title: "Figures",
      chapter: "Decoders",
      text: "All decoders on the same scores.",
      figures: [
        {
          title: "Accuracy against speed",
          drawing: accuracyPlot(
            names.map((label, i) => ({
              label,
              wordsPerSecond: 1000 * 1.7 ** (i % 7),
              las: 0.8 + 0.001 * ((i * 7) % 12),
            })),
          ),
        },
        {
          title: "Time by length",
          drawing: timePlot(
            names.flatMap((series, k) =>
              [10, 20, 50, 100, 200].map((n) => {
                const median = 0.001 * (k + 1) * n ** 1.5;
                return { series, n, median, low: median / 1.2, high: median * 1.3 };
              }),
            ),
          ),
        },
      ],
      tables: [
        {
          title: "Decoders",
          columns: [
            left("decoder"),
            right("LAS"),
            right("time"),
            right("p"),
            left("status"),
            right("words/s"),
          ],
          rows: [
            ["Eisner", "81.20", "900 µs\n800–1,000", "0.012", "exact", "9,000"],
            ["AD3", "84.04", "1.20 ms\n1.1–1.3", "< 0.001", "approximate", "10,500"],
            ["nothing", "", "–", "1.000", "", "750"],
          ],
          note: "A note.",
        },
      ],
    },
    {
      title: "Sentences",
      chapter: "Texts",
      figures: [],
      tables: ["first", "second", "third"].map((title) => ({
        title,
        columns: [left("text")],
        rows: [["<script> </script> to sleep !"]],
      })),
    },
  ],
};
