import { readFile } from "node:fs/promises";
import { createPipeline, loadPipeline, type SentenceView } from "arcwise";
import { describe, expect, test } from "vitest";

/** A relation that a sentence has: `dependent relation head`; of `root`, the head is missing. */
interface Relation {
  readonly dependent: string;
  readonly relation: string;
  readonly head: string | undefined;
}

interface Everyday {
  readonly kind: string;
  readonly text: string;
  readonly root: string;
  readonly relations: readonly Relation[];
}

const file = new URL("everyday.txt", import.meta.url);
const everyday = parseEveryday(await readFile(file, "utf8"));

/** Returns, of each sentence, what is missing in its tree. */
async function resultsOf(model: string) {
  const bytes = await readFile(new URL(`../../${model}/${model}.model`, import.meta.url));
  const nlp = createPipeline(loadPipeline(bytes));
  return everyday.map((sentence) => {
    const found = nlp.run(sentence.text);
    const wanted = [{ dependent: sentence.root, relation: "root", head: undefined }, ...sentence.relations];
    return { sentence, found, missing: wanted.filter((relation) => !hasRelation(found, relation)) };
  });
}

/** The sentences of the file: a kind per section, `TEXT | ROOT | DEPENDENT RELATION HEAD | ...` per line. */
function parseEveryday(text: string): Everyday[] {
  let kind = "";
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("= ")) kind = line.slice(2);
    if (!line.includes(" | ")) return [];
    const [sentence, root, ...relations] = line.split(" | ");
    const parsed = relations.map((one) => {
      const [dependent, relation, head] = one.split(" ");
      return { dependent: dependent!, relation: relation!, head: head! };
    });
    return [{ kind, text: sentence!, root: root!, relations: parsed }];
  });
}

/** Whether the trees of a text, which is to be one sentence, have a relation; the first word of a form counts. */
function hasRelation(found: readonly SentenceView[], { dependent, relation, head }: Relation): boolean {
  if (found.length !== 1) return false;
  const word = found[0]!.words.find(({ form }) => form === dependent);
  return word !== undefined && word.deprel === relation && word.head?.form === head;
}

function treeOf(found: readonly SentenceView[]): string {
  return found
    .map(({ words }) =>
      words.map(({ form, deprel, head }) => `${form} ${deprel} ${head?.form ?? "-"}`).join(" | "),
    )
    .join("\n  ");
}

describe("everyday sentences", () => {
  test("are ten of each of fifteen kinds", () => {
    const kinds = new Set(everyday.map(({ kind }) => kind));
    expect([kinds.size, everyday.length]).toEqual([15, 150]);
    for (const { text, relations } of everyday) expect(relations.length, text).toBeGreaterThanOrEqual(2);
  });

  test.each([
    ["english", "everyday-errors.txt"],
    ["english-small", "everyday-errors-small.txt"],
  ])("have the right roots and relations in %s, but for the errors in %s", async (model, errors) => {
    const results = await resultsOf(model);
    const all = results.flatMap(({ sentence }) => sentence.relations).length;
    const missing = results.flatMap((one) => one.missing);
    const roots = missing.filter(({ relation }) => relation === "root").length;
    const arcs = missing.length - roots;
    const lines = results.flatMap(({ sentence, found, missing: own }) =>
      own.length === 0
        ? []
        : [
            `${sentence.kind}: ${sentence.text}`,
            ...own.map(
              ({ dependent, relation, head }) => `  expected ${[dependent, relation, head].join(" ").trim()}`,
            ),
            `  ${treeOf(found)}`,
          ],
    );
    const sums = `${150 - roots} of 150 roots, ${all - arcs} of ${all} relations`;
    await expect(`${[sums, ...lines].join("\n")}\n`).toMatchFileSnapshot(errors);
  });
});
