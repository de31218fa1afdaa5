import { DRAWING_COLOURS, DRAWING_STYLE } from "@arcwise/draw";
import { defineConfig } from "vitepress";
import { addressOf } from "../../tools/remote-address.mjs";
import { commands, drawings, englishTrees, help } from "./drawings.ts";
import { withoutInlineScripts, writeFunctions } from "./policy.ts";
import { headingAnchor, repositoryLinks } from "./repository.ts";
import { tables } from "./tables.ts";

type Scheme = keyof (typeof DRAWING_COLOURS)["ink"];

/** The colours of drawings under the switch of the site, which wins over the reader's preference. */
function colours(selector: string, scheme: Scheme): string {
  const properties = Object.entries(DRAWING_COLOURS).map(
    ([name, colour]) => `--aw-${name}:${colour[scheme]}`,
  );
  return `${selector}{${properties.join(";")}}`;
}

/** The web address of the repository, from the remote of a release; undefined in a checkout without one. */
function repository(): string | undefined {
  try {
    return addressOf("origin", import.meta.dirname);
  } catch {
    return undefined;
  }
}

const address = repository();
const page = (text: string, link: string) => ({ text, link });

export default defineConfig({
  title: "Arcwise",
  description: "Dependency parsing for TypeScript and JavaScript: text to trees, in Node and in browsers",
  lang: "en",
  cleanUrls: false,
  metaChunk: true,
  // The worker of the home page loads code when it needs it.
  vite: { worker: { format: "es" } },
  transformHtml: (page, _file, { siteConfig }) => withoutInlineScripts(page, siteConfig.outDir),
  buildEnd: ({ outDir }) => writeFunctions(outDir),
  srcExclude: ["examples/**"],
  // The playground is built into the site after its pages; addresses of this machine are those of commands to start.
  ignoreDeadLinks: [/^http:\/\/localhost:/, /^\/playground\//],
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" }],
    ["style", {}, DRAWING_STYLE + colours("html:not(.dark)", "light") + colours("html.dark", "dark")],
  ],
  markdown: {
    anchor: { slugify: headingAnchor },
    config(markdown) {
      drawings(markdown);
      englishTrees(markdown);
      help(markdown);
      tables(markdown);
      commands(markdown);
      repositoryLinks(markdown);
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Notes and results tell what was measured; who searches wants to know how something is done.
            boostDocument: (id: string) =>
              id.includes("/guide/") ? 2 : /\/(?:notes|results)\//.test(id) ? 0.2 : 1,
          },
        },
      },
    },
    ...(address !== undefined && {
      editLink: { pattern: `${address}/blob/HEAD/docs/:path`, text: "Source of this page" },
    }),
    outline: [2, 3],
    nav: [
      page("Guide", "/guide/first-steps"),
      page("Choosing", "/guide/choosing"),
      page("Reference", "/reference/"),
      page("Results", "/results/"),
      page("Explanation", "/explanation/parsing"),
      ...(address === undefined ? [] : [page("Repository", address)]),
    ],
    sidebar: [
      {
        text: "Guide",
        items: [
          page("First steps", "/guide/first-steps"),
          page("From a text to a figure", "/guide/tutorial"),
          page("The playground", "/guide/playground"),
          page("Recipes", "/guide/recipes"),
          page("Drawing", "/guide/drawing"),
          page("Search and convert", "/guide/search"),
          page("Correct a treebank", "/guide/correct"),
          page("Preset, decoder, model", "/guide/choosing"),
          page("Models and licences", "/guide/treebanks"),
          page("Train on your treebank", "/guide/train"),
          page("Is B better than A?", "/guide/compare"),
          page("Pretrained encoders", "/guide/encoders"),
          page("Pipelines", "/guide/pipelines"),
          page("More than one tree", "/guide/readings"),
          page("Browser and workers", "/guide/browser"),
          page("In a server", "/guide/server"),
          page("Graphs", "/guide/graphs"),
          page("Your own features", "/guide/features"),
          page("Your own decoder", "/guide/decoder"),
          page("Your own learner", "/guide/learner"),
          page("Two machines", "/guide/two-machines"),
          page("A hundred machines", "/guide/hundred-machines"),
          page("What a worker trusts", "/guide/trust"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Overview", "/reference/"),
          page("The command", "/reference/command"),
          page("Settings", "/reference/settings"),
          page("Files", "/reference/files"),
          page("Validation", "/reference/validation"),
          page("Errors", "/reference/errors"),
          page("The benchmark", "/reference/bench"),
          page("What is new", "/reference/whats-new"),
          { ...page("All exported names", "/api/index.html"), target: "_self" },
        ],
      },
      {
        text: "Results",
        items: [
          page("Overview", "/results/"),
          page("Presets", "/results/presets"),
          page("Presets of graphs", "/results/graph-presets"),
          page("Models of languages", "/results/languages"),
          page("Decoders", "/results/decoders"),
          page("Other programs", "/results/programs"),
          page("Speed of other programs", "/results/programs-speed"),
          page("Parsers on gold tags", "/results/programs-tagged"),
        ],
      },
      {
        text: "Explanation",
        items: [
          page("How graph-based parsing works", "/explanation/parsing"),
          page("Architecture", "/explanation/architecture"),
          page("Networks", "/explanation/networks"),
          page("Exact decoders", "/explanation/exact-decoders"),
          page("Hill climbing", "/explanation/hill-climbing"),
          page("AD3", "/explanation/ad3"),
          page("From characters to sentences", "/explanation/tokenising"),
          page("Evaluation", "/explanation/evaluation"),
          page("Determinism", "/explanation/determinism"),
        ],
      },
    ],
  },
});
