import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests read the packages' sources, so that no build comes between an edit and its test. */
const conditions = ["@arcwise/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // One project for all: a project a package would compile and load the packages that many use for each anew.
    include: ["{packages,apps}/*/test/**/*.test.ts", "tools/test/**/*.test.ts"],
    globalSetup: ["temporary-files", "kept-models"].map((name) =>
      fileURLToPath(new URL(`tools/${name}.ts`, import.meta.url)),
    ),
    setupFiles: ["property-seed", "equal-bytes"].map((name) =>
      fileURLToPath(new URL(`tools/${name}.ts`, import.meta.url)),
    ),
    maxWorkers: availableParallelism(),
    // Files share the modules of their process: loading them anew for each takes a fifth of the whole time.
    isolate: false,
    tags: [
      {
        name: "slow",
        description: "Takes seconds: starts programs or servers, or trains models of a realistic size.",
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
