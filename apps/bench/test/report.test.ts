import { array, assert, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { StepProgress } from "../src/command/step-progress.ts";
import type { ModelReliability } from "../src/measures/reliability.ts";
import { htmlReport } from "../src/report/html.ts";
import { accuracyPlot, paretoFront, reliabilityPlot, timePlot } from "../src/report/plots.ts";
import { reliabilityOf } from "../src/report/reliability.ts";
import { left, type Report, right } from "../src/report/report.ts";
import { terminalReport, terminalTable } from "../src/report/terminal.ts";
import { environment } from "../src/results/environment.ts";
import { nestingFaults, outsideReferences } from "./support.ts";

const names = ["mst", '<eisner> & "co"'];
const report: Report = {
  title: "Tests <of> reports",
  command: "npm run bench -- decoders --set 'a & b'",
  environment: environment(),
  sections: [
    {
      title: "Times",
      text: "1 < 2 & so on",
      figures: [
        {
          title: "dense",
          note: "all arcs",
          drawing: timePlot(
            [10, 100].flatMap((n) =>
              names.map((series, i) => ({
                series,
                n,
                median: n * (i + 1),
                low: n / 2,
                high: n * 3,
              })),
            ),
          ),
        },
      ],
      tables: [
        {
          title: "T",
          columns: [left("name"), right("n = 10")],
          rows: [["<mst>", "1.00 µs\n0.9–1.1"]],
          note: "a note",
        },
      ],
    },
  ],
};

describe("the HTML report", () => {
  const html = htmlReport(report, "");

  test("is well-formed, without external references", () => {
    expect(nestingFaults(html)).toEqual([]);
    expect(outsideReferences(html)).toEqual([]);
  });

  test("escapes text", () => {
    expect(html).toContain("<h1>Tests &lt;of&gt; reports</h1>");
    expect(html).toContain("1 &lt; 2 &amp; so on");
    expect(html).toContain("&lt;mst&gt;");
    expect(html).not.toContain("<mst>");
    expect(html).not.toContain("<eisner>");
  });

  test("says where and how it was made, and keeps the second line of a cell small", () => {
    for (const part of [process.versions.node, "npm run bench -- decoders", environment().cpu])
      expect(html).toContain(part);
    expect(html).toContain("1.00 µs<br><small>0.9–1.1</small>");
  });

  test("has titles and units on the axes, and a colour for each name", () => {
    expect(html).toContain("words in the sentence");
    expect(html).toContain("seconds for a sentence");
    const swatches = [...html.matchAll(/swatch"><svg[^>]* fill="(#\w+)"/g)].map(([, color]) => color);
    expect(new Set(swatches).size).toBe(names.length);
  });

  test("is legible on light and dark backgrounds", () => {
    expect(html).toContain("light-dark(");
    expect(html).toContain('stroke="currentColor"');
  });
});

test.each([
  { html: "<p><b>x</p></b>", count: 2 },
  { html: "<div>", count: 1 },
  { html: '<p>x<br>y</p><path d="M0,0" />', count: 0 },
])("nesting of $html has $count faults", ({ html, count }) => {
  expect(nestingFaults(html)).toHaveLength(count);
});

test.each([
  '<script src="x.js"></script>',
  '<a href="https://example.org">x</a>',
  "<style>a { background: url(x.png) }</style>",
])("%s refers to something outside", (html) => {
  expect(outsideReferences(html).length).toBeGreaterThan(0);
});

test("the terminal shows sections, tables, notes and both lines of cells", () => {
  const text = terminalReport(report);
  for (const part of ["Times\n=====", "<mst>", "1.00 µs", "0.9–1.1", "a note"]) expect(text).toContain(part);
  expect(text).not.toContain("<svg");
});

test("a table that is wider than the terminal is divided, with the names in each part", () => {
  const names = Array.from({ length: 12 }, (_, i) => `column ${i}`);
  const table = {
    title: "wide",
    columns: [left("name"), ...names.map((name) => right(name))],
    rows: [["a decoder with a name of many words in it", ...names.map((_, i) => `${1000 + i}`)]],
  };
  const text = terminalTable(table, 80);
  for (const line of text.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
  for (const part of [...names, "1011"]) expect(text).toContain(part);
  expect(text.match(/a decoder with/g)!.length).toBeGreaterThan(1);
  expect(terminalTable(table).split("\n")[0]!.length).toBeGreaterThan(80);
});

test("progress shows the number of the step and the time that is left", () => {
  const lines: string[] = [];
  let now = 0;
  const io = { stdout: { write: () => {} }, stderr: { write: (text: string) => lines.push(text) } };
  const progress = new StepProgress({ ...io, env: {}, argv: [] }, "EWT", () => now);
  for (const [step, time] of [
    [1, 0],
    [2, 10_000],
    [7, 120_000],
  ] as const) {
    now = time;
    progress.show("Eisner", step, 17);
  }
  expect(lines).toEqual([
    "EWT: 1 of 17: Eisner\n",
    "EWT: 2 of 17, 3 min left: Eisner\n",
    "EWT: 7 of 17, 4 min left: Eisner\n",
  ]);
});

describe("plots", () => {
  test("draw a single parser, a curve of one length and a bin of probabilities", () => {
    const one = accuracyPlot([{ label: "one", wordsPerSecond: 5, las: 0 }]);
    const curve = timePlot([{ series: "mst", n: 10, median: 1, low: 1, high: 1 }]);
    const bin = reliabilityPlot([{ series: "mst", predicted: 0.2, observed: 0.3, count: 4 }]);
    for (const drawing of [one, curve, bin]) {
      expect(nestingFaults(drawing)).toEqual([]);
      expect(drawing).not.toContain("NaN");
      expect(drawing).not.toContain("swatch");
    }
  });

  test("name each point", () => {
    const points = [
      { label: "slow one", wordsPerSecond: 1e3, las: 0.9 },
      { label: "fast one", wordsPerSecond: 1e5, las: 0.8, low: 9e4, high: 2e5 },
    ];
    const titles = [...accuracyPlot(points).matchAll(/<title>([^<]*)</g)].map(([, title]) => title);
    expect(titles).toEqual([
      "slow one: LAS 90.00 %, 1,000 words/s",
      "fast one: LAS 80.00 %, 100,000 words/s (90,000 to 200,000)",
    ]);
  });

  test("show the reliability of a model with its temperature and with 1", () => {
    const bins = [{ predicted: 0.9, observed: 0.8, count: 5 }] as unknown as ModelReliability["bins"];
    const before = { bins, error: 0.2 };
    const reliability = { bins, error: 0.1, count: 5, method: "exact", uncalibrated: before } as const;
    const own = (temperature: number | undefined) => [
      { name: "m", reliability: { ...reliability, temperature } },
    ];
    const { figures, tables } = reliabilityOf(own(0.5));
    expect(tables[0]!.rows.map(([name, error, at]) => [name, error, at])).toEqual([
      ["m", "10.00", "0.50"],
      ["m, temperature 1", "20.00", "1.00"],
    ]);
    expect(figures[0]!.drawing).toContain("m, temperature 1");
  });
});

test("nothing is better than a point of the Pareto front, and something than all others", () => {
  const scored = record({
    wordsPerSecond: integer({ min: 1, max: 9 }),
    las: integer({ min: 1, max: 9 }),
  });
  assert(
    property(array(scored), (points) => {
      const front = paretoFront(points);
      const isBetter = (a: (typeof points)[0], b: (typeof points)[0]): boolean =>
        a.wordsPerSecond >= b.wordsPerSecond &&
        a.las >= b.las &&
        (a.wordsPerSecond > b.wordsPerSecond || a.las > b.las);
      for (const point of points) {
        const isBeaten = points.some((other) => isBetter(other, point));
        const isOnFront = front.some(
          ({ wordsPerSecond, las }) => wordsPerSecond === point.wordsPerSecond && las === point.las,
        );
        expect(isOnFront).toBe(!isBeaten);
      }
    }),
  );
});
