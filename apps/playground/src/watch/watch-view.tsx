import "./watch.css";
import type { ConlluSentence } from "@arcwise/conllu";
import type { DecodingStep } from "@arcwise/core";
import type { Diagram } from "@arcwise/draw";
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { keepInAddress, route } from "../app/router.ts";
import { sentence } from "../app/store.ts";
import { DECODER_NAMES } from "../model/decoder-names.ts";
import { SentencePicker } from "../model/sentence-picker.tsx";
import { useCall } from "../model/use-call.ts";
import { Choice } from "../shared/controls.tsx";
import { fixed } from "../shared/fixed.ts";
import { formAt, wordsOf } from "../shared/sentences.ts";
import { type Picked, Tree } from "../shared/tree.tsx";
import { describeEnd, describeStep, type Frame, frameAfter } from "./frames.ts";
import { LineChart } from "./line-chart.tsx";
import { Player } from "./player.tsx";
import { SpanChart } from "./span-chart.tsx";

const { mst, eisner, hillclimb, ad3 } = DECODER_NAMES;
/** Decoders that offer steps. */
const WATCHED = { mst, eisner, hillclimb, ad3 };
type Watched = keyof typeof WATCHED;

/** The trees of which a decoder always finds the best; absent for decoders that may end before. */
const AMONG: Readonly<Partial<Record<Watched, string>>> = {
  mst: "of all trees",
  eisner: "of all trees without crossing arcs",
};

/** The decoder that is watched: it stays while other views are shown. */
const decoder = signal<Watched>("mst");

/** The view Watch decoders: a decoder step by step, on the scores of the current sentence. */
export function WatchView() {
  useLayoutEffect(() => {
    decoder.value = watchedOf(route.peek().parameters.decoder);
  }, []);
  const shown = sentence.value;
  const name = decoder.value;
  const input = useMemo(() => shown && { sentence: shown, decoder: name }, [shown, name]);
  const { result, error } = useCall("watch", input);
  useEffect(() => {
    keepInAddress({ ...route.peek().parameters, decoder: name });
  }, [name]);
  return (
    <div class="stack">
      <section class="card row" aria-label="What is watched">
        <SentencePicker />
        <Choice
          label="Decoder"
          value={name}
          options={WATCHED}
          onChange={(chosen) => {
            decoder.value = chosen;
          }}
        />
      </section>
      {error !== undefined && <p class="card error">{error.message}</p>}
      {shown !== undefined && result !== undefined && (
        <Steps sentence={shown} steps={result} among={AMONG[name]} key={name} />
      )}
    </div>
  );
}

function watchedOf(name: string | undefined): Watched {
  return name !== undefined && Object.hasOwn(WATCHED, name) ? (name as Watched) : decoder.peek();
}

function Steps({
  sentence: shown,
  steps,
  among,
}: {
  readonly sentence: ConlluSentence;
  readonly steps: readonly DecodingStep[];
  readonly among: string | undefined;
}) {
  const count = useMemo(() => signal(0), [steps]);
  const frame = useMemo(() => frameAfter(steps, count.value), [steps, count.value]);
  const all = useMemo(() => frameAfter(steps, steps.length), [steps]);
  const description =
    count.value === steps.length
      ? describeEnd(all, among)
      : describeStep(frame.step, (position) => formAt(shown, position));
  return (
    <section class="card stack" aria-label="Steps">
      <Player count={count} length={steps.length} description={description} />
      <Picture sentence={shown} frame={frame} />
      <Charts frame={frame} all={all} sentence={shown} />
    </section>
  );
}

/** The arcs that are chosen, or the current tree. */
function Picture({ sentence: shown, frame }: { readonly sentence: ConlluSentence; readonly frame: Frame }) {
  const diagram = useMemo(() => diagramOf(shown, frame), [shown, frame]);
  const { step } = frame;
  const picked: Picked | undefined =
    step?.kind === "arc" ? { kind: "arc", head: step.head, modifier: step.modifier, label: "" } : undefined;
  return <Tree sentence={diagram} picked={picked} />;
}

/**
 * Returns the diagram of a frame: words of contracted circles are marked, arcs have their scores. Arcs that are in the tree
 * of the sentence have its relations.
 */
function diagramOf(shown: ConlluSentence, { arcs, circles, tree }: Frame): Diagram {
  const inCircle = new Set(circles.flat());
  const words = wordsOf(shown).map(({ form }, i) => ({
    id: `${i + 1}`,
    form,
    tags: [],
    isMarked: inCircle.has(i + 1),
  }));
  const relation = (head: number, modifier: number) => {
    const word = wordsOf(shown)[modifier - 1];
    return word?.head === head ? word.deprel : "";
  };
  const chosen = arcs.map(({ head, modifier, score }) => ({
    head,
    modifier,
    label: `${relation(head, modifier)} ${fixed(score, 2)}`.trim(),
  }));
  const found = [...(tree?.heads ?? [])]
    .slice(1)
    .map((head, i) => ({ head, modifier: i + 1, label: relation(head, i + 1) }));
  return { words, arcs: arcs.length > 0 ? chosen : found, tokens: [], direction: "ltr" };
}

function Charts({
  frame,
  all,
  sentence: shown,
}: {
  readonly frame: Frame;
  readonly all: Frame;
  readonly sentence: ConlluSentence;
}) {
  if (all.bounds.length > 0) {
    return (
      <LineChart
        label="Bound and best score by iteration"
        xLabel="iteration"
        lines={boundLines(frame)}
        all={boundLines(all)}
      />
    );
  }
  if (all.spans.length > 0) {
    return <SpanChart frame={frame} forms={["ROOT", ...wordsOf(shown).map(({ form }) => form)]} />;
  }
  const scores = all.trees.map(({ score }) => score);
  if (Math.max(...scores) === Math.min(...scores)) return null;
  return <LineChart label="Score of each tree" xLabel="tree" lines={treeLines(frame)} all={treeLines(all)} />;
}

function boundLines({ bounds }: Frame) {
  return [
    { name: "bound", points: bounds.map(({ iteration, bound }) => [iteration, bound] as const) },
    { name: "best score", points: bounds.map(({ iteration, score }) => [iteration, score] as const) },
  ];
}

function treeLines({ trees }: Frame) {
  return [{ name: "score", points: trees.map(({ score }, i) => [i + 1, score] as const) }];
}
