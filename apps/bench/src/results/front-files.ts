import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DataError, writeOutput } from "@arcwise/cli/command";
import { planFile } from "../data/files.ts";
import { REPOSITORY } from "../data/treebanks.ts";
import { type FrontData, frontPicture, frontTable } from "../report/front.ts";
import { formatInteger } from "./format.ts";

/** The files of the front page, in the repository. */
export const FRONT_FILES = {
  data: join(REPOSITORY, "apps/bench/front/decoders.json"),
  picture: join(REPOSITORY, "apps/bench/front/decoders.svg"),
  readme: join(REPOSITORY, "apps/bench/README.md"),
} as const;

/** The table of the README, from its head to the last row, and the line about its measurement. */
const TABLE = /^\| decoder \|.*(?:\n\|.*)*\n\nVersion .*$/m;

/** Returns the content of each file of the front page; the rest of the README stays. */
export function frontFiles(data: FrontData): Readonly<Record<keyof typeof FRONT_FILES, string>> {
  const readme = readFileSync(FRONT_FILES.readme, "utf8");
  if (!TABLE.test(readme))
    throw new DataError(`${FRONT_FILES.readme}: expected a table "| decoder |" and "Version", found none`);
  return {
    data: `${JSON.stringify(data, undefined, 2)}\n`,
    picture: `${frontPicture(data)}\n`,
    readme: readme.replace(TABLE, `${frontTable(data)}\n\n${measurement(data)}`),
  };
}

function measurement({ version, date, machine, treebanks }: FrontData): string {
  const sentences = treebanks.map((one) => `${one.treebank} ${formatInteger(one.sentences)}`).join(", ");
  return `Version ${version}, ${date}, ${machine}. Sentences: ${sentences}.`;
}

/** Writes the files of the front page. */
export async function writeFront(data: FrontData): Promise<void> {
  const files = Object.entries(frontFiles(data)) as [keyof typeof FRONT_FILES, string][];
  for (const [name, content] of files) {
    const path = FRONT_FILES[name];
    await writeOutput(process, await planFile(dirname(path), basename(path)), content);
  }
}

/** Returns the data that was recorded last; undefined before the first time. */
export function recordedFront(): FrontData | undefined {
  if (!existsSync(FRONT_FILES.data)) return undefined;
  return JSON.parse(readFileSync(FRONT_FILES.data, "utf8")) as FrontData;
}
