import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { servePage } from "../annotate/page-server.ts";
import { type CommandFactory, integer } from "../command/options.ts";
import { DataError, inFile, UsageError } from "../errors.ts";
import { type Io, printLine, untilStopped } from "../files/io.ts";
import { KeptFile } from "../files/kept-file.ts";

interface AnnotateArguments {
  readonly model: readonly string[];
  readonly gold: readonly string[];
  readonly port: number;
  readonly open: boolean;
}

const several = (value: string, before: readonly string[]) => [...before, value];

/** `arcwise annotate FILE... [--model MODEL] [--gold FILE]` */
export const annotateCommand: CommandFactory = (io) =>
  new Command("annotate")
    .description("correct trees in the browser; files are saved back, and only edited lines differ")
    .argument("<files...>", "the files to correct, CoNLL-U")
    .option("--model <model>", "a model for suggestions: a file or a package; may be repeated", several, [])
    .option("--gold <file>", "an annotation to compare with; may be repeated, one per file", several, [])
    .option("--port <n>", "the port of this machine to listen at; 0: any free one", integer(0, 65535), 0)
    .option("--no-open", "print the address of the page alone, and open no browser")
    .addHelpText("after", AFTER)
    .action((files: string[], options: AnnotateArguments) => annotate(io, files, options));

const AFTER = `
Saving replaces the file as a whole, unless another program changed it: both are
then compared. The browser keeps edits until they are saved. Ctrl-C ends it.`;

/** Where the page is: in the package; in a clone, where it is built. */
const PAGES = ["../page", "../../playground/dist"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

async function annotate(io: Io, paths: readonly string[], options: AnnotateArguments): Promise<void> {
  const [files, gold] = await Promise.all([paths, options.gold].map((all) => Promise.all(all.map(treebank))));
  const page = PAGES.find((folder) => existsSync(`${folder}/index.html`));
  if (page === undefined) throw new UsageError("expected the page of the editor, found none: npm run build");
  const { modelFile } = await import("@arcwise/pipeline/node");
  const models = await Promise.all(options.model.map(async (name) => new KeptFile(await modelFile(name))));
  const server = await servePage({ page, files: files!, gold: gold!, models }, options.port);
  printLine(io, `arcwise: correct ${paths.join(", ")} at ${server.url}`);
  if (options.open)
    openBrowser(io, server.url, () => printLine(io, "open this address in a browser of this machine"));
  await untilStopped(io);
  server.close();
}

/** Checks that a file can be corrected and saved. */
async function treebank(path: string): Promise<KeptFile> {
  try {
    if (!(await stat(path)).isFile())
      throw new DataError(`${path}: expected a file that can be replaced, found none`);
    const [first, second] = await readFile(path);
    if (first === 0x1f && second === 0x8b)
      throw new DataError(`${path}: expected CoNLL-U, found gzip data: gunzip it first`);
  } catch (error) {
    throw error instanceof DataError ? error : inFile(error, path);
  }
  return new KeptFile(path);
}

/** Programs that open an address, by `process.platform`. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address in the browser of the user. Calls `onFailure` if none is found, or if it ends with an error. */
function openBrowser({ env }: Io, url: string, onFailure: () => void): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  if (program === "xdg-open" && (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? "") === "") onFailure();
  else
    spawn(program!, [...words, url], { stdio: "ignore", detached: true })
      .on("error", onFailure)
      .on("exit", (code) => code !== 0 && onFailure())
      .unref();
}
