/**
 * Joins all modules that `arcwise` imports into `dist/arcwise.min.js`, one ES module without imports, for pages
 * without a bundler: an import map of two lines replaces one of every package.
 */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const bundle = await rolldown({
  input: here("src/index.ts"),
  platform: "browser",
  resolve: { conditionNames: ["@arcwise/source", "import", "default"] },
});
const { output } = await bundle.write({ file: here("dist/arcwise.min.js"), format: "esm", minify: true });
await bundle.close();
if (output.length !== 1 || output[0].imports.length > 0)
  throw new Error(`expected one file without imports, found ${output.map(({ fileName }) => fileName)}`);
