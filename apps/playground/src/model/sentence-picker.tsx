import { writeSentence } from "@arcwise/conllu";
import { useEffect } from "preact/hooks";
import { host } from "../app/host.ts";
import { keepInAddress, route } from "../app/router.ts";
import { current, reportError, sentence, sentences, showSentences, typed } from "../app/store.ts";
import { FIRST_TEXT, firstSentences } from "../shared/first-sentences.ts";
import { sentencesOf } from "../shared/input.ts";
import { packText, unpackText } from "../shared/link.ts";
import { textOf } from "../shared/sentences.ts";
import { LoadingModel } from "./loading-model.tsx";
import { running } from "./model.ts";

/** Goes from sentence to sentence of the sentences at hand. A link to the view has the current sentence. */
export function SentencePicker() {
  const count = sentences.value.length;
  useLinkedSentence();
  const go = (to: number) => {
    current.value = Math.max(0, Math.min(count - 1, to));
  };
  if (sentence.value === undefined) return <LoadingModel />;
  return (
    <div class="picker">
      <button
        type="button"
        class="icon"
        aria-label="Previous sentence"
        disabled={current.value === 0}
        onClick={() => go(current.value - 1)}
      >
        ‹
      </button>
      <span class="number">
        {current.value + 1} / {count}
      </span>
      <button
        type="button"
        class="icon"
        aria-label="Next sentence"
        disabled={current.value >= count - 1}
        onClick={() => go(current.value + 1)}
      >
        ›
      </button>
      <span class="picker-text" dir="auto">
        {textOf(sentence.value)}
      </span>
    </div>
  );
}

/** Reads the sentences of a link, or else the first sentences, as long as the list of sentences is empty. */
export function useFirstSentences(): void {
  const model = running.value;
  useEffect(() => {
    if (sentences.peek().length > 0) return;
    const linked = route.peek().parameters.text ?? "";
    if (linked === "" && host === undefined) return showSentences(firstSentences());
    if (model === undefined) return;
    const asked = new AbortController();
    const { signal } = asked;
    unpackText(linked)
      .then((text) => {
        typed.value = text || FIRST_TEXT;
        return sentencesOf(typed.value, model.nlp, { kind: "auto", signal });
      })
      .then(showSentences)
      .catch((error) => {
        if (signal.aborted) return;
        reportError(error);
        showSentences(firstSentences());
      });
    return () => asked.abort();
  }, [model]);
}

/** Reads the sentence of a link, and keeps the current one in the address. */
function useLinkedSentence(): void {
  const shown = sentence.value;
  useFirstSentences();
  useEffect(() => {
    if (shown === undefined) return;
    const { view } = route.peek();
    packText(writeSentence(shown)).then((text) => {
      const { view: now, parameters } = route.peek();
      if (now === view) keepInAddress({ ...parameters, text });
    }, reportError);
  }, [shown]);
}
