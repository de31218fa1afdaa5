import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, it } from "vitest";

const { folder, packages } = inject("project");

/** What the text of a licence contains, by its name in package.json. */
const LICENCES = { MIT: "MIT License", "CC-BY-SA-4.0": "Attribution-ShareAlike 4.0 International" };

describe.each(packages)("$name", ({ name, tarball }) => {
  const installed = join(folder, "node_modules", name);

  it("has no finding of publint", async () => {
    const buffer = readFileSync(tarball);
    const data = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
    const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that agree with its modules, in every resolution of ES modules", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
      // A model is data, which has no types.
      excludeEntrypoints: [/\.model$/],
    });
    if (result.types === false) throw new Error("expected types, found none");
    // The packages are ES modules alone: resolutions of CommonJS do not apply.
    const problems = result.problems.filter(
      (problem) =>
        !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  it("has a README, a licence and no reference to the workspace", () => {
    const manifest = readFileSync(join(installed, "package.json"), "utf8");
    const { license } = JSON.parse(manifest) as { license: keyof typeof LICENCES };
    expect(manifest).not.toContain("workspace:");
    expect(readFileSync(join(installed, "README.md"), "utf8")).toContain(`# ${name}\n`);
    expect(readFileSync(join(installed, "LICENSE"), "utf8")).toContain(LICENCES[license]);
  });
});
