import "./parse.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { opened } from "../app/documents.ts";
import { current, reportError, sentences, showSentences } from "../app/store.ts";
import { running } from "../model/model.ts";
import { Tree } from "../shared/tree.tsx";
import { sentencesOf } from "./input.ts";

const FIRST_TEXT = "The storm damaged two old houses. Nobody was hurt.";

/** The text that was opened last, without its byte-order mark. */
function openedText(): string | undefined {
  return opened.value?.text.replace(/^\ufeff/, "");
}

/** The view Parse: a text, and the trees of its sentences as it is typed. */
export function ParseView() {
  const text = useSignal(openedText() ?? FIRST_TEXT);
  useEffect(() => {
    text.value = openedText() ?? text.value;
  }, [opened.value]);
  useEffect(() => {
    const model = running.value;
    if (model === undefined) return;
    const typed = new AbortController();
    const { signal } = typed;
    sentencesOf(text.value, model.nlp, signal).then(showSentences, (error) => {
      if (!signal.aborted) reportError(error);
    });
    return () => typed.abort();
  }, [text.value, running.value]);
  return (
    <div class="parse">
      <label class="field">
        <span>Text or CoNLL-U</span>
        <textarea
          rows={4}
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <ol class="sentences" aria-label="Sentences">
        {sentences.value.map((sentence, i) => (
          <li key={i} aria-current={i === current.value || undefined}>
            <Tree sentence={sentence} />
          </li>
        ))}
      </ol>
    </div>
  );
}
