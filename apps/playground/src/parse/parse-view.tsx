import "./parse.css";
import type { ConlluSentence } from "@arcwise/conllu";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { opened } from "../app/documents.ts";
import { host } from "../app/host.ts";
import { keepInAddress, route } from "../app/router.ts";
import { current, reportError, sentences, showSentences } from "../app/store.ts";
import { isSemantic, type RunningModel, running } from "../model/model.ts";
import type { GraphedSentences } from "../model/semantic-graphs.ts";
import { FIRST_TEXT, firstSentences } from "../shared/first-sentences.ts";
import { type InputKind, inputKind, sentencesOf } from "../shared/input.ts";
import { LatestJob } from "../shared/latest.ts";
import { packText, unpackText } from "../shared/link.ts";
import { LoadingModel } from "../shared/loading-model.tsx";
import { withSame } from "../shared/sentences.ts";
import { SentenceList } from "./sentence-list.tsx";
import { change, settings, settingsFromParameters, settingsToParameters } from "./settings.ts";
import { Toolbar } from "./toolbar.tsx";

/** Milliseconds after the last key before the address is written. */
const ADDRESS_DELAY = 400;

/** The text that was opened last, without its byte-order mark. */
function openedText(): string | undefined {
  return opened.value?.text.replace(/^\ufeff/, "");
}

/** The view Parse: a text, and the trees of its sentences as it is typed. */
export function ParseView() {
  const text = useSignal<string | undefined>(undefined);
  const failure = useSignal("");
  useEffect(() => {
    const { parameters } = route.peek();
    settings.value = settingsFromParameters(parameters);
    const given = openedText();
    unpackText(parameters.text ?? "").then(
      (linked) => {
        // What was typed meanwhile stays.
        text.value ??= linked || given || firstText();
      },
      (error) => {
        reportError(error);
        text.value ??= firstText();
      },
    );
    return opened.subscribe(() => {
      const next = openedText();
      if (next !== given) text.value = next;
    });
  }, []);
  useParsing(text.value, (message) => {
    failure.value = message;
  });
  useAddress(text.value);
  const showsGraphs = isSemantic.value;
  useEffect(() => {
    if (showsGraphs) change({ graph: "enhanced" });
  }, [showsGraphs]);
  const { input } = settings.value;
  const typed = text.value ?? "";
  return (
    <div class="parse">
      <section class="card input" aria-label="Input">
        <label class="field">
          <span>{INPUT_NAMES[input === "auto" ? inputKind(typed) : input]}</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={typed}
            aria-describedby="input-failure"
            placeholder="Type or paste a text, or drop a file"
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        <p id="input-failure" class="error" role="status">
          {failure.value}
        </p>
        <LoadingModel />
        <Toolbar />
      </section>
      <p class="visually-hidden" role="status">
        {sentences.value.length === 1 ? "1 sentence" : `${sentences.value.length} sentences`}
      </p>
      <SentenceList />
    </div>
  );
}

/** Returns the first text, and shows its trees at once if the model of English will parse it. */
function firstText(): string {
  if (sentences.peek().length === 0 && host === undefined) showSentences(firstSentences());
  return FIRST_TEXT;
}

const INPUT_NAMES: Readonly<Record<InputKind, string>> = {
  text: "Text",
  words: "Words: one sentence per line",
  conllu: "CoNLL-U",
};

/** Characters of a text that is parsed to its end, even if more was typed meanwhile: its trees are shown on the way. */
const SHORT = 4096;

/**
 * Parses the text whenever it, the model or the kind of input changes, one request at a time. A long text that has changed
 * is dropped.
 */
function useParsing(text: string | undefined, report: (failure: string) => void): void {
  const model = running.value;
  const { input: kind, graph } = settings.value;
  const requests = useMemo(() => new LatestJob(), [model, kind, graph]);
  const isLast = useRef(requests);
  isLast.current = requests;
  useEffect(() => {
    if (model === undefined || text === undefined) return;
    const typed = new AbortController();
    const signal = text.length > SHORT ? typed.signal : undefined;
    requests.run(async () => {
      try {
        const found = await sentencesOf(text, model.nlp, { kind, signal });
        const shown = await withGraphs(found, model, graph === "enhanced");
        if (isLast.current !== requests) return;
        report(shown.failure);
        showSentences(withSame(shown.sentences, sentences.peek()), current.peek());
      } catch (error) {
        if (!typed.signal.aborted) report((error as Error).message);
      }
    });
    return () => typed.abort();
  }, [text, model, requests]);
}

/** Adds the graphs of a model of semantic graphs; or else, if they are drawn, graphs by rules. */
async function withGraphs(
  sentences: readonly ConlluSentence[],
  { nlp, call }: RunningModel,
  isEnhanced: boolean,
): Promise<GraphedSentences> {
  const { graphs } = await nlp.ready();
  if (graphs?.kind === "semantic") return call("semanticGraphs", { sentences });
  if (!isEnhanced) return { sentences, failure: "" };
  const { withRuleGraphs } = await import("../shared/enhanced.ts");
  return { sentences: withRuleGraphs(sentences), failure: "" };
}

/** Keeps the text and the settings in the address, so that a link to the page shows the same. */
function useAddress(text: string | undefined): void {
  const shown = settings.value;
  useEffect(() => {
    if (text === undefined) return;
    const timer = setTimeout(async () => {
      const packed = text === FIRST_TEXT ? "" : await packText(text);
      if (route.peek().view === "parse") keepInAddress({ ...settingsToParameters(shown), text: packed });
    }, ADDRESS_DELAY);
    return () => clearTimeout(timer);
  }, [text, shown]);
}
