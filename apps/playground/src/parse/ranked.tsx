import type { ConlluSentence } from "@arcwise/conllu";
import { compareDiagrams, type Diagram, withProbabilities } from "@arcwise/draw";
import { useMemo } from "preact/hooks";
import type { PlainTree, Ranking } from "../model/calls.ts";
import { DECODER_NAMES } from "../model/decoder-names.ts";
import { useCall } from "../model/use-call.ts";
import { withPlainTree } from "../shared/sentences.ts";
import { Tree } from "../shared/tree.tsx";
import { describeDifferences } from "./differences.ts";
import { drawing } from "./drawing.ts";
import { settings } from "./settings.ts";

/** A sentence with the probabilities of its arcs; the current one with further trees, and what differs in them. */
export function Ranked({
  sentence,
  isCurrent,
}: {
  readonly sentence: ConlluSentence;
  readonly isCurrent: boolean;
}) {
  const shown = settings.value;
  const k = isCurrent ? shown.trees : 1;
  const input = useMemo(() => ({ sentence, k }), [sentence, k]);
  const { result, error } = useCall("rank", input);
  const { diagramOf, options } = useMemo(drawing, [shown]);
  const best = useMemo(() => {
    const diagram = diagramOf(sentence);
    return shown.probabilities && result !== undefined
      ? withProbabilities(diagram, result.probabilities)
      : diagram;
  }, [sentence, result, shown]);
  return (
    <>
      <Tree sentence={best} options={options} />
      {error !== undefined && <p class="error">{error.message}</p>}
      {k > 1 && result !== undefined && <OtherTrees sentence={sentence} ranking={result} />}
      {isCurrent && shown.decoder !== "" && <OtherDecoder sentence={sentence} decoder={shown.decoder} />}
    </>
  );
}

/** The trees after the best one; arcs that differ stand out above, the arcs of the best tree are below. */
function OtherTrees({
  sentence,
  ranking: { trees },
}: {
  readonly sentence: ConlluSentence;
  readonly ranking: Ranking;
}) {
  const [best, ...others] = trees;
  if (others.length === 0)
    return <p class="soft">The parser kept one head per word: there is no second tree.</p>;
  return (
    <ol class="others list" start={2} aria-label="Further trees">
      {others.map((tree, i) => (
        <li key={i}>
          <p class="soft">
            Tree {i + 2} scores {(best!.score - tree.score).toFixed(2)} less than the best;{" "}
            {describeDifferences(best!, tree)}
          </p>
          <Tree sentence={compared(sentence, best!, tree)} options={drawing().options} />
        </li>
      ))}
    </ol>
  );
}

/** The tree of another decoder on the same scores. */
function OtherDecoder({
  sentence,
  decoder,
}: {
  readonly sentence: ConlluSentence;
  readonly decoder: keyof typeof DECODER_NAMES;
}) {
  const input = useMemo(() => ({ sentence, decoder }), [sentence, decoder]);
  const ranked = useMemo(() => ({ sentence, k: 1 }), [sentence]);
  const { result, error } = useCall("decode", input);
  const best = useCall("rank", ranked).result?.trees[0];
  if (error !== undefined) return <p class="error">{error.message}</p>;
  if (result === undefined || best === undefined) return null;
  const proof =
    result.bound - result.score < 1e-6 ? "proved to be optimal among its trees" : "not proved to be optimal";
  return (
    <section aria-label="Another decoder">
      <p class="soft">
        {DECODER_NAMES[decoder]}. Score {result.score.toFixed(2)}, {proof};{" "}
        {describeDifferences(best, result)}
      </p>
      <Tree sentence={compared(sentence, best, result)} options={drawing().options} />
    </section>
  );
}

/** Returns a tree with what differs from the best one, whose arcs are below the words. */
function compared(sentence: ConlluSentence, best: PlainTree, tree: PlainTree): Diagram {
  const { diagramOf } = drawing();
  const of = (one: PlainTree) => diagramOf(withPlainTree(sentence, one));
  return compareDiagrams(of(best), of(tree));
}
