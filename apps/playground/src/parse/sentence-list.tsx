import type { ConlluSentence } from "@arcwise/conllu";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { current, sentences } from "../app/store.ts";
import { Guarded } from "../shared/guarded.tsx";
import { hotKeys } from "../shared/keyboard.ts";
import { textOf } from "../shared/sentences.ts";
import { Tree } from "../shared/tree.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { useVisible } from "../shared/use-visible.ts";
import { drawing } from "./drawing.ts";
import { settings } from "./settings.ts";

/** Number of sentences that are listed at first, and more at a time. */
const PAGE = 50;

/** The sentences with their trees. The keys j and k go from sentence to sentence. */
export function SentenceList() {
  const limit = useSignal(PAGE);
  const all = sentences.value;
  const move = (step: number) => () => {
    const next = Math.max(0, Math.min(all.length - 1, current.value + step));
    current.value = next;
    document.getElementById(`sentence-${next}`)?.focus();
  };
  const onKeyDown = hotKeys({ j: move(1), k: move(-1) });
  return (
    <>
      <ol class="sentences list" aria-label="Sentences" onKeyDown={onKeyDown}>
        {all.slice(0, limit.value).map((sentence, i) => (
          <SentenceCard key={i} sentence={sentence} index={i} />
        ))}
      </ol>
      {all.length > limit.value && (
        <button
          type="button"
          onClick={() => {
            limit.value += PAGE;
          }}
        >
          Show more of {all.length} sentences
        </button>
      )}
    </>
  );
}

const loadRanked = async () => (await import("./ranked.tsx")).Ranked;

/** A sentence; its tree is drawn when it comes into view, and the current one is ranked. */
function SentenceCard({ sentence, index }: { readonly sentence: ConlluSentence; readonly index: number }) {
  const [place, isVisible] = useVisible();
  const isCurrent = index === current.value;
  const { trees, decoder, probabilities } = settings.value;
  const isRanked = probabilities || (isCurrent && (trees > 1 || decoder !== ""));
  const Ranked = useLoaded(isVisible && isRanked ? loadRanked : undefined);
  return (
    <li ref={place} class="card" aria-current={isCurrent || undefined}>
      <button
        type="button"
        id={`sentence-${index}`}
        class="sentence-text"
        onClick={() => {
          current.value = index;
        }}
      >
        <span class="number">{index + 1}</span>
        <bdi>{textOf(sentence)}</bdi>
      </button>
      {isVisible && (
        <Guarded key={sentence}>
          {Ranked === undefined ? (
            <Plain sentence={sentence} />
          ) : (
            <Ranked sentence={sentence} isCurrent={isCurrent} />
          )}
        </Guarded>
      )}
    </li>
  );
}

function Plain({ sentence }: { readonly sentence: ConlluSentence }) {
  const shown = settings.value;
  const { diagram, options } = useMemo(() => {
    const { diagramOf, options } = drawing();
    return { diagram: diagramOf(sentence), options };
  }, [sentence, shown]);
  return <Tree sentence={diagram} options={options} />;
}
