import { describe, expect, test } from "vitest";
import { documented, optionText } from "../document-options.mjs";

const DECLARATIONS = `export declare const TABLE: OptionTable<{
    readonly width: {
        readonly check: Check<number>;
        readonly help: "maximum width in pixels";
        readonly defaultHelp: "no limit";
    };
    /**
     * Trees never
     * wrap.
     */
    readonly layout: {
        readonly check: Check<"arcs" | "tree">;
        readonly help: "arcs above the words, or a tree";
        readonly default: "arcs";
    };
    readonly network: {
        readonly help: "the network";
        readonly options: OptionTable<{
            readonly units: {
                readonly check: Check<number>;
                readonly help: "units of the layer";
                readonly default: 64;
            };
        }>;
    };
    readonly other: {
        readonly value: number;
    };
}>;`;

describe("options in declarations", () => {
  const { text, origins } = documented(DECLARATIONS);
  const comments = text.split("\n").filter((line) => line.includes("/**"));

  test("have help, comment and default of their rows", () => {
    expect(comments.map((line) => line.trim())).toEqual([
      "/** Maximum width in pixels. Default: no limit. */",
      '/** Arcs above the words, or a tree. Trees never wrap. Default: "arcs". */',
      "/** The network. */",
      "/** Units of the layer. Default: 64. */",
    ]);
  });

  test("keep all other lines, whose numbers are kept for the source map", () => {
    const lines = DECLARATIONS.split("\n");
    const written = text.split("\n");
    expect(origins.flat()).toEqual(lines.map((_, i) => i));
    for (const [i, line] of written.entries())
      if (!line.includes("/**")) expect(origins[i]!.map((origin) => lines[origin])).toEqual([line]);
  });

  test("a text does not end its comment", () => {
    expect(optionText({ help: "a pattern such as */", standard: undefined })).toBe("A pattern such as *\\/.");
  });
});
