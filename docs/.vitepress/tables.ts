import type { MarkdownRenderer } from "vitepress";

/** The built package, with the types of its sources: the site does not depend on them. */
const built = <Exports>(name: string): Promise<Exports> =>
  import(new URL(`../../packages/${name}/dist/index.js`, import.meta.url).href);
const [{ RULES }, kit, mst, ad3, climb] = await Promise.all([
  built<typeof import("../../packages/conllu/src/index.ts")>("conllu"),
  built<typeof import("../../packages/decoder-laws/src/index.ts")>("decoder-laws"),
  built<typeof import("../../packages/decode-mst/src/index.ts")>("decode-mst"),
  built<typeof import("../../packages/decode-ad3/src/index.ts")>("decode-ad3"),
  built<typeof import("../../packages/decode-hillclimb/src/index.ts")>("decode-hillclimb"),
]);

type Row = readonly (string | number)[];

/** Returns the laws of some decoders, each once. */
function lawRows(laws: readonly { name: string; says: string }[]): Row[] {
  return [...new Map(laws.map(({ name, says }) => [name, [`\`${name}\``, says]])).values()];
}

function ruleRow([name, rule]: [string, (typeof RULES)[keyof typeof RULES]]): Row {
  const { level, severity, refused, own, searched, says } = rule;
  const number = own ? "" : `${level}${severity === "warning" ? " (warning)" : ""}`;
  return [`\`${name}\``, number, refused === true ? "yes" : refused || "", searched ? "yes" : "", says];
}

/** Tables of data that packages export, by what a block "```table" says: the head, and the rows. */
const TABLES: Readonly<Record<string, readonly [Row, ...Row[]]>> = {
  "RULES of @arcwise/conllu": [
    ["rule", "level", "refused by readers", "searched", "what it asks"],
    ...Object.entries(RULES).map(ruleRow),
  ],
  "laws of @arcwise/decoder-laws": [
    ["law", "what it says"],
    ...lawRows([
      ...kit.laws(() => mst.mstDecoder(), { exact: true }),
      ...kit.laws(() => ad3.ad3Decoder({ exact: true }), { exact: true }),
      ...kit.laws(() => climb.hillclimbDecoder(), { exact: false }),
    ]),
  ],
  "graphLaws of @arcwise/decoder-laws": [
    ["law", "what it says"],
    ...lawRows([
      ...kit.graphLaws(() => kit.bruteForceGraphDecoder(), { exact: true }),
      ...[true, false].flatMap((exact) => kit.graphLaws(() => ad3.ad3GraphDecoder({ exact }), { exact })),
    ]),
  ],
};

/** Shows the table that a block "```table" names. */
export function tables(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== "table") return code(tokens, index, ...rest);
    const rows = TABLES[content.trim()];
    if (rows === undefined) throw new Error(`expected a table of data, found ${content.trim()}`);
    const [head, ...body] = rows;
    const lines = [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |`);
    return markdown.render(lines.join("\n"));
  };
}
