/**
 * Writes the texts of options into the declarations of the package in the current directory, as doc comments: an editor
 * shows the help and the default of each row of `defineOptions`, and what the comment of the row adds.
 *
 *     node ../../tools/document-options.mjs
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the documentation of an option in one line.
 *
 * @param facts its help, its default as TypeScript writes it or in words, and the text of the comment of its row
 */
export function optionText({ help, more = "", standard }) {
  const sentence = `${help[0].toUpperCase()}${help.slice(1)}.`;
  return [sentence, more, standard === undefined ? "" : `Default: ${standard}.`]
    .filter((text) => text !== "")
    .join(" ")
    .replaceAll("*/", "*\\/");
}

/** Returns declarations with documented options, and for each of their lines the numbers of the lines that it was. */
export function documented(declarations) {
  const lines = declarations.split("\n");
  const texts = [];
  const origins = [];
  for (const [i, line] of lines.entries()) {
    const text = textAt(lines, i);
    if (text !== undefined) {
      const old = commentBefore(texts);
      texts.length -= old.length;
      const more = old.join("\n").replaceAll(/^\s*(?:\/\*\*|\*(?!\/))|\*\/\s*$/gm, "");
      texts.push(
        `${indentOf(line)}/** ${optionText({ ...text, more: more.replaceAll(/\s+/g, " ").trim() })} */`,
      );
      origins.push(origins.splice(origins.length - old.length).flat());
    }
    texts.push(line);
    origins.push([i]);
  }
  return { text: texts.join("\n"), origins };
}

const indentOf = (line) => /^ */.exec(line)[0];

/** Returns help and default of the option whose row begins in a line; undefined if none does. */
function textAt(lines, at) {
  if (!/^ *readonly \w+: \{$/.test(lines[at])) return undefined;
  const indent = indentOf(lines[at]);
  const facts = {};
  for (let i = at + 1; i < lines.length && lines[i].startsWith(`${indent} `); i++) {
    const fact = /^ *readonly (help|default|defaultHelp): (.+);$/.exec(lines[i]);
    if (fact !== null && indentOf(lines[i]).length === indent.length + 4) facts[fact[1]] = fact[2];
  }
  const help = literal(facts.help);
  if (help === undefined) return undefined;
  return { help, standard: literal(facts.defaultHelp) ?? facts.default?.replace(/^readonly /, "") };
}

/** Returns the text of a literal type; undefined for other types. */
function literal(type = "") {
  if (type.startsWith("'")) return type.slice(1, -1).replaceAll("\\'", "'");
  return type.startsWith('"') ? JSON.parse(type) : undefined;
}

/** Returns the lines of the doc comment that ends a text. */
function commentBefore(lines) {
  if (!/^ *(?:\/\*)?\*.*\*\/$|^ *\*\/$/.test(lines.at(-1) ?? "")) return [];
  let first = lines.length - 1;
  while (!lines[first].trimStart().startsWith("/**")) first--;
  return lines.slice(first);
}

/** Returns the mappings of a source map for lines that moved. Positions are differences: none is left out. */
function movedMappings(mappings, origins) {
  const groups = mappings.split(";");
  return origins.map((lines) => lines.flatMap((line) => groups[line] || []).join(",")).join(";");
}

function documentFile(file) {
  const before = readFileSync(file, "utf8");
  const { text, origins } = documented(before);
  if (text === before) return;
  writeFileSync(file, text);
  const map = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: movedMappings(map.mappings, origins) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url) && existsSync("dist"))
  for (const file of readdirSync("dist", { recursive: true }))
    if (file.endsWith(".d.ts")) documentFile(join("dist", file));
