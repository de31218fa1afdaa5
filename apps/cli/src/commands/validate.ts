import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LanguageLists, LIST_FILES, uncheckedTests, validateSource } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import { Command, Option } from "commander";
import type { CommandFactory } from "../command/options.ts";
import { checkInterrupt, EXIT } from "../errors.ts";
import { given, planFiles, STANDARD_OUTPUT } from "../files/file-plan.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io, printable, printLine } from "../files/io.ts";
import { type Output, openOutput } from "../files/output.ts";

type Rules = NonNullable<Parameters<typeof uncheckedTests>[0]>;

interface Given {
  readonly level?: string;
  readonly language?: string;
  readonly lists?: string;
  readonly warnings: boolean;
}

interface Counts {
  error: number;
  warning: number;
}

/** `arcwise validate FILE... [--level N] [--language CODE --lists FOLDER]` */
export const validateCommand: CommandFactory = (io, done) =>
  new Command("validate")
    .description("check files by the tests of Universal Dependencies: a line for each thing that is wrong")
    .argument("<files...>", "the files to check, CoNLL-U")
    .addOption(
      new Option(
        "--level <n>",
        "1: format; 2: trees, texts and fields as well; 3: guidelines of all languages; 4: features and relations of " +
          "the language; 5: its auxiliaries (default: 5 with --lists, otherwise 3)",
      ).choices(["1", "2", "3", "4", "5"]),
    )
    .option("--language <code>", "the language of the files, such as en")
    .option(
      "--lists <folder>",
      "the folder data of github.com/UniversalDependencies/tools, for levels 4 and 5",
    )
    .option("--no-warnings", "print errors only")
    .addHelpText(
      "after",
      "\nEach file is its own treebank. The exit code is 1 when there are errors, else 0.",
    )
    .action(async (files: string[], given: Given) => {
      const rules = await rulesOf(given);
      if ((await validateFiles(io, files, rules, given.warnings)) > 0) done(EXIT.data);
    });

async function rulesOf({ level, language, lists }: Given): Promise<Rules> {
  return {
    ...(level === undefined ? {} : { level: Number(level) as NonNullable<Rules["level"]> }),
    ...(language === undefined ? {} : { language }),
    ...(lists === undefined ? {} : { lists: await readLists(lists) }),
  };
}

async function readLists(folder: string): Promise<LanguageLists> {
  const read = async (name: string) => {
    const path = join(folder, `${name}.json`);
    try {
      return [name, JSON.parse(await readFile(path, "utf8"))] as const;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SyntaxError(`${path}: expected JSON: ${error.message}`);
    }
  };
  const documents = Object.fromEntries(await Promise.all(LIST_FILES.map(read)));
  return new LanguageLists(documents as ConstructorParameters<typeof LanguageLists>[0]);
}

/** Number of errors. A file that cannot be read ends the run. */
async function validateFiles(
  io: Io,
  files: readonly string[],
  rules: Rules,
  warnings: boolean,
): Promise<number> {
  await planFiles(io, { inputs: given({ "the input": files }), outputs: {} });
  const output = await openOutput(io, STANDARD_OUTPUT);
  let total = 0;
  for (const path of files) {
    const counts = await validateFile(io, path, rules, warnings, output);
    printLine(io, `${displayName(path)}: ${summary(counts)}`);
    total += counts.error;
  }
  await output.close();
  const unchecked = uncheckedTests(rules).map(
    ({ level, tests, why }) => `level ${level} (${tests.length} tests: ${why})`,
  );
  printLine(io, `not checked: ${unchecked.join("; ")}`);
  return total;
}

async function validateFile(
  io: Io,
  path: string,
  rules: Rules,
  warnings: boolean,
  output: Output,
): Promise<Counts> {
  const counts: Counts = { error: 0, warning: 0 };
  const findings = validateSource(readBytes(io, path), { file: displayName(path), ...rules });
  for await (const { message, severity } of findings) {
    checkInterrupt(io);
    counts[severity]++;
    if (severity === "error") await output.write(`${printable(message)}\n`);
    else if (warnings) await output.write(`${printable(`warning: ${message}`)}\n`);
  }
  return counts;
}

function summary({ error, warning }: Counts): string {
  const warnings = warning === 0 ? [] : [counted(warning, "warning")];
  return [error === 0 ? "valid" : counted(error, "error"), ...warnings].join(", ");
}
