import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives all tests a folder for temporary files of their own, and removes it after the last one. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-tests-"));
  // Tests run programs as other users, who read them.
  chmodSync(folder, 0o755);
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
