import type { HeaderPatch } from "./corpus.ts";

/** Maximal number of tests per reduction; each may take as long as a trial. */
const MAX_TESTS = 200;

/**
 * Returns a minimal subset of units that still shows a fault. Drops chunks, from halves to single units,
 * while `shows` holds for the rest (delta debugging, Zeller and Hildebrandt 2002). Makes at most `maxTests`
 * tests.
 *
 * @param shows whether a part of the units shows the fault; it holds for all of them
 * @returns units in their order; if the tests sufficed, none of them can be left out
 */
export async function smallestPart<Unit>(
  units: readonly Unit[],
  shows: (part: readonly Unit[]) => boolean | Promise<boolean>,
  maxTests = MAX_TESTS,
): Promise<readonly Unit[]> {
  let left = units;
  let size = Math.ceil(left.length / 2);
  for (let tests = 0; left.length > 0 && tests < maxTests; ) {
    let dropped = false;
    for (let from = 0; from < left.length && tests < maxTests; ) {
      const part = left.toSpliced(from, size);
      tests++;
      if (await shows(part)) {
        left = part;
        dropped = true;
      } else from += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!dropped) break;
  }
  return left;
}

/** Returns the patches that turn one JSON value into another. */
export function differences(
  from: unknown,
  to: unknown,
  path: readonly (string | number)[] = [],
): HeaderPatch[] {
  if (Object.is(from, to)) return [];
  if (!isHolder(from) || !isHolder(to) || Array.isArray(from) !== Array.isArray(to)) {
    return [{ op: "replace", path, value: to }];
  }
  if (Array.isArray(from) && from.length !== (to as unknown as unknown[]).length) {
    return [{ op: "replace", path, value: to }];
  }
  const keyOf = (key: string) => (Array.isArray(from) ? Number(key) : key);
  const found: HeaderPatch[] = [];
  for (const key of Object.keys(from)) {
    if (Object.hasOwn(to, key)) found.push(...differences(from[key], to[key], [...path, keyOf(key)]));
    else found.push({ op: "remove", path: [...path, key] });
  }
  for (const key of Object.keys(to)) {
    if (!Object.hasOwn(from, key)) found.push({ op: "add", path: [...path, key], value: to[key] });
  }
  return found;
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
