import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { addressOf } from "./recipe.mjs";

/**
 * Fetches the commit of a treebank into a folder, by git, which compares all files with the hashes that the commit
 * stands for. A folder that has the commit is left as it is. Returns the folder.
 *
 * @param from the address of the repository
 * @throws Error when the repository does not have the commit, or does not answer
 */
export function fetchTreebank({ name, commit }, folder, from = addressOf(name)) {
  if (commitOf(folder) === commit) return folder;
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  git(folder, "fetch", "--quiet", "--depth", "1", from, commit);
  git(folder, "checkout", "--quiet", "--force", commit);
  if (commitOf(folder) !== commit) throw new Error(`${from}: expected the commit ${commit}`);
  return folder;
}

/** Returns the commit that a folder has, with all its files unchanged; undefined otherwise. */
function commitOf(folder) {
  if (!existsSync(join(folder, ".git"))) return undefined;
  const clean = spawnSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" });
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" });
  return status === 0 && clean.stdout === "" ? stdout.trim() : undefined;
}

function git(folder, ...args) {
  const { status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.trim()}`);
}
