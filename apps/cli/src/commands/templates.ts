import { templatesFor, writeTemplates } from "@arcwise/parser";
import { Command } from "commander";
import type { CommandFactory } from "../command/options.ts";
import { planFiles } from "../files/file-plan.ts";
import { writeOutput } from "../files/output.ts";
import { MODEL_TABLE } from "../settings/tables.ts";
import { addTrainFlags, trainingSettings } from "../settings/train-settings.ts";

/** `arcwise templates [--order N] [--parts KINDS] [--settings FILE] [-o FILE]` */
export const templatesCommand: CommandFactory = (io) => {
  const command = new Command("templates").description(
    "print the feature templates of a model, to change them and train with the setting parser.templates",
  );
  return addTrainFlags(command, MODEL_TABLE)
    .option("-o, --output <file>", "the file to write", "-")
    .addHelpText(
      "after",
      "\nIn a file of templates, sections and lists that are left out stay the built-in\n" +
        "ones. A list is either all templates, or the changes:\n" +
        '{ "add": ["h.upos m.Case"], "remove": ["h.suffix m.suffix"] }.',
    )
    .action(async (options: { readonly output: string }) => {
      const { parser, files } = await trainingSettings(command);
      const planned = await planFiles(io, { inputs: files, outputs: { "--output": options.output } });
      await writeOutput(io, planned["--output"], writeTemplates(templatesFor(parser)));
    });
};
