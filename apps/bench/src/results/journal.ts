import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { type PlannedOutput, writeOutput } from "@arcwise/cli/command";

/**
 * Returns what was measured before under a name, or measures it and keeps it. Names are unique in a run.
 */
export type Keep = <T>(name: string, measure: () => T | Promise<T>) => Promise<T>;

/**
 * Keeps the measurements of a run in a file, so that an interrupted command resumes.
 *
 * Entries are found by what was measured and all that decides it, as text: an entry of another command, seed
 * or version is measured again. The file is replaced as a whole after each entry.
 */
export class Journal {
  readonly #file: PlannedOutput | undefined;
  readonly #about: string;
  readonly #lines = new Map<string, string>();

  /**
   * @param file keeps the entries; without it nothing is kept
   * @param about all that entries depend on besides their own names: options, seed, versions
   */
  constructor(file: PlannedOutput | undefined, about: unknown) {
    this.#file = file;
    this.#about = JSON.stringify(about);
    if (file === undefined || !existsSync(file.path)) return;
    for (const line of readFileSync(file.path, "utf8").split("\n")) {
      const [key, value] = line.split(" ");
      if (key !== undefined && value !== undefined) this.#lines.set(key, value);
    }
  }

  /** Whether an earlier run kept an entry. */
  has(name: string): boolean {
    return this.#lines.has(this.#keyOf(name));
  }

  /** Returns the entry of a name; measures and keeps a new one. */
  async once<T>(name: string, measure: () => T | Promise<T>): Promise<T> {
    const key = this.#keyOf(name);
    const known = this.#lines.get(key);
    if (known !== undefined) return deserialize(Buffer.from(known, "base64")) as T;
    const value = await measure();
    if (this.#file === undefined) return value;
    this.#lines.set(key, serialize(value).toString("base64"));
    const lines = [...this.#lines].map(([own, text]) => `${own} ${text}\n`);
    await writeOutput(process, this.#file, lines.join(""));
    return value;
  }

  /** Returns `once` for names that begin with a prefix. */
  under(prefix: string): Keep {
    return (name, measure) => this.once(`${prefix}: ${name}`, measure);
  }

  /** Removes the file, once results are written. */
  end(): void {
    if (this.#file !== undefined) rmSync(this.#file.path, { force: true });
  }

  #keyOf(name: string): string {
    return createHash("sha256").update(`${this.#about}\n${name}`).digest("hex");
  }
}
