import { fileURLToPath } from "node:url";

let bundled: Promise<string> | undefined;

/**
 * Returns the script of a report's page: `page/main` with all that it imports, as one classic script that
 * may stand in a `<script>` element. The modules are those that this program runs itself, compiled or not,
 * so that the page and the program draw with the same code. Bundled once per process, in a tenth of a second.
 */
export function pageScript(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  // Only reports on request need the bundler, which takes longer to load than to run.
  const { rolldown } = await import("rolldown");
  const [suffix, conditionNames] = import.meta.url.endsWith(".ts")
    ? ["ts", ["@arcwise/source", "default"]]
    : ["js", ["default"]];
  const input = fileURLToPath(new URL(`page/main.${suffix}`, import.meta.url));
  const build = await rolldown({ input, platform: "browser", resolve: { conditionNames } });
  try {
    const { output } = await build.generate({ format: "iife", minify: true, sourcemap: false });
    // The end of the element within a string would end the script.
    return output[0].code.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
  } finally {
    await build.close();
  }
}
