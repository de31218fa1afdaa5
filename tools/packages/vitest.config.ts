import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests of the packages as they are published: `npm run test:packages`. They need a build. */
export default defineConfig({
  cacheDir: fileURLToPath(new URL("../../node_modules/.vite", import.meta.url)),
  test: {
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["test/**/*.test.ts"],
    globalSetup: ["../temporary-files.ts", "setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
