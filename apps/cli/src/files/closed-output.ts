import { fstatSync, readSync, statSync } from "node:fs";
import { Writable } from "node:stream";

/**
 * Returns whether the standard output seems to have been closed when the process began, as `>&-` in a shell
 * does. Node has opened /dev/null in its place, for reading and writing, where a redirection opens it for
 * writing only. Programs that start others without output may do the same as Node: nothing but an output that
 * was asked for is refused.
 */
export function isOutputClosed(): boolean {
  try {
    const stats = fstatSync(1);
    if (!stats.isCharacterDevice() || stats.rdev !== statSync("/dev/null").rdev) return false;
    readSync(1, new Uint8Array(1));
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a command line asks for the standard output, by `-o -`. */
export function namesOutput(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      /^(?:-o|--output=)-$/.test(word) || (word === "-" && /^(?:-o|--output)$/.test(argv[i - 1] ?? "")),
  );
}

/** A stream that fails as a closed descriptor does: what is written to it would be lost. */
export function closedStream(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("closed"), { code: "EBADF" })),
  });
}
