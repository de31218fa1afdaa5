export function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`${name} must be > 0, got ${value}`);
}

export function checkNotNegative(name: string, value: number): void {
  if (!(value >= 0 && value < Infinity)) throw new RangeError(`${name} must be >= 0, got ${value}`);
}

export function checkInteger(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be an integer >= ${least}, got ${value}`);
  }
}
