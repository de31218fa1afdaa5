import { stat } from "node:fs/promises";
import { readModel } from "@arcwise/parser/node";
import { Command } from "commander";
import type { Io } from "../io.ts";
import type { CommandFactory } from "../options.ts";
import { openOutput } from "../output.ts";

/** `arcwise info MODEL [--json]` */
export const infoCommand: CommandFactory = (io) =>
  new Command("info")
    .description("tell what a model file holds and how it was trained")
    .argument("<model>", "the model file")
    .option("--json", "print it as JSON")
    .action((model: string, options: { json?: boolean }) => info(io, model, options.json === true));

async function info(io: Io, path: string, json: boolean): Promise<void> {
  const { description } = await readModel(path);
  const facts = { bytes: (await stat(path)).size, ...description };
  const output = await openOutput(io, "-");
  await output.write(json ? `${JSON.stringify(facts, undefined, 2)}\n` : lines(facts));
  await output.close();
}

/** `training words: 1234`, a fact a line; names as the JSON has them, in words, after those of what they belong to. */
function lines(facts: Readonly<Record<string, unknown>>, before = ""): string {
  return Object.entries(facts)
    .map(([name, value]) => {
      const words = `${before}${name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)}`;
      const nested = typeof value === "object" && value !== null && !Array.isArray(value);
      return nested ? lines(value as Record<string, unknown>, `${words} `) : `${words}: ${text(value)}\n`;
    })
    .join("");
}

function text(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} (${value.join(" ")})`;
  if (value === false) return "none";
  return typeof value === "number" && !Number.isInteger(value) ? `${+value.toPrecision(4)}` : String(value);
}
