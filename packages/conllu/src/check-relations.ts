import { quote } from "./error.ts";
import { childRelations, mayHaveChild, mayPointLeft, uniqueFunction, universal } from "./relations.ts";
import type { Report } from "./rows.ts";
import type { ConlluSentence, WordRow } from "./types.ts";
import { lineAt } from "./write.ts";

/** Checks that the heads of some relations are to the left: level 3. */
export function checkDirection({ deprel, head, id }: WordRow, line: number, report: Report): void {
  if (mayPointLeft(deprel) || head <= id) return;
  report("deprel-direction", line, `a head of ${universal(deprel)} before word ${id}`, `${head}`);
}

/** Checks which children words have, by the relations of both: level 3. O(words). */
export function checkChildren({ rows, comments, line }: ConlluSentence, report: Report): void {
  const words = new Map<number, WordRow>();
  for (const row of rows) if (row.kind === "word") words.set(row.id, row);
  const functions = new Map<string, readonly number[]>();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const parent = row.kind === "word" ? words.get(row.head) : undefined;
    if (row.kind !== "word" || parent === undefined) continue;
    const at = lineAt(line, comments.length + i);
    if (!mayHaveChild(parent, row)) {
      const relations = [...childRelations(parent.deprel)!].join(", ") || "none";
      const expected = `children of ${universal(parent.deprel)} with these relations: ${relations}`;
      report("deprel-children", at, expected, quote(row.deprel));
    }
    const unique = uniqueFunction(row.deprel);
    if (unique === undefined || row.misc.split("|").includes("Subject=Outer")) continue;
    const key = `${unique} of word ${parent.id}`;
    const others = functions.get(key) ?? [];
    functions.set(key, [...others, row.id]);
    if (others.length === 1) report("deprel-repeated", at, `one ${key}`, `words ${others[0]} and ${row.id}`);
  }
}
