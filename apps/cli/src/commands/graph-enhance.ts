import { enhance, writeSentence } from "@arcwise/conllu";
import { Command } from "commander";
import { GraphCounts } from "../analysis/graph-losses.ts";
import type { CommandFactory } from "../command/options.ts";
import { planFiles } from "../files/file-plan.ts";
import { displayName, type Io } from "../files/io.ts";
import { openOutput } from "../files/output.ts";
import { printLine } from "../files/printable.ts";
import { readSentences } from "../files/sentences.ts";
import { inSource } from "../in-source.ts";

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
  const output = await openOutput(io, planned["--output"]);
  try {
    const graphs = new GraphCounts("enhance");
    let sentences = 0;
    try {
      for await (const sentence of readSentences(io, input)) {
        graphs.add(sentence);
        await output.write(writeSentence(enhance(sentence)));
        sentences++;
      }
    } catch (error) {
      throw inSource(error, displayName(input));
    }
    await output.close();
    io.stderr.write(`${sentences} sentences\n`);
    const note = graphs.note();
    if (note !== undefined) printLine(io, `arcwise: ${note}`);
  } catch (error) {
    await output.abandon();
    throw error;
  }
}
