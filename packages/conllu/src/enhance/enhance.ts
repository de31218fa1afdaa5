import {
  checkTree,
  type DependencyGraph,
  type DependencyTree,
  dependencyGraph,
  type Sentence,
} from "@arcwise/core";
import { invalidArgument } from "@arcwise/core/errors";
import { words as areWords, checkArgument, tree as isTree } from "@arcwise/core/options";
import { checkSize, sentenceTree, sentenceWords } from "../convert.ts";
import { throwingFor } from "../error.ts";
import { withEnhancedGraph } from "../graphs/enhanced-graph.ts";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence } from "../types.ts";
import { rowsWithLines } from "../write.ts";
import { controlledSubjects, shareHeads, shareObjects, shareSubjects } from "./conjuncts.ts";
import { EnhancedDraft } from "./enhanced-draft.ts";
import { conjunctionLabels, lexicalLabels } from "./labels.ts";
import { relativeClauses } from "./relative-clauses.ts";

/** A rule adds, relabels or removes edges of the graph that the rules before it left. */
type EnhancementRule = (draft: EnhancedDraft) => void;

/**
 * The rules in the order of application. Labels come first, since conjuncts share them; open complements come
 * last, since they share subjects that conjuncts and clauses received.
 */
const ENHANCEMENTS: readonly EnhancementRule[] = [
  lexicalLabels,
  conjunctionLabels,
  shareHeads,
  shareSubjects,
  shareObjects,
  relativeClauses,
  controlledSubjects,
];

/**
 * Returns the enhanced graph of a basic tree of English, computed by rules: lemmas of markers in labels,
 * shared heads, subjects and objects of conjuncts, relative clauses, subjects of open complements. Elided
 * words are not restored. The rules read lemmas, UPOS, XPOS and features where words have them. O(n²) for n
 * words.
 *
 * @throws ArcwiseError `invalid-argument` when the heads do not fit the words or do not form a tree (several roots are allowed)
 *
 * Schuster and Manning 2016, Enhanced English Universal Dependencies.
 */
export function enhanceTree(words: Sentence, tree: DependencyTree): DependencyGraph {
  checkArgument(areWords, words, "enhanceTree: words");
  checkArgument(isTree, tree, "enhanceTree: tree");
  checkSize(tree, words.length);
  const fault = checkTree(tree.heads, { singleRoot: false });
  if (fault !== undefined) throw invalidArgument("tree", "a tree", fault);
  const draft = new EnhancedDraft(words, tree);
  for (const rule of ENHANCEMENTS) rule(draft);
  return dependencyGraph(words.length, { edges: draft.edges() });
}

/**
 * Returns a copy of a sentence with DEPS computed from its tree by `enhanceTree`, without empty nodes. O(n²).
 *
 * @throws ConlluError when a head or a relation is missing, a head is out of range, or there is a cycle
 *
 * @example
 * const [sentence] = nlp.run("Dogs bark and run.");
 * viewSentence(enhance(sentence!)).words[0]!.deps.map(({ deprel }) => deprel); // ["nsubj", "nsubj"]
 */
export function enhance(sentence: ConlluSentence): ConlluSentence {
  requireSentence(sentence, "enhance");
  const tree = sentenceTree(sentence);
  requireRelations(sentence);
  return withEnhancedGraph(sentence, enhanceTree(sentenceWords(sentence), tree));
}

/** @throws ConlluError with the line of the first word without a relation */
function requireRelations(sentence: ConlluSentence): void {
  const report = throwingFor(sentence.comments);
  for (const [row, line] of rowsWithLines(sentence))
    if (row.kind === "word" && row.deprel === "_")
      report("unknown-udeprel", line, "a relation, from which DEPS follow", "_");
}
