import { RawTextWriter } from "@arcwise/conllu";
import { Command } from "commander";
import type { CommandFactory } from "../command/options.ts";
import { given, planFiles } from "../files/file-plan.ts";
import type { Io } from "../files/io.ts";
import { writeWith } from "../files/output.ts";
import { readSentences } from "../files/sentences.ts";

/** `arcwise text [IN] [-o OUT]` */
export const textCommand: CommandFactory = (io) =>
  new Command("text")
    .description("write the raw text of a treebank, by SpaceAfter, SpacesAfter and marks of paragraphs")
    .argument("[input]", "the treebank, CoNLL-U", "-")
    .option("-o, --output <file>", "the file to write", "-")
    .action((input: string, options: { output: string }) => text(io, input, options.output));

async function text(io: Io, input: string, path: string): Promise<void> {
  const files = { inputs: given({ "the input": input }), outputs: { "--output": path } };
  await writeWith(io, (await planFiles(io, files))["--output"], async (output) => {
    const writer = new RawTextWriter();
    for await (const { sentence } of readSentences(io, [input])) {
      writer.add(sentence);
      await output.write(writer.take());
    }
    await output.write(writer.end());
  });
}
