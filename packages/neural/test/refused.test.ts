import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

/** WebAssembly of engines that refuse it: in pages with a policy, in workers, and where it is old or missing. */
const REFUSALS: Readonly<Record<string, object | undefined>> = {
  "a content security policy": {
    ...members(),
    Module: function Module() {
      throw new WebAssembly.CompileError("WebAssembly.Module(): Refused to compile: 'wasm-unsafe-eval'");
    },
  },
  "an engine without 128-bit vectors": { ...members(), validate: () => false },
  "an engine without WebAssembly": undefined,
};

function members(): object {
  const { Memory, Instance, Module, validate } = WebAssembly;
  return { Memory, Instance, Module, validate };
}

test.each(Object.entries(REFUSALS))("%s is an error with a code", async (_, engine) => {
  vi.stubGlobal("WebAssembly", engine);
  const { ByteTable, MatrixMemory } = await import("../src/index.ts");
  for (const make of [() => new MatrixMemory(), () => new ByteTable(new Int8Array(16), 8)]) {
    expect(make).toThrow(expect.objectContaining({ name: "ArcwiseError", code: "no-webassembly" }));
  }
});

test("the error of a policy names what it lacks, and keeps its cause", async () => {
  vi.stubGlobal("WebAssembly", REFUSALS["a content security policy"]);
  const { MatrixMemory } = await import("../src/index.ts");
  expect(() => new MatrixMemory()).toThrow(
    expect.objectContaining({
      expected: expect.stringContaining("'wasm-unsafe-eval'"),
      cause: expect.any(Error),
    }),
  );
});
