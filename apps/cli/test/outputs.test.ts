import { expect, test } from "vitest";
import { type CommandHelp, commandHelps } from "./command-helps.ts";
import { inFolder, stepless, treebank } from "./support.ts";

const MODEL = stepless;
const DECODER = `export default () => ({
  name: "mine", trees: "any", singleRoot: true, handles: new Set(), capabilities: new Set(), decode() {},
});\n`;
const LEARNER =
  'export default () => ({ name: "mine", needs: new Set(), unit: "none", batch: false, sparse: true, train() {} });\n';
const FEATURES =
  'export default { name: "mine", features: { mine: { scope: "modifiers", features() {} } } };\n';
/**
 * Command lines that name one file, `@in`, as an input and as an output. The other files are `@other` (a treebank),
 * `@model` and `@new` (which does not exist).
 */
const CLASHES: [argv: string, content?: string | Uint8Array][] = [
  ["text @in -o @in"],
  ["convert --to text @in -o @in"],
  ["convert --to text @other @in -o @in"],
  ["search {} @in -o @in"],
  ["search {} @other @in --count -o @in"],
  ["evaluate @in @other --html @in"],
  ["evaluate @other @in --html @in"],
  ["vectors --lexicon @in --out @in"],
  ["templates --settings @in -o @in", "{}"],
  ["templates --decoder @in -o @in", DECODER],
  ["step parse-chunk --store @store --model @in --chunk @other --format text --tags given -o @in", MODEL],
  ["step parse-chunk --store @store --model @model --chunk @in --format text --tags given -o @in"],
  ["train --train @in --model @in"],
  ["train --train @other --silver @in --model @in"],
  ["train --train @other --lexicon @in --model @in"],
  ["train --train @other --dev @in --model @in"],
  ["train --train @other --vectors @in --model @in"],
  ["train --train @other --settings @in --model @in", "{}"],
  ["train --train @other --decoder @in --model @in", DECODER],
  ["train --preset linear --train @other --learner @in --model @in", LEARNER],
  ["train --train @other --settings parser.templates=@in --model @in", "{}"],
  ["train --train @other --settings parser.global=@in --decoder hillclimb --model @in", FEATURES],
  ["train --train @other --settings graphs=@in --model @in"],
  ["train --train @other --encoder @. --model @in"],
  ["tag train --train @in --model @in"],
  ["tag train --train @other --dev @in --model @in"],
  ["tag train --train @other --gazetteer @in --model @in"],
  ["tag train --train @other --settings @in --model @in", "{}"],
  ["tag run --model @in @other -o @in", MODEL],
  ["train --for graphs --train @in --model @in"],
  ["train --for graphs --train @other --settings trees=@in --model @in"],
  ["train --for graphs --train @other --settings words=@in --model @in"],
  ["train --for graphs --train @other --settings @in --model @in", "{}"],
  ["train --for graphs --train @other --vectors @in --settings network.units=8 --model @in"],
  ["train --for graphs --preset linear --train @other --decoder @in --model @in", DECODER],
  ["train --for graphs --preset linear --train @other --learner @in --model @in", LEARNER],
  ...["parse", "run"].flatMap((name): [string, (string | Uint8Array)?][] => [
    [`${name} @in @other -o @in`, MODEL],
    [`${name} --model @in @other -o @in`, MODEL],
    [`${name} @model --tagger @in @other -o @in`, MODEL],
    [`${name} @model --constraints @in @other -o @in`],
    [`${name} @model --global @in @other -o @in`, FEATURES],
    [`${name} @model --decoder @in @other -o @in`, DECODER],
    [`${name} @model --encoder @. @other -o @in`],
    [`${name} @model --trees @in @other -o @in`],
    [`${name} @model --words @in @other -o @in`],
    [`${name} @model @other @in -o @in`],
    [`${name} @model @in --output-format html -o @in`],
    [`${name} @model @in --input conllu --tags given --store @store -o @.`],
  ]),
  ["parse @model @in --kbest 2 -o @in"],
  ["parse @model @in --input vertical -o @in"],
  ["run @model @in -o @in"],
];

test.each<(typeof CLASHES)[number]>(CLASHES)(
  "%s is refused before anything runs: the input was replaced",
  async (line, content = treebank) => {
    const { run, bytes } = inFolder({ in: content, other: treebank, model: MODEL });
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining("would replace")]);
    expect(bytes("in").equals(Buffer.from(content))).toBe(true);
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
    const setting = /(?:parser\.)?(decoder|learner)=@in$/.exec(word)?.[1];
    if (setting !== undefined) return [`--${setting}`];
    // A folder in which the output is.
    if (word === "@." && words[k - 1] === "--encoder") return ["--encoder"];
    if (!/(?:^|[/=])@in$/.test(word)) return [];
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
