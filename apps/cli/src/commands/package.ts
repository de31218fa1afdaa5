import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { modelFile } from "@arcwise/pipeline/node";
import { Command, Option } from "commander";
import { type CommandFactory, required } from "../command/options.ts";
import { DataError, UsageError } from "../errors.ts";
import { given, isSameFile, type PlannedFile } from "../files/file-plan.ts";
import { writeFolder } from "../files/folder.ts";
import { fileBytes } from "../files/input.ts";
import { type Io, printLine } from "../files/io.ts";
import { cardNotes } from "../model-package/card-notes.ts";
import { modelFacts } from "../model-package/model-facts.ts";
import { packageFiles } from "../model-package/package-files.ts";
import { version } from "../version.ts";

interface PackageArguments {
  readonly name: string;
  readonly release: string;
  readonly license?: string;
  readonly licenseFile?: string;
  readonly treebank?: string;
  readonly card?: string;
  readonly out?: string;
}

/** A name of npm: lower case, perhaps with a scope. */
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

/** The licence of a package that only its owner may use, as npm writes it. */
const UNLICENSED = "UNLICENSED";

/** `arcwise package MODEL --name NAME [--license SPDX] [--out FOLDER] ...` */
export const packageCommand: CommandFactory = (io) =>
  required(
    new Command("package")
      .description("write a package of npm with a model: load() in Node and browsers, types, a card, a test")
      .argument("<model>", "the model, as train writes it")
      .option("--name <name>", "the name of the package, such as @me/french")
      .option("--release <version>", "the version of the package", "0.1.0")
      .addOption(
        new Option(
          "--license <spdx>",
          "the licence of the model, as the licence of the treebank allows",
        ).default(undefined, UNLICENSED),
      )
      .option("--license-file <file>", "the text of the licence")
      .option("--treebank <text>", "the treebank that the model was trained on, for the card")
      .option("--card <file>", "JSON with more for the card: summary, data, use, command, figures, limits")
      .option("--out <folder>", "the folder to write; by default the name without its scope"),
    "--name <name>",
  ).action((model: string, options: PackageArguments) => writePackage(io, model, options));

async function writePackage(io: Io, modelName: string, options: PackageArguments): Promise<void> {
  const { name, release, license, licenseFile, treebank, card } = options;
  if (!NAME.test(name))
    throw new UsageError(`--name: expected a name of npm such as @me/french, found ${name}`);
  if (!VERSION.test(release))
    throw new UsageError(`--release: expected a version such as 0.1.0, found ${release}`);
  const short = name.replace(/^@.*\//, "");
  const folder = options.out ?? short;
  const path = await modelFile(modelName);
  const bytes = await fileBytes(path);
  const licenseText = licenseFile === undefined ? undefined : await fileBytes(licenseFile);
  const file = `${short}.model`;
  const files = packageFiles({
    ...{ name, version: release, license: license ?? UNLICENSED, treebank, file, arcwise: version() },
    facts: modelFacts(bytes, path),
    notes: card === undefined ? {} : cardNotes((await fileBytes(card)).toString(), card),
    hash: createHash("sha256").update(bytes).digest("base64"),
    hasLicenseFile: licenseText !== undefined,
  });
  await checkFolder(folder, name);
  const all = { ...files, [file]: bytes, ...(licenseText && { LICENSE: licenseText }) };
  const inputs = [
    ...(await notCopied({ "the model": path }, join(folder, file))),
    ...(await notCopied({ "--license-file": licenseFile }, join(folder, "LICENSE"))),
    ...given({ "--card": card }),
  ];
  await writeFolder(
    io,
    { inputs, folder },
    Object.entries(all).map(([name, content]) => ({ name, content })),
  );
  if (license === undefined) {
    const advice = "nobody else may use the model; give --license SPDX, as the treebank allows";
    printLine(io, `arcwise: warning: ${folder}: the licence is ${UNLICENSED}: ${advice}`);
  }
  const megabytes = (bytes.length / 1e6).toFixed(1);
  printLine(
    io,
    `wrote ${folder}: ${name} ${release}, a model of ${megabytes} MB; npm pack ${resolve(folder)} packs it`,
  );
}

/** Returns files whose copies take the place of other files. */
async function notCopied(
  files: Readonly<Record<string, string | undefined>>,
  copy: string,
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of given(files)) if (!(await isSameFile(file.path, copy))) planned.push(file);
  return planned;
}

async function checkFolder(folder: string, name: string): Promise<void> {
  const entries = await readdir(folder).catch((): string[] => []);
  if (entries.length === 0) return;
  const manifest = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
  if (nameIn(manifest) === name) return;
  throw new DataError(`${folder}: expected an empty folder or the package ${name}, found other files`);
}

/** Returns the name that a manifest of npm states; undefined if it is not one. */
function nameIn(manifest: string): unknown {
  try {
    return (JSON.parse(manifest) as { name?: unknown } | null)?.name;
  } catch {
    return undefined;
  }
}
