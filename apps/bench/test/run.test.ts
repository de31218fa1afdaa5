import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jobSettings, type ParserJob } from "../src/jobs/parser-job.ts";
import { ParserFailed, type RunParser } from "../src/jobs/spawn-parser.ts";
import { bench, pretendToParse, smallTreebank, temporaryFolder } from "./support.ts";

interface Results {
  readonly command: string;
  readonly seed: number;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly results: {
    readonly decoders: readonly {
      name: string;
      set: string;
      cells: readonly Record<string, number>[];
      growth?: object;
    }[];
    readonly operations: readonly { name: string }[];
    readonly parsers: readonly Record<string, number>[];
    readonly comparisons: readonly object[];
    readonly seeds: readonly object[];
    readonly refused: readonly { reason: string }[];
  };
}

const readResults = (path: string): Results => JSON.parse(readFileSync(path, "utf8")) as Results;

describe("decoders", () => {
  test("times the requested decoders, and writes all results as JSON", async () => {
    const json = join(temporaryFolder(), "times.json");
    const line =
      "decoders --decoder mst eisner --set dense --length 20 10 50 --no-operations --time 1 --seed 3";
    const { code, out } = await bench([...line.split(" "), "--json", json]);
    expect(code).toBe(0);
    expect(out).toContain("n = 50");
    expect(out).not.toContain("projective, siblings");
    const { results, environment, command, seed } = readResults(json);
    expect(seed).toBe(3);
    expect(command).toBe(`npm run bench -- ${line} --json ${json}`);
    expect(environment).toMatchObject({ node: process.versions.node });
    expect(results.operations).toEqual([]);
    expect(results.decoders.map(({ name }) => name).sort()).toEqual(["eisner", "mst"]);
    for (const { cells, growth } of results.decoders) {
      expect(cells.map(({ n }) => n)).toEqual([10, 20, 50]);
      expect(growth).toMatchObject({ from: 10, to: 50, points: 3 });
      for (const { low, median, high, certified, problems } of cells) {
        expect(low).toBeLessThanOrEqual(median!);
        expect(median).toBeLessThanOrEqual(high!);
        expect(certified).toBe(1);
        expect(problems).toBe(8);
      }
    }
  });

  test("leaves out lengths that would take too long", async () => {
    const json = join(temporaryFolder(), "times.json");
    const line =
      "decoders --decoder projective-tri-sibling --set dense --no-operations --time 1 --limit 1 --full";
    await bench([...line.split(" "), "--json", json]);
    const [series] = readResults(json).results.decoders;
    expect(series!.cells.length).toBeGreaterThanOrEqual(2);
    expect(series!.cells.length).toBeLessThan(5);
  });

  test.each([
    { code: 2, argv: ["--decoder", "cky"], says: 'no decoder is named "cky"; there are ' },
    { code: 2, argv: ["--set", "sprase"], says: "expected a score set out of dense" },
    { code: 2, argv: ["--time", "linear"], says: "Expected an integer >= 1." },
    { code: 1, argv: ["--set", "real", "--treebank", "/nonexistent"], says: "/nonexistent: no such folder" },
    { code: 1, argv: ["--set", "real", "--model", "/nonexistent"], says: "/nonexistent" },
  ])("refuses $argv with a message and exit code $code", async ({ code: expected, argv, says }) => {
    const { code, out, err } = await bench(["decoders", ...argv]);
    expect(code).toBe(expected);
    expect(err).toContain(says);
    expect(err).not.toContain("    at ");
    expect(out).toBe("");
  });
});

