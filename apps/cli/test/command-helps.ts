import { arcwise } from "./support.ts";

/** A command, as in `tag train`, and its whole help. */
export interface CommandHelp {
  readonly title: string;
  readonly help: string;
}

/** Returns the help of `arcwise`, whose title is empty, and of each command. */
export async function commandHelps(path: readonly string[] = []): Promise<CommandHelp[]> {
  const { out } = await arcwise([...path, "--help", "--all"]);
  const found = [{ title: path.join(" "), help: out }];
  for (const name of commandsIn(out)) found.push(...(await commandHelps([...path, name])));
  return found;
}

/** The names in the lists of commands of a help, except `help` itself. */
function commandsIn(help: string): string[] {
  const lists = help.matchAll(/^(\w+):\n((?: {2}.*\n)+)/gm);
  const names = [...lists].flatMap(([, heading, list]) =>
    /^(?:Options|Arguments|Examples)$/.test(heading!) ? [] : [...list!.matchAll(/^ {2}([\w-]+)/gm)],
  );
  return names.map(([, name]) => name!).filter((name) => name !== "help");
}
