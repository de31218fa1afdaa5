import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { notPrinted, programsOf, type ShellLine } from "../src/shell-lines.ts";
import { ROOT, runSound, SHELL_ENV } from "./project.ts";
import type { Supply } from "./shell-files.ts";

/** Lines that are run in a clone, wherever the others of their page are run. */
const IN_CLONE = /^(?:npm (?:run|start|test)\b|npx vitest|node (?:tools|packages|apps)\/)/;
/** Pages of which all lines are run in a clone. */
const CLONE_PAGES = /^docs\/guide\/learner\.md$/;
/** Lines that end only when they are stopped. */
const SERVER = /^(?:(?:npx )?arcwise (?:serve|annotate)|npm run playground)\b/;
/** Options before a file that is written. */
const OUTPUT = /^(?:-o|--output|--out|--html|--json)$/;
/** The address that a server prints. */
const ADDRESS = /((http:\/\/[\w.:]+)[^\s"]*)[\s"]/;
/** Milliseconds after which a line is stopped. */
const PATIENCE = 180_000;

/** Files that lines write without an option that names them. */
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/build\.mjs FOLDER/, "FOLDER/index.html"],
  [/^npm run build\b/, "apps/playground/dist/index.html"],
  [/^npm run reference/, "reports/reference"],
  [/^npx arcwise package/, "french/package.json"],
];

/** The folders in which pages are followed. */
export interface Ground {
  /** A folder of the test for everything that lines write. */
  readonly folder: string;
  /** A folder in which the packages are installed, with their tarballs in `tarballs`. */
  readonly installed: string;
  readonly supply: Supply;
}

/** Whether a page has lines for a clone: the pages that have are followed one after another. */
export function needsClone(path: string, lines: readonly ShellLine[]): boolean {
  return CLONE_PAGES.test(path) || lines.some(({ command }) => IN_CLONE.test(command));
}

/** Clones the repository, with what is not committed. */
export function cloneSources({ folder }: Ground): void {
  const clone = join(folder, "clone");
  runSound("git", ["clone", "--quiet", ROOT, clone], folder);
  const list = (...args: string[]) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" })
      .split("\0")
      .filter((path) => path !== "");
  const changed = list("diff", "-z", "--name-only", "HEAD");
  for (const path of [...changed, ...list("ls-files", "-z", "--others", "--exclude-standard")]) {
    rmSync(join(clone, path), { force: true });
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(clone, path));
  }
  runSound("git", ["add", "--all"], clone);
  const who = ["-c", "user.name=reader", "-c", "user.email=reader@example.org"];
  runSound("git", [...who, "commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Changes"], clone);
}

/**
 * Runs the lines of a page in their order, as the page says: in the clone, or in a folder.
 *
 * @returns what is wrong with each line; nothing if it does what the page says
 */
export async function runPage(
  ground: Ground,
  path: string,
  lines: readonly ShellLine[],
): Promise<ReadonlyMap<ShellLine, string>> {
  const page = openPage(ground, path, lines);
  const faults = new Map<ShellLine, string>();
  try {
    for (const line of lines) {
      faults.set(line, await faultOf(page, line).catch((error: Error) => error.stack ?? error.message));
    }
  } finally {
    await closePage(page);
  }
  return faults;
}

/** A page that is followed. */
interface Page {
  readonly markdown: string;
  readonly supply: Supply;
  /** Where its lines are run that are not for a clone. */
  readonly folder: string;
  readonly clone: string | undefined;
  /** What is run instead of parts of lines: folders and addresses of the test for those of the page. */
  readonly replaced: Map<string, string>;
  readonly servers: ChildProcess[];
  readonly env: NodeJS.ProcessEnv;
}

function openPage({ folder, installed, supply }: Ground, path: string, lines: readonly ShellLine[]): Page {
  const clone = needsClone(path, lines) ? join(folder, "clone") : undefined;
  const own = join(folder, path.replaceAll(/\W/g, "-"));
  mkdirSync(own);
  const packs = lines.some(({ command }) => command.startsWith("npm run pack "));
  const markdown = readFileSync(join(ROOT, path), "utf8");
  const page = {
    markdown,
    supply,
    folder: clone !== undefined && CLONE_PAGES.test(path) ? clone : own,
    clone,
    replaced: new Map([
      ["/tmp/arcwise", packs ? join(own, "tarballs") : join(installed, "tarballs")],
      ["/srv/arcwise", join(own, "store")],
    ]),
    servers: [],
    env: environment(own, installed),
  };
  const installs = lines.some(({ command }) => command.startsWith("npm install /tmp/arcwise"));
  if (!installs) symlinkSync(join(installed, "node_modules"), join(own, "node_modules"), "junction");
  for (const [, name, code] of markdown.matchAll(/^```js\n\/\/ ([\w-]+\.mjs)\n(.*?)^```/gms))
    writeFileSync(join(page.folder, name!), code!);
  return page;
}

