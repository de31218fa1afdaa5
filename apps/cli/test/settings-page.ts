import { expectedBy, type Option, type OptionTable } from "@arcwise/core/options";
import { GRAPH_PRESETS } from "@arcwise/graph-parser";
import { defaultText, type Presets } from "../src/settings/flags.ts";
import { GRAPH_TABLE, TAGGER_TABLE, TRAIN_PRESETS, TRAIN_TABLE } from "../src/settings/tables.ts";

const TOP = `---
aside: false
pageClass: settings
---

# Settings

Every setting of a training, as a file of \`--settings\` has it, with its default and the presets that have
another one. \`--print-settings\` writes all of them. In code, \`trainPipeline\` takes the same fields as its
option \`settings\` (word vectors and modules as values, not as names of files), \`trainParser\` the fields of
\`parser\`, \`trainTagger\` the fields of tag train, and \`trainGraphParser\` the fields of train --for graphs, but for the files. A dot separates the names of a group and a field:
\`parser.network.units\` is \`{ "parser": { "network": { "units": 64 } } }\`.
`;

/** Returns the reference page of all settings. */
export function settingsPage(): string {
  return [
    TOP,
    `## train\n\n${rows(TRAIN_TABLE, TRAIN_PRESETS)}`,
    `## tag train\n\n${rows(TAGGER_TABLE, {})}`,
    `## train for graphs\n\n${rows(GRAPH_TABLE, GRAPH_PRESETS)}`,
  ].join("\n");
}

function rows(table: OptionTable<object>, presets: Presets): string {
  const head = ["| field | flag | value | meaning | default |", "|---|---|---|---|---|"];
  return `${[...head, ...tableRows(table, presets, [])].join("\n")}\n`;
}

function tableRows(
  table: OptionTable<object>,
  presets: Presets,
  at: readonly string[],
  flags = true,
): string[] {
  return table.flatMap((option) => {
    const path = [...at, option.name];
    const { options } = option;
    if (options === undefined) return [row(option, path, presets, flags)];
    const inner = tableRows(options, presets, path, flags && option.flags !== false);
    return option.off ? [row(option, path, presets, flags), ...inner] : inner;
  });
}

function row(option: Option, path: readonly string[], presets: Presets, flags: boolean): string {
  const { options, flag, help, check } = option;
  const value = options === undefined ? expectedBy(check) : "a group, or false";
  const standard = options === undefined ? defaultText(option, path, presets) : groupDefault(option);
  const cells = [`\`${path.join(".")}\``, flags && flag ? `\`${flag}\`` : "", value, help, standard];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function groupDefault(option: Option): string {
  return option.default === false ? "false" : "the defaults of its fields";
}
