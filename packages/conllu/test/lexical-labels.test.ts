import { withLexicalLabels, withoutLexicalLabels } from "@arcwise/conllu";
import { dependencyGraph, type Sentence } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Parses words `form` or `form/lemma`, and edges `head>modifier:label`. */
function graphOf(text: string, edges: string) {
  const words = text.split(" ").map((word) => {
    const [form, lemma = form!.toLowerCase()] = word.split("/");
    return { form: form!, lemma };
  });
  const list = edges.split(" ").map((edge) => {
    const [, head, modifier, label] = /^(\d+)>(\d+):(.*)$/.exec(edge)!;
    return { head: Number(head), modifier: Number(modifier), label: label! };
  });
  return { words, graph: dependencyGraph(words.length, { edges: list }) };
}

const labelsOf = ({ edges }: { readonly edges: readonly { readonly label: string }[] }) =>
  edges.map(({ label }) => label).join(" ");

describe("lemmas in labels", () => {
  test.each<[string, string, string, string]>([
    ["a case", "Sleep In bed", "0>1:root 3>2:case 1>3:obl:in", "root case obl:*"],
    ["another lemma than in the graph", "Sleep in bed", "0>1:root 3>2:case 1>3:obl:on", "root case obl:on"],
    ["a subtype without a marker", "Sleep nights", "0>1:root 1>2:obl:unmarked", "root obl:unmarked"],
    ["no lemma in spite of a marker", "Sleep in bed", "0>1:root 3>2:case 1>3:obl", "root case obl"],
    [
      "a fixed expression",
      "Left because of rain",
      "0>1:root 4>2:case 2>3:fixed 1>4:obl:because_of",
      "root case fixed obl:*",
    ],
    [
      "of several markers the last one",
      "Came out of bed",
      "0>1:root 4>2:case 4>3:case 1>4:obl:of",
      "root case case obl:*",
    ],
    [
      "a conjunct without a marker of its own",
      "Go to A and B",
      "0>1:root 3>2:case 1>3:obl:to 5>4:cc 1>5:obl:to 3>5:conj:and",
      "root case obl:* cc obl:* conj:*",
    ],
    [
      "a conjunction that comes later",
      "A B and C",
      "0>1:root 1>2:conj:and 4>3:cc 1>4:conj:and",
      "root conj:* cc conj:*",
    ],
    [
      "an adverb that introduces a clause",
      "Left when it rained",
      "0>1:root 4>2:advmod 4>3:nsubj 1>4:advcl:when",
      "root advmod nsubj advcl:*",
    ],
    [
      "the last step of a path",
      "He A and she to B",
      "0>1:root 6>5:case 1>6:conj:and>obl:to",
      "root case conj:and>obl:*",
    ],
    ["a marker that is not a word", "A & B", "0>1:root 3>2:cc 1>3:conj", "root cc conj"],
  ])("%s", (_what, text, edges, expected) => {
    const { words, graph } = graphOf(text, edges);
    const open = withoutLexicalLabels(words, graph);
    expect(labelsOf(open)).toBe(expected);
    expect(withLexicalLabels(words, open)).toEqual(graph);
  });

  test("are left out where a predicted graph has no marker", () => {
    const { words, graph } = graphOf("Sleep bed", "0>1:root 1>2:obl:*");
    expect(labelsOf(withLexicalLabels(words, graph))).toBe("root obl");
  });

  test("edges that become equal are merged", () => {
    const { words, graph } = graphOf("Sleep bed", "0>1:root 1>2:obl 1>2:obl:*");
    expect(labelsOf(withLexicalLabels(words, graph))).toBe("root obl");
  });

  test("are restored in any graph, with cycles of conjuncts too", () => {
    const labels = fc.constantFrom(
      ...[
        "obl:in",
        "obl:in_of",
        "nmod:of",
        "conj:and",
        "conj",
        "case",
        "cc",
        "mark",
        "fixed",
        "obl",
        "obl:agent",
      ],
      ...["advcl:when", "advmod", "conj:and>obl:in", "acl:relcl", "nmod"],
    );
    const forms = fc.array(fc.constantFrom("in", "of", "and", "when", "with", "&", "cat"), {
      minLength: 2,
      maxLength: 6,
    });
    const pairs = fc.array(fc.tuple(fc.nat(6), fc.nat(6), labels), { maxLength: 14 });
    fc.assert(
      fc.property(forms, pairs, (texts, drawn) => {
        const words: Sentence = texts.map((form) => ({ form, lemma: form }));
        const n = words.length;
        const edges = new Map(
          drawn
            .filter(([head, modifier]) => head <= n && modifier >= 1 && modifier <= n && head !== modifier)
            .map(([head, modifier, label]) => [`${head} ${modifier} ${label}`, { head, modifier, label }]),
        );
        const graph = dependencyGraph(n, { edges: edges.values() });
        expect(withLexicalLabels(words, withoutLexicalLabels(words, graph))).toEqual(graph);
      }),
    );
  });
});
