import { Command } from "commander";
import type { CommandFactory } from "../options.ts";
import { enhanceCommand } from "./graph-enhance.ts";
import { evaluateGraphsCommand } from "./graph-evaluate.ts";

/** The sub-commands of `arcwise graph`, in the order of the help. */
const SUBCOMMANDS: readonly CommandFactory[] = [evaluateGraphsCommand, enhanceCommand];

/** `arcwise graph evaluate|enhance ...` */
export const graphCommand: CommandFactory = (io, done) => {
  const graph = new Command("graph").description("semantic graphs and enhanced dependencies");
  for (const command of SUBCOMMANDS) graph.addCommand(command(io, done));
  return graph;
};