/** The environment of a reader: the packages are installed globally as well. */
function environment(own: string, installed: string): NodeJS.ProcessEnv {
  const common = execFileSync("git", ["rev-parse", "--path-format=absolute", "--git-common-dir"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const programs = [
    join(own, "global", "bin"),
    join(installed, "node_modules", ".bin"),
    SHELL_ENV.PATH ?? "",
  ];
  return {
    ...SHELL_ENV,
    PATH: programs.join(delimiter),
    ARCWISE_CACHE: join(own, "cache"),
    // What has been built here need not be built again.
    TURBO_CACHE_DIR: join(dirname(common.trim()), ".turbo", "cache"),
    npm_config_prefix: join(own, "global"),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_progress: "false",
    npm_config_update_notifier: "false",
  };
}

async function closePage({ clone, replaced, servers }: Page): Promise<void> {
  const ends = servers.map(ended);
  for (const server of servers) stop(server);
  await Promise.all(ends);
  rmSync(dirname(replaced.get("/srv/arcwise")!), { recursive: true, maxRetries: 5 });
  if (clone === undefined) return;
  runSound("git", ["reset", "--quiet", "--hard"], clone);
  runSound("git", ["clean", "-fdq"], clone);
}

/** Runs a line. Returns what is wrong with it; nothing if it does what the page says. */
async function faultOf(page: Page, { command, shown }: ShellLine): Promise<string> {
  const cwd = page.clone !== undefined && IN_CLONE.test(command) ? page.clone : page.folder;
  const { inputs, outputs } = filesOf(command);
  for (const file of inputs) page.supply(join(cwd, file), page.markdown);
  const line = adapted(page, command);
  if (SERVER.test(command)) return serveFault(page, line, command, cwd);
  const shell = shown.length > 0 ? onTerminal(line) : line;
  const { status, output } = await ended(start(shell, cwd, page.env));
  // A file that breaks rules of the treebank is a result of the validator.
  const isSound = status === 0 || (status === 1 && /arcwise validate /.test(command));
  if (!isSound) return `exit code ${status}\n${output}`;
  const missing = outputs.filter((file) => !isFilled(join(cwd, file)));
  if (missing.length > 0) return `expected ${missing.join(", ")}, found nothing\n${output}`;
  const absent = notPrinted(shown, output);
  return absent.length === 0 ? "" : `expected\n${absent.join("\n")}\nfound\n${output}`;
}

/**
 * Returns a line as it is run: servers at any free port, curl that fails where the server does, and networks that are
 * trained for ten epochs instead of hundreds.
 */
function adapted({ replaced }: Page, command: string): string {
  let line = command.replace(/^curl /, "curl --silent --show-error --fail-with-body ");
  if (/^(?:npx )?arcwise serve/.test(line)) line = `${line.replace(/ --port \d+/, "")} --port 0`;
  if (/arcwise train --for graphs /.test(line)) line += " --settings network.epochs=1";
  else if (/arcwise train (?!.*(?:linear|--print-settings))/.test(line))
    line += " --settings parser.network.epochs=10";
  for (const [stated, actual] of replaced) line = line.replaceAll(stated, actual);
  return line;
}

/** Returns a line that runs another one on a terminal, on which the command draws. */
function onTerminal(line: string): string {
  return `NO_COLOR=1 script --quiet --return --command '${line.replaceAll("'", `'\\''`)}' /dev/null`;
}

/** Starts a server, which runs until the page is done. Returns what is wrong with it: no address, or no page there. */
async function serveFault(page: Page, line: string, command: string, cwd: string): Promise<string> {
  const server = start(line, cwd, page.env);
  page.servers.push(server);
  const printed = await new Promise<string>((resolve) => {
    let text = "";
    const look = (chunk: Buffer) => {
      text += String(chunk);
      if (ADDRESS.test(text)) resolve(text);
    };
    server.stdout!.on("data", look);
    server.stderr!.on("data", look);
    void ended(server).then(({ output }) => resolve(output));
  });
  const [, address, origin] = ADDRESS.exec(printed) ?? [];
  if (address === undefined) return `expected an address, found\n${printed}`;
  page.replaced.set(`http://localhost:${/--port (\d+)/.exec(command)?.[1] ?? "8080"}`, origin!);
  const { status } = await fetch(address);
  return status === 200 ? "" : `${address}: expected the status 200, found ${status}`;
}

/** Returns the files that a line reads or writes. */
function filesOf(command: string): { inputs: string[]; outputs: string[] } {
  const outputs = WRITTEN.flatMap(([pattern, file]) => (pattern.test(command) ? [file] : []));
  const inputs: string[] = [];
  for (const words of programsOf(command)) {
    const isTraining = /arcwise (?:tag )?train\b/.test(words.join(" "));
    for (const [i, word] of words.entries()) {
      const before = words[i - 1] ?? "";
      const isWritten = before === "--model" ? isTraining : OUTPUT.test(before) && !/^[-{]/.test(word);
      if (isWritten) outputs.push(word);
      else inputs.push(word.replace(/^\w+=(?=\S+\.model$)/, ""));
      if (word.startsWith("{")) inputs.push(...[...word.matchAll(/[\w-]+\.(?:json|mjs)/g)].map(String));
    }
  }
  const bare = command.replaceAll(/'[^']*'|"[^"]*"/g, "_").replace(/#.*/, "");
  for (const [, sign, file] of bare.matchAll(/([<>])\s*(\S+)/g))
    (sign === ">" ? outputs : inputs).push(file!);
  return { inputs, outputs };
}

function isFilled(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isDirectory() || found.size > 0);
}

function start(line: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  // A group of its own, so that what the line starts is stopped with it.
  return spawn("bash", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
}

function stop({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Waits for the end of a line. */
async function ended(child: ChildProcess): Promise<{ status: number | null; output: string }> {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk) => (output += String(chunk)));
  const timer = setTimeout(() => stop(child), PATIENCE);
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  clearTimeout(timer);
  return { status: child.exitCode, output };
}
