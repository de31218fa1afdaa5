import { expect, test } from "vitest";
import { parseConllu, writeConllu } from "../src/index.ts";

const read = (columns: string, ...rows: readonly string[]) =>
  parseConllu(`# global.columns = ${columns}\n# text = a b\n${rows.join("\n")}\n\n${rows.join("\n")}\n\n`);

test("CoNLL-U Plus is read by the names of its columns, and other columns are kept in MISC", () => {
  const sentences = read("ID FORM HEAD DEPREL PARSEME:MWE", "1\ta\t0\troot\t1:VID|x", "2\tb\t1\tdep\t*");
  expect(writeConllu(sentences)).toBe(
    "# text = a b\n1\ta\t_\t_\t_\t_\t0\troot\t_\tPARSEME:MWE=1:VID\\px\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n" +
      "1\ta\t_\t_\t_\t_\t0\troot\t_\tPARSEME:MWE=1:VID\\px\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n",
  );
});

test("the columns of CoNLL-U may be stated", () => {
  const text =
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
  expect(writeConllu(parseConllu(text))).toBe(text);
});

test.each([
  ["without forms", "ID LEMMA", "1\ta", 1],
  ["with a column too few", "ID FORM HEAD", "1\ta", 3],
  ["with a column of CoNLL-U twice", "ID FORM FORM", "1\ta\tb", 1],
  ["with another column twice", "ID FORM A:B A:B", "1\ta\tx\ty", 1],
])("a file %s is refused", (_, columns, row, line) => {
  expect(() => read(columns, row)).toThrow(expect.objectContaining({ code: "malformed-conllu", line }));
});
