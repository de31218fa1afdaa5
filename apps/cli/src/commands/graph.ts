import { Command } from "commander";
import type { CommandFactory } from "../options.ts";
import { evaluateGraphsCommand } from "./graph-evaluate.ts";

/** The sub-commands of `arcwise graph`, in the order of the help. */
const SUBCOMMANDS: readonly CommandFactory[] = [evaluateGraphsCommand];

/** `arcwise graph evaluate ...` */
export const graphCommand: CommandFactory = (io, done) => {
  const graph = new Command("graph").description("semantic graphs and enhanced dependencies");
  for (const command of SUBCOMMANDS) graph.addCommand(command(io, done));
  return graph;
};