describe("parsers", () => {
  test("compares every parser with every other, and lists refused ones", async () => {
    const json = join(temporaryFolder(), "parsers.json");
    const argv = "--decoder mst eisner --order 1 2 --epochs 1 --split dev --json".split(" ");
    const { code, out, err } = await bench(["parsers", "--treebank", smallTreebank(25), ...argv, json], {
      runParser: pretendToParse,
    });
    expect(code).toBe(0);
    expect(err).toMatch(/3 of 3, \d+ s left: UD_Small, Arcwise eisner order 2: epoch 1\/1/);
    expect(out).toContain("UD_Small, dev\n");
    expect(out).toContain("Not there: mst order 2: mst cannot score parts");
    const { parsers, comparisons, refused } = readResults(json).results;
    const names = ["Arcwise eisner order 1", "Arcwise eisner order 2", "Arcwise mst order 1"];
    expect(parsers.map(({ parser }) => `${parser}`).sort()).toEqual(names);
    expect(comparisons).toHaveLength(3);
    expect(refused).toHaveLength(1);
    for (const one of parsers)
      expect(one).toMatchObject({ wordsPerSecond: 4321, peakMemory: 2e8, recall: 0.995 });
    const [second, third, first] = names.map((name) => {
      const { scores } = parsers.find(({ parser }) => `${parser}` === name)!;
      return (scores as unknown as { uas: number }).uas;
    });
    expect(second).toBe(first);
    expect(first).toBeLessThan(0.9);
    expect(third).toBe(1);
    const differences = (comparisons as { uas: { difference: number; pValue: number } }[]).map(
      ({ uas }) => uas,
    );
    const sizes = differences.map(({ difference }) => Math.abs(difference)).sort((a, b) => a - b);
    expect(sizes).toEqual([0, 1 - first!, 1 - first!]);
    for (const { difference, pValue } of differences) {
      if (difference === 0) expect(pValue).toBe(1);
      else expect(pValue).toBeLessThan(0.01);
    }
  });

  test("shows other parsers of the same treebank when their figures are there", async () => {
    const data = temporaryFolder();
    const file = join(data, "reference", "parsers.json");
    mkdirSync(join(data, "reference"));
    const figures = {
      uas: 77.77,
      las: 66.66,
      train_s: 5,
      train_mb: 100,
      words_per_second: 1234,
      model_mb: 9,
    };
    const rows = ["UD_Small", "UD_Other"].map((treebank) => ({
      parser: `Of ${treebank}`,
      treebank,
      ...figures,
    }));
    writeFileSync(file, JSON.stringify({ note: "long ago", rows }));
    const argv = ["parsers", "--treebank", smallTreebank(8), "--parser", "mst"];
    const shown = (...more: string[]) => bench([...argv, ...more], { data, runParser: pretendToParse });
    const { out } = await shown();
    for (const part of ["Of UD_Small", "77.77", "66.66", "1,234", "long ago"]) expect(out).toContain(part);
    expect(out).not.toContain("UD_Other");
    // They are of the test split, and learned from all sentences.
    expect((await shown("--split", "dev")).out).not.toContain("Of UD_Small");
    const quick = await shown("--quick");
    expect(quick.out).not.toContain("Of UD_Small");
    expect(quick.out).toContain("Sentences of training: 8; epochs: 1; sentences of the test: 8");
    writeFileSync(file, JSON.stringify({ rows: [{ parser: "x" }] }));
    expect((await shown()).err).toContain("every row needs parser, treebank, uas");
  });

  test("trains a parser once that is named, and that combinations have", async () => {
    const jobs: ParserJob[] = [];
    const runParser: RunParser = (job, tell) => pretendToParse(jobs[jobs.push(job) - 1]!, tell);
    const argv = ["--parser", "mst", "--decoder", "mst", "eisner", "--order", "1"];
    await bench(["parsers", "--treebank", smallTreebank(8), ...argv], { runParser });
    expect(jobs.map(({ name }) => name)).toEqual(["Arcwise mst order 1", "Arcwise eisner order 1"]);
  });

  test("trains with several seeds, and parses with the decoders of the others", async () => {
    const json = join(temporaryFolder(), "parsers.json");
    const jobs: ParserJob[] = [];
    const runParser: RunParser = async (job, tell) => {
      jobs.push(job);
      const run = await pretendToParse(job, tell);
      const las = (i: number) => 0.4 + i / 10;
      const names = job.parseWith ?? [];
      return { ...run, otherDecoders: names.map((decoder, i) => ({ decoder, uas: 0.5, las: las(i) })) };
    };
    const chosen = [
      "--parser",
      "mst",
      "--parser",
      "eisner --seed 7",
      "--seeds",
      "3",
      "--seed",
      "5",
      "--matrix",
    ];
    const argv = ["parsers", "--treebank", smallTreebank(8), ...chosen, "--json", json];
    const { code, out } = await bench(argv, { runParser });
    expect(code).toBe(0);
    const seedOf = ({ options }: ParserJob) => options[options.lastIndexOf("--seed") + 1];
    expect(jobs.map(seedOf)).toEqual(["5", "6", "7", "7", "8", "9"]);
    expect(jobs[0]!.parseWith).toEqual(["mst", "eisner"]);
    expect(jobs[1]!.parseWith).toBeUndefined();
    expect(readResults(json).results.seeds).toMatchObject([
      { parser: "Arcwise mst order 1", seeds: [5, 6, 7], las: [1, 1, 1] },
      { seeds: [7, 8, 9] },
    ]);
    for (const part of ["100.00 ± 0.00", "by eisner", "50.00"]) expect(out).toContain(part);
  });

  test("requires a treebank with one file per split", async () => {
    const folder = smallTreebank(5);
    copyFileSync(join(folder, "small-ud-train.conllu"), join(folder, "other-train.conllu"));
    const { code, err } = await bench(["parsers", "--treebank", folder, "--parser", "mst"]);
    expect(code).toBe(1);
    expect(err).toContain("expected one file *train.conllu, got other-train.conllu, small-ud-train.conllu");
    expect((await bench(["parsers"])).code).toBe(2);
  });

  test("takes parsers by the options of arcwise train, in addition to combinations", async () => {
    const json = join(temporaryFolder(), "parsers.json");
    const best = "ad3 --order 3 --settings parser.parts=full --settings parser.network.units=128";
    const chosen = ["--parser", best, "--parser", "--order 2 --decoder eisner", "--epochs", "1"];
    const argv = ["parsers", "--treebank", smallTreebank(10), ...chosen, "--json", json];
    const jobs: ParserJob[] = [];
    const runParser: RunParser = (job, tell) => pretendToParse(jobs[jobs.push(job) - 1]!, tell);
    const { code, out } = await bench(argv, { runParser });
    expect(code).toBe(0);
    const names = ["Arcwise ad3 order 3, parts=full, network.units=128", "Arcwise eisner order 2"];
    expect(readResults(json).results.parsers.map(({ parser }) => parser)).toEqual(names);
    for (const name of names) expect(out).toContain(name.replace("Arcwise ", ""));
    expect(jobs[0]!.options).toEqual(["--epochs", "1", "--seed", "1", "--decoder", ...best.split(" ")]);
    // The command has the same options: training gets the same values.
    expect(await jobSettings(jobs[0]!.options)).toMatchObject({
      decoder: "ad3",
      order: 3,
      parts: "full",
      network: { units: 128 },
      epochs: 1,
    });
  });

  test.each([
    ["an unknown option", ["--parser", "mst --ordre 1"], "\"mst --ordre 1\": unknown option '--ordre'"],
    ["parts that the decoder does not score", ["--parser", "mst --order 2"], "mst cannot score parts"],
    ["a file", ["--parser", "mst --dev x"], "unknown option '--dev'"],
    ["a setting", ["--parser", "mst --global ./x.mjs"], "give --settings parser.global=VALUE"],
    ["the same twice", ["--parser", "mst", "--parser", "mst"], "is given twice"],
    ["combinations none of which exists", ["--decoder", "mst", "--order", "2"], "mst cannot score parts"],
  ])("refuses %s in one line before anything runs, with exit code 2", async (_what, argv, says) => {
    const runParser = () => Promise.reject(new Error("ran"));
    const { code, err, out } = await bench(["parsers", "--treebank", smallTreebank(4), ...argv], {
      runParser,
    });
    expect(err).toContain(says);
    expect([code, out, err.trim().split("\n").length]).toEqual([2, "", 1]);
  });

  test("names every missing folder in one line before anything runs, with exit code 1", async () => {
    const runParser = () => Promise.reject(new Error("ran"));
    const argv = ["parsers", "--treebank", "/absent/one", smallTreebank(4), "/absent/two"];
    const { code, err } = await bench(argv, { runParser });
    expect(err).toBe("arcwise-bench: /absent/one: no such folder; /absent/two: no such folder\n");
    expect(code).toBe(1);
  });

  test("ends with exit code 1 when a parser fails, after the tables of the others", async () => {
    const argv = ["--parser", "mst", "--parser", "eisner", "--epochs", "1"];
    const runParser: RunParser = (job, tell) =>
      job.options.includes("mst")
        ? Promise.reject(new ParserFailed("out of memory: 4 GB"))
        : pretendToParse(job, tell);
    const { code, err, out } = await bench(["parsers", "--treebank", smallTreebank(9), ...argv], {
      runParser,
    });
    expect(code).toBe(1);
    expect(out).toContain("eisner order 1");
    expect(err).toContain("1 of 2 parsers failed: UD_Small, Arcwise mst order 1: out of memory: 4 GB\n");
  });

  test("goes on after an interruption with what was measured", async () => {
    const json = join(temporaryFolder(), "parsers.json");
    const argv = ["parsers", "--treebank", smallTreebank(9), "--parser", "mst", "--parser", "eisner"];
    const ran: string[] = [];
    const runParser =
      (broken: boolean): RunParser =>
      (job, tell) => {
        ran.push(job.name);
        if (broken && job.options.includes("eisner")) throw new TypeError("a fault");
        return pretendToParse(job, tell);
      };
    expect((await bench([...argv, "--json", json], { runParser: runParser(true) })).code).toBe(3);
    expect(existsSync(json)).toBe(false);
    expect(existsSync(`${json}.partial`)).toBe(true);
    const { code, err } = await bench([...argv, "--json", json], { runParser: runParser(false) });
    expect(code).toBe(0);
    expect(err).toContain("1 of 2: UD_Small, Arcwise mst order 1: measured before");
    expect(ran).toEqual(["Arcwise mst order 1", "Arcwise eisner order 1", "Arcwise eisner order 1"]);
    expect(readResults(json).results.parsers).toHaveLength(2);
    expect(existsSync(`${json}.partial`)).toBe(false);
    // With another seed nothing is taken over.
    await bench([...argv, "--json", json], { runParser: runParser(true) });
    await bench([...argv, "--seed", "2", "--json", json], { runParser: runParser(false) });
    expect(ran.slice(-2)).toEqual(["Arcwise mst order 1", "Arcwise eisner order 1"]);
  });
});

test("help names the commands, and an unknown one is refused", async () => {
  const { code, out } = await bench(["--help"]);
  expect(code).toBe(0);
  for (const name of ["start", "decoders", "parsers", "compare"]) expect(out).toContain(`  ${name}`);
  expect((await bench(["parse"])).code).toBe(2);
});

test("a fault of the program ends with exit code 3, and with a stack to report", async () => {
  const argv = ["parsers", "--treebank", smallTreebank(6), "--decoder", "mst", "--epochs", "1"];
  const runParser = () => Promise.reject(new TypeError("x is undefined"));
  const { code, err } = await bench(argv, { runParser });
  expect(code).toBe(3);
  expect(err).toMatch(/arcwise-bench: TypeError: x is undefined\n {4}at /);
});
