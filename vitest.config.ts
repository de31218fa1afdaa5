import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** One vitest project a package, so that `vitest run --project core` works. */
const folders = ["packages", "apps"]
  .flatMap((group) => readdirSync(new URL(group, import.meta.url)).map((name) => `${group}/${name}`))
  .concat("tools")
  .filter((folder) => existsSync(new URL(`${folder}/test`, import.meta.url)));

/** Tests read the packages' sources, so that no build comes between an edit and its test. */
const conditions = ["@arcwise/source"];

const propertySeed = fileURLToPath(new URL("tools/property-seed.ts", import.meta.url));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: availableParallelism(),
    // Files share the modules of their process: loading them anew for each takes a fifth of the whole time.
    isolate: false,
    projects: folders.map((root) => ({
      extends: true,
      test: {
        name: root.split("/").at(-1) ?? root,
        root,
        include: ["test/**/*.test.ts"],
        setupFiles: [propertySeed],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    })),
  },
});
