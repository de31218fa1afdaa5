/** @throws RangeError unless the option is a finite number > 0 */
export function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be > 0, got ${value}`);
}

/** @throws RangeError unless the option is a finite number >= 0 */
export function checkNotNegative(name: string, value: number): void {
  if (!(value >= 0 && value < Infinity)) throw new RangeError(`${name} must be >= 0, got ${value}`);
}

/** @throws RangeError unless the option is an integer >= least */
export function checkInteger(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be an integer >= ${least}, got ${value}`);
  }
}
