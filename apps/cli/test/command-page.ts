import { arcwise } from "./support.ts";

/** A command, and its help as a block of code. */
interface CommandHelp {
  readonly title: string;
  readonly block: string;
}

/**
 * Returns the page of all commands with the help of each as it is now. The text around the help is kept; a command that the
 * page lacks gets a section, and the section of a command that does not exist is left out.
 *
 * @param page begins with the help of `arcwise`; each command has a section with its name and its help
 */
export async function commandPage(page: string): Promise<string> {
  const [program, ...commands] = await helps([]);
  // Names of commands are in lower case, other headings are not.
  const sections = page.split(/^(?=## [a-z])/m);
  const textOf = new Map(sections.slice(1).map((section) => [/^## (.*)$/m.exec(section)![1]!, section]));
  const top = withHelp(sections[0]!, program!.block);
  const rest = commands.map(({ title, block }) =>
    withHelp(textOf.get(title) ?? `## ${title}\n\n${FENCE}`, block),
  );
  return [top, ...rest].join("");
}

const FENCE = "```txt\n```\n\n";

/** Replaces the first block of text in a section. */
function withHelp(section: string, block: string): string {
  return section.replace(/^```txt\n[\s\S]*?^```$/m, () => block);
}

async function helps(path: readonly string[]): Promise<CommandHelp[]> {
  const { out } = await arcwise([...path, "--help", "--all"]);
  const found = [{ title: path.join(" "), block: `\`\`\`txt\n${out.trimEnd()}\n\`\`\`` }];
  for (const name of commandsIn(out)) found.push(...(await helps([...path, name])));
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
