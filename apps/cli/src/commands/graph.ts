import { Command } from "commander";
import type { CommandFactory } from "../command/options.ts";

/** The sub-commands of `arcwise graph`, in the order of the help. Each loads what it alone needs. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<CommandFactory>>> = {
  train: async () => (await import("./graph-train.ts")).trainGraphsCommand,
  parse: async () => (await import("./graph-parse.ts")).parseGraphsCommand,
  evaluate: async () => (await import("./graph-evaluate.ts")).evaluateGraphsCommand,
  enhance: async () => (await import("./graph-enhance.ts")).enhanceCommand,
};

/**
 * `arcwise graph train|parse|evaluate|enhance ...`
 *
 * @param name the sub-command to load; for an unknown name, all are loaded
 */
export async function graphCommand(name: string | undefined): Promise<CommandFactory> {
  const known = name !== undefined && Object.hasOwn(SUBCOMMANDS, name);
  const chosen = known ? [SUBCOMMANDS[name]!] : Object.values(SUBCOMMANDS);
  const commands = await Promise.all(chosen.map((load) => load()));
  return (io, done) => {
    const graph = new Command("graph").description("semantic graphs and enhanced dependencies");
    for (const command of commands) graph.addCommand(command(io, done));
    return graph;
  };
}
