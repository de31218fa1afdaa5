import { arcwise } from "./support.ts";

const TOP = `---
aside: false
---

# The command

What \`arcwise --help\` and \`arcwise COMMAND --help\` print. The
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
  const { out } = await arcwise([...path, "--help"]);
  return out;
}

/** The names of a list of commands in a help, except `help` itself. */
function commandsIn(help: string): string[] {
  const [, list = ""] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name!).filter((name) => name !== "help");
}
