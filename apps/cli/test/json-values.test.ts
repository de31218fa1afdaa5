import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonValues } from "../src/convert/json-values.ts";

async function valuesOf(text: string): Promise<unknown[]> {
  async function* lines() {
    for (const [at, line] of text.split("\n").entries()) yield [line, at + 1] as const;
  }
  const values: unknown[] = [];
  for await (const { text: value } of jsonValues(lines(), "in")) values.push(JSON.parse(value));
  return values;
}

const object = fc.dictionary(fc.constantFrom("a", '"', "\\", "{[", "]}"), fc.jsonValue());

describe("the objects of JSON are found", () => {
  test.each<[string, (objects: readonly unknown[]) => string]>([
    ["in lines", (objects) => objects.map((one) => `${JSON.stringify(one)}\n`).join("")],
    ["in a list", (objects) => JSON.stringify(objects)],
    [
      "in a list with a line for each",
      (objects) => `[\n${objects.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`,
    ],
    ["in an indented list", (objects) => JSON.stringify(objects, undefined, 2)],
    [
      "indented, in sequence",
      (objects) => objects.map((one) => JSON.stringify(one, undefined, "\t")).join("\n\n"),
    ],
  ])("%s", async (_, write) => {
    await fc.assert(
      fc.asyncProperty(fc.array(object, { maxLength: 4 }), async (objects) => {
        const plain = JSON.parse(JSON.stringify(objects)) as unknown[];
        expect(await valuesOf(write(plain))).toEqual(plain);
      }),
    );
  });

  test.each([
    ["an object without its end", '{"a":1}\n{"b":\n1', 2],
    ["a list without its end", '[{"a":1},\n{"b":1}\n', 3],
    ["a list without a comma", '[{"a":1}\n{"b":1}]', 2],
    ["a list with two commas", '[{"a":1},,\n{"b":1}]', 2],
    ["a list with a comma at its end", '[{"a":1},\n]', 2],
    ["a list with numbers", "[1, 2]", 1],
    ["a list of lists", '[[{"a":1}]]', 1],
    ["an object after a list", '[{"a":1}]\n{"b":1}', 2],
    ["lines with commas", '{"a":1},\n{"b":1}', 2],
    ["text", "Dogs bark.", 1],
    ["text after an object", '{"a":1}\n\nDogs bark.', 3],
    ["a string", '"{}"', 1],
  ])("and %s is refused with its line", async (_, text, line) => {
    await expect(valuesOf(text)).rejects.toMatchObject({ code: "invalid-data", file: "in", line });
  });
});
