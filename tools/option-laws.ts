import type { ArcwiseError } from "@arcwise/core/errors";
import { checkOptions, expectedBy, type Option, type OptionTable } from "@arcwise/core/options";
import { expect, test } from "vitest";
import { thrownBy } from "./test-helpers.ts";

/** Returns all options of a table with their paths, options of groups among them. */
function paths(table: readonly Option[], at = ""): { readonly path: string; readonly option: Option }[] {
  return table.flatMap((option) => {
    const path = at + option.name;
    return [{ path, option }, ...paths(option.options ?? [], `${path}.`)];
  });
}

/** Returns options with a value at a path. */
function at(path: string, value: unknown): object {
  return path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

/** Tests what holds for the options of every table of settings. */
export function testOptions(table: OptionTable<object>): void {
  test.each(paths(table))("$path refuses a value of another type, and says where", ({ path, option }) => {
    const error = thrownBy(() => checkOptions(table, at(path, Symbol("wrong")), "train"));
    expect(error).toMatchObject({ code: "invalid-option", expected: expectedBy(option.check) });
    expect((error as ArcwiseError).at).toBe(path);
  });

  test.each(paths(table))("$path has a default that its check accepts, and a line of help", ({ option }) => {
    if (option.default !== undefined) expect(() => option.check(option.default, "")).not.toThrow();
    expect(option.help).toMatch(/^[a-z1].*[^.]$/);
  });
}
