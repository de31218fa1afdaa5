import type { PartKind } from "@arcwise/core";
import { type TrainOptions, templatesFor, writeTemplates } from "@arcwise/parser";
import { Command } from "commander";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { CommandFactory } from "../options.ts";
import { openOutput } from "../output.ts";
import { decoderOption, type Labeller, labellerOption, orderOption } from "../training-options.ts";

interface TemplateArguments {
  readonly decoder?: string | undefined;
  readonly order: "1" | "2" | "3";
  readonly parts?: string | undefined;
  readonly global?: boolean | undefined;
  readonly labeller?: Labeller | undefined;
  readonly output: string;
}

/** `arcwise templates [--order N] [--parts KINDS] [--global] [-o FILE]` */
export const templatesCommand: CommandFactory = (io) =>
  new Command("templates")
    .description("print the built-in feature templates of a model, to change them and train with --templates")
    .addOption(orderOption("one").default("1"))
    .addOption(decoderOption("one"))
    .option("--parts <kinds>", 'kinds of parts beside those of the order, with commas between; or "full"')
    .option("--global", "with the views of whole trees (--decoder hillclimb)")
    .addOption(labellerOption())
    .option("-o, --output <file>", "the file to write", "-")
    .addHelpText(
      "after",
      "\nIn a file for train --templates, sections and lists that are left out stay the built-in ones. " +
        "A list is either\n" +
        'all templates, or the changes: { "add": ["h.upos m.Case"], "remove": ["h.suffix m.suffix"] }.',
    )
    .action((options: TemplateArguments) => templates(io, options));

async function templates(io: Io, options: TemplateArguments): Promise<void> {
  const { decoder, parts, global, labeller } = options;
  const text = writeTemplates(
    complete({
      decoder,
      order: Number(options.order) as 1 | 2 | 3,
      parts: parts === undefined || parts === "full" ? parts : (parts.split(",") as PartKind[]),
      global,
      labels: { labeller },
    }),
  );
  const output = await openOutput(io, options.output);
  await output.write(text);
  await output.close();
}

function complete(options: TrainOptions): ReturnType<typeof templatesFor> {
  try {
    return templatesFor(options);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
