import { Command } from "commander";
import type { CommandFactory } from "../command/options.ts";
import { enhanceCommand } from "./graph-enhance.ts";
import { evaluateGraphsCommand } from "./graph-evaluate.ts";
import { parseGraphsCommand } from "./graph-parse.ts";
import { trainGraphsCommand } from "./graph-train.ts";

/** The sub-commands of `arcwise graph`, in the order of the help. */
const SUBCOMMANDS: readonly CommandFactory[] = [
  trainGraphsCommand,
  parseGraphsCommand,
  evaluateGraphsCommand,
  enhanceCommand,
];

/** `arcwise graph train|parse|evaluate|enhance ...` */
export const graphCommand: CommandFactory = (io, done) => {
  const graph = new Command("graph").description("semantic graphs and enhanced dependencies");
  for (const command of SUBCOMMANDS) graph.addCommand(command(io, done));
  return graph;
};
