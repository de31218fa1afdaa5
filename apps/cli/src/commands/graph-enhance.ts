import { enhance, writeSentence } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import { countReplacedGraph, noInput } from "@arcwise/pipeline";
import { Command } from "commander";
import { graphNote } from "../analysis/graph-losses.ts";
import type { CommandFactory } from "../command/options.ts";
import { planFiles } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { writeWith } from "../files/output.ts";
import { printLine } from "../files/printable.ts";
import { inFileOf, readSentences } from "../files/sentences.ts";

/** `arcwise graph enhance [INPUT] [-o OUTPUT]` */
export const enhanceCommand: CommandFactory = (io) =>
  new Command("enhance")
    .description("replace DEPS of English sentences by what follows from their trees by rules")
    .argument("[input]", "the file with basic trees, CoNLL-U", "-")
    .option("-o, --output <file>", "the file to write", "-")
    .action((input: string, options: { readonly output: string }) => enhanceFile(io, input, options.output));

async function enhanceFile(io: Io, input: string, outputPath: string): Promise<void> {
  const inputs = [{ role: "the input", path: input, isReplaceable: true }];
  const planned = await planFiles(io, { inputs, outputs: { "--output": outputPath } });
  const counts = noInput();
  let sentences = 0;
  await writeWith(io, planned["--output"], async (output) => {
    for await (const { sentence, file } of readSentences(io, [input])) {
      countReplacedGraph(counts, sentence, true);
      await output.write(inFileOf(file, () => writeSentence(enhance(sentence))));
      sentences++;
    }
  });
  io.stderr.write(`${counted(sentences, "sentence")}\n`);
  const note = graphNote(counts, "enhance");
  if (note !== undefined) printLine(io, `arcwise: ${note}`);
}
