import type { Edge, ShownSentence } from "../src/report/page/sentences.ts";
import { accuracyPlot, timePlot } from "../src/report/plots.ts";
import { left, type Report, right } from "../src/report/report.ts";
import { environment } from "../src/results/environment.ts";

/** Returns the edges of a tree from heads and labels, one per word. */
export function tree(heads: string, labels: string): Edge[] {
  const names = labels.split(" ");
  return heads.split(" ").map((head, i) => ({ head: Number(head), modifier: i + 1, label: names[i]! }));
}

const gold = tree("2 0 4 2 2", "nsubj root mark xcomp punct");
const relabelled = tree("2 0 4 2 2", "nsubj root mark obj punct");
const reattached = tree("2 0 2 2 4", "nsubj root mark xcomp punct");

/** Three sentences by two contestants: both right, one wrong, both wrong. */
export const sentences: readonly ShownSentence[] = [
  { index: 0, forms: ["Cats", "want", "to", "sleep", "."], graphs: [gold], found: [0, 0] },
  { index: 4, forms: ["Dogs", "hate", "to", "wait", "."], graphs: [gold, relabelled], found: [0, 1] },
  {
    index: 7,
    forms: ["<script>", "</script>", "to", "sleep", "!"],
    graphs: [gold, relabelled, reattached],
    found: [1, 2],
  },
];

const names = Array.from({ length: 12 }, (_, i) => `decoder number ${i + 1}, with a long name`);

/** A report with all kinds of content: text, a wide table, plots of crowded points, and sentences. */
export const pageExample: Report = {
  title: "Tests of the page",
  command: "npm run bench -- compare --with a-module-whose-name-does-not-end-at-the-edge-of-a-phone.mjs",
  environment: environment(),
  sections: [
    {
      title: "Figures",
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
      title: "Sentences of two contestants",
      figures: [],
      tables: [],
      sentences: { contestants: ["first", "second"], sentences },
    },
  ],
};
