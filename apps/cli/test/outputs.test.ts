import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CommandHelp, commandHelps } from "./command-helps.ts";
import { arcwise, folderWith, stepless, treebank } from "./support.ts";

const MODEL = stepless;
const DECODER = `export default () => ({
  name: "mine", trees: "any", singleRoot: true, handles: new Set(), capabilities: new Set(), decode() {},
});\n`;
const LEARNER =
  'export default () => ({ name: "mine", needs: new Set(), unit: "none", batch: false, sparse: true, train() {} });\n';
const FEATURES =
  'export default { name: "mine", features: { mine: { scope: "modifiers", features() {} } } };\n';
/**
 * Command lines that name one file, `@`, as an input and as an output. The other files are `other` (a treebank),
 * `model` and `new` (which does not exist).
 */
const CLASHES: [argv: string, content?: string | Uint8Array][] = [
  ["text @ -o @"],
  ["convert --to text @ -o @"],
  ["convert --to text other @ -o @"],
  ["search {} @ -o @"],
  ["search {} other @ --count -o @"],
  ["evaluate @ other --html @"],
  ["evaluate other @ --html @"],
  ["vectors --lexicon @ --out @"],
  ["templates --settings @ -o @", "{}"],
  ["templates --decoder @ -o @", DECODER],
  ["step parse-chunk --store store --model @ --chunk other --format text --tags given -o @", MODEL],
  ["step parse-chunk --store store --model model --chunk @ --format text --tags given -o @"],
  ["train --train @ --model @"],
  ["train --train other --silver @ --model @"],
  ["train --train other --lexicon @ --model @"],
  ["train --train other --dev @ --model @"],
  ["train --train other --vectors @ --model @"],
  ["train --train other --settings @ --model @", "{}"],
  ["train --train other --decoder @ --model @", DECODER],
  ["train --preset linear --train other --learner @ --model @", LEARNER],
  ["train --train other --settings parser.templates=@ --model @", "{}"],
  ["train --train other --settings parser.global=@ --decoder hillclimb --model @", FEATURES],
  ["train --train other --settings graphs=@ --model @"],
  ["train --train other --encoder . --model @"],
  ["tag train --train @ --model @"],
  ["tag train --train other --dev @ --model @"],
  ["tag train --train other --gazetteer @ --model @"],
  ["tag train --train other --settings @ --model @", "{}"],
  ["tag run --model @ other -o @", MODEL],
  ["train --for graphs --train @ --model @"],
  ["train --for graphs --train other --settings trees=@ --model @"],
  ["train --for graphs --train other --settings words=@ --model @"],
  ["train --for graphs --train other --settings @ --model @", "{}"],
  ["train --for graphs --train other --vectors @ --settings network.units=8 --model @"],
  ["train --for graphs --preset linear --train other --decoder @ --model @", DECODER],
  ["train --for graphs --preset linear --train other --learner @ --model @", LEARNER],
  ...["parse", "run"].flatMap((name): [string, (string | Uint8Array)?][] => [
    [`${name} @ other -o @`, MODEL],
    [`${name} --model @ other -o @`, MODEL],
    [`${name} model --tagger @ other -o @`, MODEL],
    [`${name} model --constraints @ other -o @`],
    [`${name} model --global @ other -o @`, FEATURES],
    [`${name} model --decoder @ other -o @`, DECODER],
    [`${name} model --encoder . other -o @`],
    [`${name} model --trees @ other -o @`],
    [`${name} model --words @ other -o @`],
    [`${name} model other @ -o @`],
    [`${name} model @ --output-format html -o @`],
    [`${name} model @ --input conllu --tags given --store store -o .`],
  ]),
  ["parse model @ --kbest 2 -o @"],
  ["parse model @ --input vertical -o @"],
  ["run model @ -o @"],
];

