import { arcwise } from "./support.ts";

const TOP = `---
aside: false
---

# The command

What \`arcwise --help --all\` and \`arcwise COMMAND --help --all\` print; without \`--all\`, help fits on a screen. The
[README and reference of @arcwise/cli](../../apps/cli/README.md) describe the commands with examples.
`;

/** Returns the reference page of all commands: the help of each, and of the commands that it consists of. */
export async function commandPage(): Promise<string> {
  return [TOP, ...(await sections([]))].join("\n");
}

async function sections(path: readonly string[]): Promise<string[]> {
  const help = await helpOf(path);
  const title = path.length === 0 ? [] : [`## ${path.join(" ")}\n`];
  const inner: string[] = [];
  for (const name of commandsIn(help)) inner.push(...(await sections([...path, name])));
  return [...title, `\`\`\`txt\n${help.trimEnd()}\n\`\`\`\n`, ...inner];
}

async function helpOf(path: readonly string[]): Promise<string> {
  const { out } = await arcwise([...path, "--help", "--all"]);
  return out;
}

/** The names in the lists of commands of a help, except `help` itself. */
function commandsIn(help: string): string[] {
  const lists = help.matchAll(/^(\w+):\n((?: {2}.*\n)+)/gm);
  const names = [...lists].flatMap(([, heading, list]) =>
    /^(?:Options|Arguments|Examples)$/.test(heading!) ? [] : [...list!.matchAll(/^ {2}([\w-]+)/gm)],
  );
  return names.map(([, name]) => name!).filter((name) => name !== "help");
}
