import { LANES } from "../matrix.ts";

/** @throws RangeError that names the first width that is not a positive multiple of `LANES` */
export function checkWidths(widths: Readonly<Record<string, number>>): void {
  for (const [name, width] of Object.entries(widths)) {
    if (!(Number.isInteger(width) && width > 0 && width % LANES === 0))
      throw new RangeError(`${name} must be a positive multiple of ${LANES}, got ${width}`);
  }
}
