import { readFileSync } from "node:fs";
import { CAPABILITIES, type Decoder, PART_KINDS } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { eisnerDecoder, mbrDecoder, mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";
import { describe, expect, it, vi } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");

it.each([
  ["readme-example.ts", 5, () => import("./readme-example.ts")],
  ["own-decoder.example.ts", 2, () => import("./own-decoder.example.ts")],
])("%s of the README runs and prints what it says", async (file, lines, load) => {
  const example = read(file);
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await load();
    const promised = [...example.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBe(lines);
    expect(log.mock.calls.map((values) => values.join(" "))).toEqual(promised);
  } finally {
    log.mockRestore();
  }
});

/** The decoders of each package. */
const DECODERS: Readonly<Record<string, readonly Decoder[]>> = {
  "decode-mst": [
    mstDecoder(),
    eisnerDecoder(),
    projectiveDecoder(),
    mbrDecoder(),
    mbrDecoder({ projective: true }),
  ],
  "decode-ad3": [ad3Decoder()],
  "decode-hillclimb": [hillclimbDecoder()],
};

describe.each(Object.entries(DECODERS))("the README of %s", (name, decoders) => {
  const [, section] = /\n## Decoders?\n([\s\S]*?)\n## /.exec(read(`../../${name}/README.md`))!;
  const quoted = new Set([...section!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!));

  it("lists the capabilities of its decoders", () => {
    const listed = Object.keys(CAPABILITIES).filter((capability) => quoted.has(capability));
    for (const decoder of decoders) {
      expect(Object.keys(CAPABILITIES).filter((capability) => capability in decoder)).toEqual(listed);
    }
  });

  it("names the decoders, their trees and the kinds of parts that they score", () => {
    for (const { name: own, trees } of decoders) {
      expect(quoted).toContain(own);
      expect(section).toContain(trees);
    }
    const handled = PART_KINDS.filter((kind) => decoders.some(({ handles }) => handles.has(kind)));
    const listed = PART_KINDS.filter((kind) => quoted.has(kind));
    expect(section!.includes("all kinds of parts") ? PART_KINDS : listed).toEqual(handled);
  });
});

it("the README of core lists all capabilities", () => {
  const listed = [...read("../../core/README.md").matchAll(/^\| `(\w+)` *\|/gm)].map(([, member]) => member!);
  expect(listed.filter((member) => Object.hasOwn(CAPABILITIES, member))).toEqual(Object.keys(CAPABILITIES));
});
