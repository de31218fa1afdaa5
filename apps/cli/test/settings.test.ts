import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSER_PRESETS } from "@arcwise/parser";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { trainCommand } from "../src/commands/train.ts";
import { readSettings } from "../src/settings/document.ts";
import { TRAIN_TABLE } from "../src/settings/tables.ts";
import { trainSettings } from "../src/settings/train-settings.ts";
import { commandHelps } from "./command-helps.ts";
import { settingsPage } from "./settings-page.ts";
import { arcwise, inFolder, settings, treebank } from "./support.ts";

/** Prints the settings of a command line. */
async function printed(command: readonly string[], ...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await arcwise([...command, "--print-settings", ...argv]);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const TRAIN = ["train"];
const GRAPHS = ["train", "--for", "graphs"];
const SHORT = { preset: "linear", jackknife: 2, tokenizer: { epochs: 1 }, tagger: { epochs: 1 } };

test("the reference page is the table (npx vitest run cli/test/settings -u writes it)", async () => {
  await expect(settingsPage()).toMatchFileSnapshot("../../../docs/reference/settings.md");
});

test("the reference page of the command has the help of each command, in its order", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/command.md"), "utf8");
  const sections = [...page.matchAll(/^(?:## ([a-z].*)\n\n)?```help\narcwise (.*)--help --all\n```$/gm)];
  const titles = (await commandHelps()).map(({ title }) => title);
  expect(sections.map(([, heading = "", command]) => [heading, command!.trim()])).toEqual(
    titles.map((title) => [title, title]),
  );
});

test("the command has at most 23 flags", () => {
  const { options } = trainCommand({} as Parameters<typeof trainCommand>[0], () => {}) as Command;
  expect(options.length).toBeLessThanOrEqual(23);
});

describe("settings that are printed", () => {
  test.each<[string[], string[]]>([
    ...Object.keys(PARSER_PRESETS).flatMap((preset): [string[], string[]][] => [
      [TRAIN, ["--preset", preset]],
      [GRAPHS, ["--preset", preset]],
    ]),
    [TRAIN, ["--for", "tagged", "--decoder", "eisner", "--order", "3", "--learner", "svm"]],
    [TRAIN, ["--decoder", "hillclimb", ...settings({ parser: { global: true, prune: false } })]],
    [TRAIN, settings({ parser: { templates: { arc: { remove: ["h.upos m.upos"] } } }, seed: 7 })],
    [
      TRAIN,
      [
        "--settings",
        "parser.network.units=8",
        "--vectors",
        "words.vec",
        ...settings({ vectors: { minPrefix: 3 } }),
      ],
    ],
    [
      GRAPHS,
      [
        ...settings({
          parts: ["sibling"],
          trees: "columns",
          words: ["w"],
          learner: "mira",
          costs: { falsePositive: 1 },
        }),
      ],
    ],
  ])("%j %j are settings that print the same", async (command, argv) => {
    const text = await printed(command, ...argv);
    const purpose = argv[0] === "--for" ? argv.slice(0, 2) : [];
    expect(await printed(command, ...purpose, "--settings", text)).toBe(text);
  });

  test.each([
    ["true", true],
    ["false", false],
  ])("have parser.global=%s as %j, rather than as the name of a module", async (text, value) => {
    const argv = ["--decoder", "hillclimb", "--settings", `parser.global=${text}`];
    const { parser } = JSON.parse(await printed(TRAIN, ...argv)) as { parser: { global: unknown } };
    expect(parser.global).toBe(value);
  });

  test("train the same model", async () => {
    const { run, bytes } = inFolder({ train: treebank });
    const short = settings({ ...SHORT, parser: { network: { units: 8, epochs: 1 }, epochs: 1 } });
    const train = async (name: string, ...argv: string[]) => {
      expect(await run(`train --train @train --model @${name} --threads 1`, ...argv)).toMatchObject({
        code: 0,
      });
      return bytes(name);
    };
    const model = await train("one", ...short);
    expect((await train("two", "--settings", await printed(TRAIN, ...short))).equals(model)).toBe(true);
  });
});

test("flags win over files, later files over earlier ones, and files over the preset", async () => {
  const given = [...settings({ parser: { epochs: 3, order: 2 } }), ...settings({ parser: { epochs: 4 } })];
  const options = await trainSettings(["--preset", "accurate", ...given, "--order", "3"]);
  expect(options).toMatchObject({ preset: "accurate", order: 3, epochs: 4 });
  const all = JSON.parse(await printed(TRAIN, "--preset", "accurate", ...given, "--order", "3"));
  expect(all).toMatchObject({
    preset: "accurate",
    jackknife: 5,
    parser: { decoder: "hillclimb", order: 3, epochs: 4, network: { units: 96 } },
  });
});

test.each<[string, object]>([
  ["seed=7", { seed: 7 }],
  ["parser.network.units=64", { parser: { network: { units: 64 } } }],
  ["parser.terms=network,features", { parser: { terms: ["network", "features"] } }],
  ["parser.terms=network", { parser: { terms: ["network"] } }],
  ["parser.parts=headBigram, sibling", { parser: { parts: ["headBigram", "sibling"] } }],
  ["parser.parts=full", { parser: { parts: "full" } }],
  ["parser.multipleRoots=true", { parser: { multipleRoots: true } }],
  ["parser.global=./mine.mjs", { parser: { global: "./mine.mjs" } }],
  ["vectors.file=a=b.vec", { vectors: { file: "a=b.vec" } }],
])("one setting by its name: %s is %j", async (source, document) => {
  expect(await readSettings(source, TRAIN_TABLE)).toEqual(document);
});
