import { ArcwiseError } from "@arcwise/core/errors";
import type { Hash } from "./hash.ts";

/** How a blob was damaged, and where it is now. */
interface Damage {
  readonly name: Hash;
  /** The blob, for messages: "the mixture of round 3". */
  readonly what: string;
  readonly reason: string;
  /** Undefined: it could not be set aside. */
  readonly place: string | undefined;
}

/** A blob whose bytes are not what was written under its name. `file` is where it was set aside. */
export class DamagedBlob extends ArcwiseError {
  override readonly name = "DamagedBlob";

  constructor(address: string, { name, what, reason, place }: Damage) {
    const found = `a damaged blob ${name} (${reason})`;
    const advice =
      place === undefined
        ? "delete it; the same command makes it again"
        : `it was moved to ${place}; the same command makes it again`;
    const file = place ?? address;
    super("invalid-data", `${address}: expected ${what}, found ${found}: ${advice}`, {
      file,
      expected: what,
      found,
    });
  }
}

/** How often an output is made that turns out to be damaged each time. */
const MAX_DAMAGED = 3;

/**
 * Reads an output, and makes it again while it is damaged.
 *
 * @throws DamagedBlob when it is damaged three times; what `read` and `make` throw
 */
export async function readOrMake<Output>(
  read: () => Promise<Output>,
  make: () => Promise<unknown>,
): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DamagedBlob) || attempt === MAX_DAMAGED) throw error;
    }
    await make();
  }
}
