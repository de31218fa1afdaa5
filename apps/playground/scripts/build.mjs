/**
 * Builds the page into a folder: `node scripts/build.mjs [FOLDER]`; default: `dist`. With `--serve` it serves the
 * sources instead, prints their address, and the page follows their changes.
 */
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, createServer } from "vite";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Confines the style sheets of a view's folder to the view that `main` names, so that they cannot reach another view:
 * a style sheet stays in the page after its view is left. `:where` leaves the specificity of selectors as written.
 */
export const scopedStyles = {
  name: "scoped-styles",
  enforce: "pre",
  transform(code, id) {
    const view = /^([\w-]+)\/.*\.css$/.exec(relative(here("src"), id).replaceAll("\\", "/"))?.[1];
    if (view === undefined || view === "shared") return undefined;
    return `:where(main[data-view="${view}"]) {${code}}`;
  },
};

/**
 * What the first view loads, as one file: many small files are larger together, since each is compressed on its own. What is
 * loaded later stays apart.
 */
const FIRST_VIEW = {
  name: "first",
  test: /preload-helper|playground\/src\/(?:(?:app|drop|model-button|views)\.|style\.css|app\/|parse\/(?!ranked|differences)|model\/(?:decoder-names|loading-model|model\.|start)|shared\/(?!export\.|conllu-input|use-draft|use-search|pauses|enhanced))/,
};

/** The model of the page. */
const ENGLISH = here("../../packages/english-small/english-small.model");

/** Reads the sources of all packages, so that no package has to be built first. */
export const SETTINGS = {
  configFile: false,
  logLevel: "warn",
  root: here("src"),
  // All addresses are relative: the page may be in any folder of a site.
  base: "./",
  define: { "import.meta.env.ENGLISH_MEGABYTES": JSON.stringify((statSync(ENGLISH).size / 1e6).toFixed(1)) },
  resolve: { conditions: ["@arcwise/source", "import", "module", "browser", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  plugins: [scopedStyles],
};

/** Builds the page into a folder, which is emptied first. @param folder relative to the working folder */
export async function buildPage(folder = here("dist")) {
  await build({
    ...SETTINGS,
    // A style sheet or picture inside of another file would need a wider content security policy.
    build: {
      // A relative path would be one in `root`.
      outDir: resolve(folder),
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: [FIRST_VIEW] } } },
    },
  });
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  if (argv[2] === "--serve") {
    // The address is a message of the level "info".
    const server = await createServer({ ...SETTINGS, logLevel: "info" });
    await server.listen();
    server.printUrls();
  } else {
    await buildPage(argv[2]);
  }
}
