import type { SourceFile, WorkspacePackage } from "./workspace.ts";

const MAX_LINES = 450;

/** Marks of unfinished work. */
const LEFTOVERS = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/**
 * Checks that every package has a README, and that no source file is too long or has a mark of unfinished
 * work.
 */
export function textViolations(workspace: readonly WorkspacePackage[]): string[] {
  return workspace.flatMap((pkg) => [
    ...["README.md", "tsconfig.json"]
      .filter((name) => !pkg.others.includes(name))
      .map((name) => `${pkg.folder}: has no ${name}`),
    ...pkg.files.flatMap((file) => fileViolations(file).map((what) => `${pkg.folder}/${file.path}: ${what}`)),
  ]);
}

function fileViolations({ path, text }: SourceFile): string[] {
  const lines = text.split("\n");
  const found =
    path.startsWith("src/") && lines.length > MAX_LINES ? [`has more than ${MAX_LINES} lines`] : [];
  const leftover = lines.findIndex((line) => LEFTOVERS.test(line));
  return leftover < 0 ? found : [...found, `line ${leftover + 1} is a note of unfinished work`];
}

/** Names of decoders in comparisons; "projective" alone is not one, but a family of trees. */
const DECODER_NAMES = "(?:mst|eisner|hillclimb|ad3|mbr|mbr-projective|projective-[a-z-]+|brute-force)";
const NAME_COMPARISON = new RegExp(
  `[!=]==? *["'\`]${DECODER_NAMES}["'\`]|["'\`]${DECODER_NAMES}["'\`] *[!=]==?|` +
    `\\bcase +["'\`]${DECODER_NAMES}["'\`]`,
);

/**
 * Checks that no code outside of a decoder's own package compares its name, instead of testing capabilities.
 */
export function decoderNameViolations(workspace: readonly WorkspacePackage[]): string[] {
  return workspace
    .filter(({ folder }) => !folder.startsWith("packages/decode-"))
    .flatMap(({ folder, files }) =>
      files
        .filter(({ path }) => path.startsWith("src/"))
        .flatMap(({ path, text }) =>
          text
            .split("\n")
            .flatMap((line, i) =>
              NAME_COMPARISON.test(line)
                ? [`${folder}/${path}: line ${i + 1} compares the name of a decoder: ask for a capability`]
                : [],
            ),
        ),
    );
}

/** Checks that all packages are released together, under one version, with public access. */
export function changesetsViolations(config: Readonly<Record<string, unknown>>): string[] {
  const wanted = { fixed: [["@arcwise/*"]], access: "public", baseBranch: "main" };
  return Object.entries(wanted)
    .filter(([field, value]) => JSON.stringify(config[field]) !== JSON.stringify(value))
    .map(([field, value]) => `.changeset/config.json: ${field} must be ${JSON.stringify(value)}`);
}

const MAX_WIDTH = 110;

/** Terms that this project does not use, each with its replacement. */
const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bslopes?\b/i, "gradient or derivative"],
  [/\bbreather\b/i, "yieldToEventLoop"],
  [/\bsquash/i, "the name of the function: tanh, sigmoid"],
  [/\bworkshop\b/i, "TrainingContext"],
  [/\bat rest\b|AtRest/i, "quantised or stored"],
  [/\b(?:MOST|LEAST|MINIMAL)_/, "MIN_ or MAX_"],
  [/\bso many numbers\b/i, "`length` entries"],
  [/\b(?:deeds?|doers?)\b/i, "what they are"],
  [/^\W*Told\b/, "Called with"],
  [/\bcrossing arcs allowed\b|\btrees that cross\b/i, "non-projective"],
];

/**
 * Finds lines that are too wide, and terms that this project does not use, in sources and documents.
 *
 * A line without a space (a web address, data in base 64) and the row of a Markdown table may be wider.
 */
export function wordingViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, i) => lineViolations(path, line).map((what) => `${path}:${i + 1}: ${what}`)),
  );
}

function lineViolations(path: string, line: string): string[] {
  const mayBeWide = !/\s/.test(line.trim()) || (path.endsWith(".md") && line.startsWith("|"));
  const wide = [...line].length > MAX_WIDTH && !mayBeWide ? [`is wider than ${MAX_WIDTH} characters`] : [];
  const terms = TERMS.filter(([term]) => term.test(line));
  return [...wide, ...terms.map(([term, instead]) => `has ${term.exec(line)![0].trim()}; write ${instead}`)];
}
