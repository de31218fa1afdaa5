/**
 * Entries of the change logs, for changesets: the text of a changeset as a list item, wrapped at 110
 * characters. Since all packages are released together, updates of dependencies are not listed.
 */

const WIDTH = 110;
const INDENT = "  ";

/** A word, with the code in it: a line never ends within code. */
const WORD = /(?:[^\s`]|`[^`]*`)+/g;

/** Wraps a paragraph to lines that fit behind the indent. */
function wrapped(paragraph) {
  const lines = [""];
  for (const [text] of paragraph.matchAll(WORD)) {
    const word = text.replace(/\s+/g, " ");
    const last = lines.at(-1);
    if (last !== "" && INDENT.length + last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** Returns the lines of a paragraph; those of lists and code stay as they are. */
function linesOf(paragraph) {
  return /^(?:[-*|] |\s{4}|```)/m.test(paragraph) ? paragraph.split("\n") : wrapped(paragraph);
}

async function getReleaseLine({ summary }) {
  const paragraphs = summary
    .trim()
    .split(/\n{2,}/)
    .map(linesOf);
  const lines = paragraphs.flatMap((own, i) => (i === 0 ? own : ["", ...own]));
  return lines.map((line, i) => (i === 0 ? `- ${line}` : line === "" ? "" : INDENT + line)).join("\n");
}

async function getDependencyReleaseLine() {
  return "";
}

module.exports = { getReleaseLine, getDependencyReleaseLine };
