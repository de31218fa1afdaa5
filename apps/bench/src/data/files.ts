import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type PlannedFile, type PlannedOutput, planFiles, planFolder } from "@arcwise/cli/command";
import { fileStamp } from "./treebanks.ts";

/** Files of a folder that count as inputs if the folder is one. */
const READ = /\.(conllu|conllx|sdp|txt|model)(\.gz)?$/;

/** Returns the files that values of options and arguments name: files, and the treebanks and models of folders. */
export function namedFiles(values: Readonly<Record<string, unknown>>): PlannedFile[] {
  return Object.entries(values).flatMap(([role, value]) =>
    [value].flat().flatMap((path) => {
      if (typeof path !== "string" || !existsSync(path)) return [];
      if (!statSync(path).isDirectory()) return [{ role, path }];
      const names = readdirSync(path).filter((name) => READ.test(name));
      return names.map((name) => ({ role, path: join(path, name) }));
    }),
  );
}

/** Returns a text that distinguishes versions of the files that values of options name, as `namedFiles`. */
export function inputStamps(values: Readonly<Record<string, unknown>>): unknown[] {
  return namedFiles(values).map(({ path }) => fileStamp(path));
}

/** Plans outputs, and makes their folders. */
export function planResults<Role extends string>(
  inputs: readonly PlannedFile[],
  outputs: Readonly<Record<Role, string>>,
): Promise<Readonly<Record<Role, PlannedOutput>>> {
  for (const path of Object.values<string>(outputs)) mkdirSync(dirname(path), { recursive: true });
  return planFiles({}, { inputs, outputs });
}

/** Plans a file of a folder, which is made. @throws as `planFolder` */
export async function planFile(folder: string, name: string): Promise<PlannedOutput> {
  return (await planFolder({}, { inputs: [], folder, names: [name] })).outputs[name]!;
}
