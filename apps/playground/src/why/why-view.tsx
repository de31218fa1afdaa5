import "./why.css";
import type { ConlluSentence } from "@arcwise/conllu";
import { sentenceDiagram } from "@arcwise/draw";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { sentence } from "../app/store.ts";
import type { Explanation } from "../model/explain.ts";
import { SentencePicker } from "../model/sentence-picker.tsx";
import { useCall } from "../model/use-call.ts";
import { fixed } from "../shared/fixed.ts";
import { Guarded } from "../shared/guarded.tsx";
import { distinctForm, wordsOf } from "../shared/sentences.ts";
import { type Picked, Tree } from "../shared/tree.tsx";
import { Influences, Shares } from "./shares.tsx";

/** What is explained, which stays while other views are shown: an arc, by its word, and its rival. */
const word = signal(1);
const rival = signal<number | undefined>(undefined);
let explained: ConlluSentence | undefined;

/** The view Why this arc: the terms of an arc's score against its best rival. */
export function WhyView() {
  const shown = sentence.value;
  return (
    <div class="stack">
      <section class="card stack" aria-label="Sentence">
        <SentencePicker />
        {shown !== undefined && (
          <Guarded key={shown}>
            <Arcs sentence={shown} />
          </Guarded>
        )}
      </section>
    </div>
  );
}

/** The tree, of which an arc is picked, and its explanation. */
function Arcs({ sentence: shown }: { readonly sentence: ConlluSentence }) {
  const rows = wordsOf(shown);
  useEffect(() => {
    if (explained === shown) return;
    explained = shown;
    word.value = firstWord(shown);
    rival.value = undefined;
  }, [shown]);
  const position = Math.min(word.value, rows.length);
  const head = rows[position - 1]?.head ?? 0;
  const diagram = useMemo(() => sentenceDiagram(shown), [shown]);
  const picked = useMemo<Picked>(
    () => ({ kind: "arc", head, modifier: position, label: "" }),
    [head, position],
  );
  const input = useMemo(
    () =>
      rows.length < 2 || head < 0 ? undefined : { sentence: shown, word: position, head, rival: rival.value },
    [shown, position, head, rival.value],
  );
  const { result, error } = useCall("explain", input);
  const pick = (next: Picked) => {
    word.value = next.kind === "arc" ? next.modifier : next.word;
    rival.value = undefined;
  };
  return (
    <>
      <p class="soft">Pick an arc or a word by pointer, or by Tab and arrow keys.</p>
      <Tree sentence={diagram} onPick={pick} picked={picked} />
      {error !== undefined && <p class="error">{error.message}</p>}
      {result !== undefined && result.head === head && (
        <Why
          sentence={shown}
          word={position}
          explanation={result}
          onRival={(other) => {
            rival.value = other;
          }}
        />
      )}
    </>
  );
}

/** Returns the first word whose head is a word. */
function firstWord(shown: ConlluSentence): number {
  return (
    Math.max(
      0,
      wordsOf(shown).findIndex(({ head }) => head > 0),
    ) + 1
  );
}

function Why(properties: {
  readonly sentence: ConlluSentence;
  readonly word: number;
  readonly explanation: Explanation;
  readonly onRival: (head: number) => void;
}) {
  const { sentence: shown, word, explanation, onRival } = properties;
  const { head, label, rival, rivalLabel, difference, rows, candidates, otherWords, influences } =
    explanation;
  const form = (position: number) => distinctForm(shown, position);
  return (
    <div class="why stack">
      <h2 aria-live="polite">
        <b>{form(word)}</b> depends on <b>{form(head)}</b> ({label}) rather than on <b>{form(rival)}</b> (
        {rivalLabel}): the difference is {signed(difference)}
      </h2>
      {otherWords.length > 0 && (
        <p class="soft">
          The best tree with the rival also changes the head of {otherWords.map(form).join(", ")}. The shares
          below are of both trees as a whole.
        </p>
      )}
      <div class="why-columns">
        <section>
          <h3>Candidate heads of {form(word)}</h3>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">Head</th>
                <th scope="col">Score</th>
                <th scope="col">Probability</th>
                <th scope="col">
                  <span class="visually-hidden">Compare</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {candidates.map((one) => (
                <tr key={one.head} data-chosen={one.head === head || undefined}>
                  <th scope="row">{form(one.head)}</th>
                  <td>{scoreText(one.score)}</td>
                  <td>{(100 * one.probability).toFixed(1)} %</td>
                  <td>
                    {one.head !== head && (
                      <button
                        type="button"
                        aria-pressed={one.head === rival}
                        aria-label={`Compare with ${form(one.head)}`}
                        onClick={() => onRival(one.head)}
                      >
                        Compare
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="soft">
            Most probable first: probabilities depend on whole trees. The parser left all other heads out.
          </p>
        </section>
        <Shares rows={rows} difference={difference} isLinear={influences === undefined} />
        {influences !== undefined && <Influences influences={influences} formOf={form} />}
      </div>
    </div>
  );
}

function scoreText(score: number): string {
  return fixed(score, 2).replace("-", "−");
}

/** Returns a number with its sign. */
export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
