import { spawnSync } from "node:child_process";

/** `https://HOST/PATH`, `ssh://git@HOST/PATH` or `git@HOST:PATH`, with or without `.git` and credentials. */
const ADDRESS =
  /^(?:(?:https?|ssh|git):\/\/(?:[^@/]+@)?([\w.-]+)(?::\d+)?\/|(?:[\w.-]+@)([\w.-]+):)([\w./-]+?)(?:\.git)?\/?$/;

/**
 * Returns the web address of a remote of git.
 *
 * @param {string} remote its name
 * @param {string} root a folder of the repository
 * @returns {string}
 * @throws Error when there is no such remote, or it is a folder or something else
 */
export function addressOf(remote, root) {
  const { status, stdout, stderr } = spawnSync("git", ["remote", "get-url", remote], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git has no remote "${remote}": ${stderr.trim()}`);
  return webAddress(remote, stdout.trim());
}

/**
 * @param {string} remote
 * @param {string} url
 */
function webAddress(remote, url) {
  const [, host, sshHost, path] = ADDRESS.exec(url) ?? [];
  if (path === undefined) {
    const wanted = "an address such as https://HOST/OWNER/NAME";
    throw new Error(`the remote ${remote}: expected ${wanted}, found "${url}"`);
  }
  return `https://${host ?? sshHost}/${path}`;
}
