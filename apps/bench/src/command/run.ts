import { versions } from "../results/environment.ts";
import { Journal } from "../results/journal.ts";
import { type Content, type Io, type OutputOptions, publish, status } from "./io.ts";

/**
 * A run of a command, which keeps measurements next to its file of results until it publishes them. They depend on
 * versions and on all options but the files.
 */
export class Run extends Journal {
  readonly #io: Io;
  readonly #options: OutputOptions;

  /** @param data the data that measurements depend on: stamps of files, folders */
  constructor(io: Io, options: OutputOptions, data: unknown) {
    const { json: _json, html: _html, journal, ...deciding } = options;
    super(journal, { ...versions(), ...deciding, data });
    this.#io = io;
    this.#options = options;
  }

  /** The environment of the command. */
  get env(): Io["env"] {
    return this.#io.env;
  }

  /** Writes a status. */
  tell(text: string): void {
    status(this.#io, text);
  }

  /** Writes results as `publish`, and removes the kept measurements. */
  async publish(content: Content): Promise<void> {
    await publish(this.#io, this.#options, content);
    this.end();
  }
}
