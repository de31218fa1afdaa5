/** A line for a shell in a document; lines that end with a backslash are joined. */
export interface ShellLine {
  /** Path of the document. */
  readonly path: string;
  /** Number of its first line there, from 1. */
  readonly number: number;
  readonly command: string;
  /** The lines that the document shows as its output. */
  readonly shown: readonly string[];
}

/** What a line for a shell begins with, after a prompt and variables. Other indented blocks are not for a shell. */
const PROGRAMS =
  "npm|npx|node|arcwise|git|curl|pip|python3|docker|export|sbatch|gunzip|echo|cd|mkdir|bash|pnpm|yarn|bun|deno";
const COMMAND = new RegExp(`^ *(?:\\$ |(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS}) )`);

/**
 * Returns the shell lines of a document, which are in indented blocks and in blocks that are marked `sh`. The output of a
 * line is in its block, after a prompt, or in a block marked `txt` of the same section.
 */
export function shellLines(path: string, markdown: string): ShellLine[] {
  const lines = markdown.split("\n");
  const found: (ShellLine & { shown: string[] })[] = [];
  let fence: string | undefined;
  let section = 0;
  for (let i = 0; i < lines.length; i++) {
    const mark = /^```(\w*)/.exec(lines[i]!);
    if (mark !== null) {
      fence = fence === undefined ? mark[1] : undefined;
      continue;
    }
    const line = lines[i]!;
    const last = found.at(-1);
    const isCode = fence === undefined ? /^ {4}/.test(line) : fence === "sh";
    if (isCode && COMMAND.test(line)) {
      const number = i + 1;
      let command = line.trim().replace(/^\$ /, "");
      while (command.endsWith("\\")) command = command.slice(0, -1) + lines[++i]!.trim();
      found.push({ path, number, command, shown: [] });
    } else if (fence === undefined && line.startsWith("#")) {
      section = i;
    } else if ((last?.number ?? 0) > section && (fence === "txt" || (isCode && isAfterPrompt(lines, i)))) {
      last!.shown.push(line);
    }
  }
  return found;
}

/** Whether an indented line belongs to a block that begins with a prompt: it is output. */
function isAfterPrompt(lines: readonly string[], at: number): boolean {
  let first = at;
  while (first > 0 && /^ {4}/.test(lines[first - 1]!)) first--;
  return lines[first]!.startsWith("    $ ");
}

/** Returns the words of each program of a shell line, without variables, redirections and comments. */
export function programsOf(command: string): string[][] {
  const programs: string[][] = [[]];
  let isTarget = false;
  for (const [token] of command.matchAll(/#.*|[|;&]+|[<>]+|(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"|;&<>])+/g)) {
    if (token.startsWith("#")) break;
    if (/^[|;&]/.test(token)) programs.push([]);
    else if (/^[<>]/.test(token)) isTarget = true;
    else if (isTarget) isTarget = false;
    else programs.at(-1)!.push(unquoted(token));
  }
  return programs.map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))));
}

function unquoted(token: string): string {
  return token.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_, single, double) =>
    single === undefined ? double.replaceAll(/\\(.)/g, "$1") : single,
  );
}

/** Returns the shown lines of an output that were not printed, in their order. White space at ends does not count. */
export function notPrinted(shown: readonly string[], output: string): string[] {
  const printed = output.split("\n").map((line) => line.trim());
  let next = 0;
  return shown
    .map((line) => line.trim())
    .filter((line) => {
      const at = printed.indexOf(line, next);
      if (at >= 0) next = at + 1;
      return at < 0;
    });
}
