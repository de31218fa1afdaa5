import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonValues, MAX_JSON } from "../src/convert/json-values.ts";

/** The objects of a text that arrives in chunks of a size. */
async function valuesOf(text: string, size: number): Promise<unknown[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const values: unknown[] = [];
  for await (const { text: value } of jsonValues(chunks(), "in")) values.push(JSON.parse(value));
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
      fc.asyncProperty(
        fc.array(object, { maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        async (objects, size) => {
          const plain = JSON.parse(JSON.stringify(objects)) as unknown[];
          expect(await valuesOf(write(plain), size)).toEqual(plain);
        },
      ),
    );
  });

  test.each([
    ["an object without its end", '{"a":1}\n{"b":\n1', 2],
    ["a list without its end", '[{"a":1},\n{"b":1}\n', 3],
    ["a list without a comma", '[{"a":1}\n{"b":1}]', 2],
    ["a list with two commas", '[{"a":1},,\n{"b":1}]', 1],
    ["a list with a comma at its end", '[{"a":1},\n]', 2],
    ["a list with numbers", "[1, 2]", 1],
    ["a list of lists", '[[{"a":1}]]', 1],
    ["an object after a list", '[{"a":1}]\n{"b":1}', 2],
    ["lines with commas", '{"a":1},\n{"b":1}', 1],
    ["text", "Dogs bark.", 1],
    ["text after an object", '{"a":1}\n\nDogs bark.', 3],
    ["a string", '"{}"', 1],
  ])("and %s is refused with its line", async (_, text, line) => {
    for (const size of [1, 100])
      await expect(valuesOf(text, size)).rejects.toMatchObject({ code: "invalid-data", file: "in", line });
  });

  test("and one without an end is refused when it is too long, with the line of its beginning", async () => {
    let count = 0;
    async function* chunks() {
      yield '{}\n\n{"a": "';
      for (; ; count++) yield "x".repeat(2 ** 16);
    }
    const read = async () => {
      for await (const _ of jsonValues(chunks(), "in"));
    };
    await expect(read()).rejects.toMatchObject({ code: "invalid-data", line: 3 });
    expect(count).toBe(MAX_JSON / 2 ** 16 - 1);
  });
});