test.each<(typeof CLASHES)[number]>(CLASHES)(
  "%s is refused before anything runs: the input was replaced",
  async (argv, content = treebank) => {
    const folder = folderWith({ "@": content, other: treebank, model: MODEL });
    const files = /^(@|other|model|store|\.)$/;
    const words = argv.split(" ").map((word) => {
      const [option, value] = word.includes("=@") ? word.split("=") : [undefined, word];
      if (!files.test(value!)) return word;
      const path = join(folder, value!);
      return option === undefined ? path : `${option}=${path}`;
    });
    const { code, err } = await arcwise(words);
    expect([code, err]).toEqual([2, expect.stringContaining("would replace")]);
    expect(readFileSync(join(folder, "@")).equals(Buffer.from(content))).toBe(true);
  },
);

/** Flags whose values are names of decoders and learners, or of files. */
const MODULES = ["--decoder", "--learner"];

/** Flags of files, and `argument` where there are arguments that name files, by command: as help prints them. */
function fileSlots(helps: readonly CommandHelp[]): Map<string, Set<string>> {
  return new Map(
    helps.map(({ title, help }) => {
      const flags = [...help.matchAll(/(--[\w-]+) <(?:file|module|source|folder)(?:\.\.\.)?>/g)].map(
        ([, flag]) => flag!,
      );
      const modules = MODULES.filter((flag) => help.includes(`${flag} <name>`));
      const hasArguments = /^Usage:.*[[<](?:input|file|gold|model)/m.test(help);
      return [title, new Set([...flags, ...modules, ...(hasArguments ? ["argument"] : [])])];
    }),
  );
}

/** The slots of `@` in a command line. */
function slotsOf(argv: string): string[] {
  const words = argv.replace(/ -o /, " --output ").split(" ");
  const isFlag = (word: string | undefined) => word?.startsWith("--") === true && word !== "--count";
  return words.flatMap((word, k) => {
    const setting = /(?:parser\.)?(decoder|learner)=@$/.exec(word)?.[1];
    if (setting !== undefined) return [`--${setting}`];
    // A folder in which the output is.
    if (word === "." && words[k - 1] === "--encoder") return ["--encoder"];
    if (!/(?:^|[/=])@$/.test(word)) return [];
    return [isFlag(words[k - 1]) ? words[k - 1]! : "argument"];
  });
}

/** What is tested elsewhere: inputs that may be replaced, and a model that is continued (continue.test.ts). */
const ELSEWHERE = ["tag run argument", "train --continue"];
const OTHER_COMMANDS = ["plan", "package"];

test("every file that a command with outputs reads is in the table", async () => {
  const covered = new Map<string, Set<string>>();
  const slots = fileSlots((await commandHelps()).slice(1));
  for (const [argv] of CLASHES) {
    const command = [...slots.keys()].filter((name) => `${argv} `.startsWith(`${name} `)).at(-1)!;
    covered.set(command, new Set([...(covered.get(command) ?? []), ...slotsOf(argv)]));
  }
  const outputs = ["--output", "--out", "--html"];
  for (const [command, expected] of slots) {
    const isWriter = outputs.some((flag) => expected.has(flag)) || /train$/.test(command);
    if (!isWriter || OTHER_COMMANDS.includes(command)) continue;
    const isTested = (slot: string) =>
      covered.get(command)?.has(slot) === true || ELSEWHERE.includes(`${command} ${slot}`);
    const missing = [...expected].filter((slot) => !isTested(slot));
    expect([command, missing]).toEqual([command, []]);
  }
});

test.each([
  ["convert - - --to text"],
  ["search {} - -"],
  ["evaluate - -"],
  ["evaluate --graphs - -"],
  ["validate - -"],
  ["parse model - -"],
  ["parse model - --constraints -"],
  ["parse model - --trees -"],
  ["parse model --constraints -"],
  ["train --train - --dev - --model new"],
  ["train --train - --silver - --model new"],
  ["tag train --train - --dev - --model new"],
  ["tag train --train - --gazetteer - --model new"],
  ["train --for graphs --train - --dev - --model new"],
  ["train --train - --vectors - --model new"],
])("%s: the standard input can be one input", async (argv) => {
  const folder = folderWith({ other: treebank, model: MODEL });
  const words = argv
    .split(" ")
    .map((word) => (["other", "model", "new"].includes(word) ? join(folder, word) : word));
  expect(await arcwise(words, { stdin: treebank })).toMatchObject({
    code: 2,
    err: expect.stringContaining("standard input"),
  });
});
