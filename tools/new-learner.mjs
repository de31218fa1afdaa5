/**
 * Writes the module of a new learner, NAME.mjs, in the root of the clone: the learner of docs/guide/learner.md, which
 * trains as it is.
 *
 *     node tools/new-learner.mjs NAME [--root DIRECTORY]
 *
 * NAME is lower-case words joined by hyphens. Existing files are never overwritten.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const USAGE = "usage: node tools/new-learner.mjs NAME [--root DIRECTORY]";
const clone = fileURLToPath(new URL("..", import.meta.url));
/** The module in the guide, and the name of its learner. */
const [GUIDE, EXAMPLE] = ["docs/guide/learner.md", "falling"];

/** Returns the module of the guide with another name. */
function moduleOf(name) {
  const guide = readFileSync(join(clone, GUIDE), "utf8");
  const code = new RegExp(`^\`\`\`js\n(// ${EXAMPLE}\\.mjs\n[^]*?)^\`\`\`$`, "m").exec(guide)?.[1];
  if (code === undefined) throw new Error(`${GUIDE}: expected a module ${EXAMPLE}.mjs`);
  return code.replaceAll(EXAMPLE, name);
}

const [name, flag, root = clone, ...others] = process.argv.slice(2);
const isNamed = name !== undefined && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);
if (!isNamed || (flag !== undefined && flag !== "--root") || others.length > 0) {
  console.error(USAGE);
  process.exit(1);
}
const file = join(resolve(root), `${name}.mjs`);
if (existsSync(file)) {
  console.error(`${file}: exists already`);
  process.exit(1);
}
writeFileSync(file, moduleOf(name));
console.log(`wrote ${file}

Train with it, and compare it, in the root of the clone:
    npm run build
    npx arcwise train --for tagged --preset linear --learner ./${name}.mjs --train TREEBANK --model FILE
    npm run bench -- learners --learner ./${name}.mjs`);
