import { bruteForceDecoder, laws } from "@arcwise/decoder-laws";
import { describe, expect, it, test } from "vitest";
import { LAW_NAMES, type LawOptions } from "../src/laws.ts";
import { BROKEN, type Broken } from "./broken.ts";
import { BROKEN_CAPABILITIES } from "./broken-capabilities.ts";
import { capableDecoder } from "./capable.ts";

const ALL_BROKEN: readonly Broken[] = [...BROKEN, ...BROKEN_CAPABILITIES];

function optionsOf(broken: Broken): LawOptions {
  const { exact = true } = broken;
  const usual = { exact, kinds: ["grandparent", "nextSibling"] as const, words: 4, large: 5 };
  // Faults in capabilities show on few problems, and all laws are checked for each of these decoders.
  return BROKEN_CAPABILITIES.includes(broken) ? { ...usual, runs: 15, words: 3 } : usual;
}

function failing(all: ReturnType<typeof laws>): string[] {
  return all.flatMap(({ name, check }) => {
    try {
      check();
      return [];
    } catch {
      return [name];
    }
  });
}

/** Returns a brute-force decoder without global scores, like the broken decoders. */
function sound(): ReturnType<typeof bruteForceDecoder> {
  return bruteForceDecoder({ handles: ["grandparent", "nextSibling"] });
}

describe("every broken decoder fails the law of its fault, and no other", { tags: "slow" }, () => {
  test.each(ALL_BROKEN.map((decoder) => [decoder.law, decoder.fault, decoder] as const))(
    "%s: %s",
    (law, _, decoder) => {
      expect(failing(laws(decoder.make, optionsOf(decoder)))).toEqual([law]);
    },
  );

  it("has a broken decoder for every law", () => {
    expect(new Set(ALL_BROKEN.map(({ law }) => law))).toEqual(new Set(LAW_NAMES));
  });
});

describe("an exception", () => {
  const even = BROKEN.find(({ law }) => law === "raise")!;

  it("excuses a law that fails, and states its reason", () => {
    const all = laws(even.make, {
      ...optionsOf(even),
      except: { raise: "it wants arcs alike" },
    });
    expect(all.map(({ name }) => name)).toContain("raise (excepted: it wants arcs alike)");
    expect(failing(all)).toEqual([]);
  });

  it("from a law that holds is a failure", () => {
    const all = laws(sound, { exact: true, large: 6, except: { shift: "none" } });
    expect(failing(all)).toEqual(["shift (excepted: none)"]);
    const shift = all.find(({ name }) => name.startsWith("shift"))!;
    expect(shift.check).toThrow('the law "shift" is excepted (none), but it holds: remove the exception');
  });

  test.each([
    ["an unknown law", { exact: true, except: { gravity: "heavy" } }, /got "gravity"/],
    [
      "a law for exact decoders, of one that is not",
      { exact: false, except: { optimal: "greedy" } },
      /got "optimal"/,
    ],
    ["a law without a reason", { exact: true, except: { shift: " " } }, /expected a reason for "shift"/],
  ])("from %s is refused", (_, options, message) => {
    expect(() => laws(sound, options)).toThrow(message);
    expect(() => laws(sound, options)).toThrow(RangeError);
  });
});

describe("a failure", () => {
  it("prints the problem, shrunk to few words", () => {
    const greedy = BROKEN.find(({ fault }) => fault.startsWith("takes the best head"))!;
    const tree = laws(greedy.make, optionsOf(greedy)).find(({ name }) => name === "tree")!;
    expect(tree.check).toThrow(/cycle|expected one root word/);
    expect(tree.check).toThrow(/Counterexample: \[2 words; 0->1: /);
  });

  it("is what an exact decoder has that finds no tree where one satisfies the constraints", () => {
    const throwing = BROKEN_CAPABILITIES.find(({ fault }) => fault.startsWith("throws where the best tree"))!;
    const all = laws(throwing.make, optionsOf(throwing));
    expect(all.find(({ name }) => name === "constraints")!.check).toThrow("satisfies them");
  });
});

describe("a sound decoder with all capabilities", () => {
  test.each(laws(capableDecoder, { exact: true, words: 4, large: 5 }).map((law) => [law.name, law] as const))(
    "%s",
    (_, { check }) => check(),
  );
});

it("laws of a capability apply to decoders that have it", () => {
  const { marginals } = capableDecoder();
  const names = laws(() => ({ ...sound(), marginals }), { exact: true }).map(({ name }) => name);
  expect(names.slice(-5)).toEqual([
    "partition",
    "marginals",
    "extreme-marginals",
    "capability-errors",
    "capability-manner",
  ]);
  expect(names).not.toContain("k-best");
});

it("laws are data: a name, a sentence and a check", () => {
  const all = laws(capableDecoder, { exact: false });
  expect(all.map(({ name }) => name)).toEqual(
    LAW_NAMES.filter((name) => !["certificate", "optimal"].includes(name)),
  );
  for (const { says, check } of all) {
    expect(says).toMatch(/^[a-zN].*[^.]$/);
    expect(check).toBeTypeOf("function");
  }
});
