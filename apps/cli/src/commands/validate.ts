import { validateSource } from "@arcwise/conllu";
import { Command, Option } from "commander";
import { EXIT } from "../command/errors.ts";
import type { CommandFactory } from "../command/options.ts";
import { inputFiles, planFiles, STANDARD_OUTPUT } from "../files/file-plan.ts";
import { readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import { type Output, openOutput } from "../files/output.ts";
import { printable, printLine } from "../files/printable.ts";
import { checkInterrupt } from "../threads/interruption.ts";

/** `arcwise validate FILE... [--level N]` */
export const validateCommand: CommandFactory = (io, done) =>
  new Command("validate")
    .description("check files: a line on the standard output for each thing that is wrong")
    .argument("<files...>", "the files to check, CoNLL-U")
    .addOption(
      new Option(
        "--level <n>",
        "1: format; 2: trees, ranges, texts and fields as well; 3: the relation of the root as well",
      )
        .choices(["1", "2", "3"])
        .default("3"),
    )
    .addHelpText("after", "\nThe exit code is 1 when anything is wrong, 0 otherwise.")
    .action(async (files: string[], options: { level: string }) => {
      const found = await validateFiles(io, files, Number(options.level) as 1 | 2 | 3);
      if (found > 0) done(EXIT.data);
    });

/** Number of findings. A file that cannot be read ends the run. */
async function validateFiles(io: Io, files: readonly string[], level: 1 | 2 | 3): Promise<number> {
  await planFiles(io, { inputs: inputFiles(files), outputs: {} });
  const output = await openOutput(io, STANDARD_OUTPUT);
  let total = 0;
  for (const path of files) {
    const found = await validateFile(io, path, level, output);
    printLine(io, `${displayName(path)}: ${summary(found)}`);
    total += found;
  }
  await output.close();
  return total;
}

async function validateFile(io: Io, path: string, level: 1 | 2 | 3, output: Output): Promise<number> {
  let found = 0;
  for await (const { message } of validateSource(readBytes(io, path), { file: displayName(path), level })) {
    checkInterrupt(io);
    found++;
    await output.write(`${printable(message)}\n`);
  }
  return found;
}

function summary(found: number): string {
  if (found === 0) return "valid";
  return found === 1 ? "1 error" : `${found} errors`;
}
