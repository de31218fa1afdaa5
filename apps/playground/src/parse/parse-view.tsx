import { counted } from "@arcwise/core/errors";
import "./parse.css";
import type { ConlluSentence } from "@arcwise/conllu";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { opened } from "../app/documents.ts";
import { host } from "../app/host.ts";
import { keepInAddress, route } from "../app/router.ts";
import { current, reportError, sentences, showSentences, typed } from "../app/store.ts";
import { LoadingModel } from "../model/loading-model.tsx";
import { describeModel, isSemantic, type RunningModel, running } from "../model/model.ts";
import type { GraphedSentences } from "../model/semantic-graphs.ts";
import { FIRST_TEXT, firstSentences } from "../shared/first-sentences.ts";
import { type InputKind, inputKind, sentencesOf } from "../shared/input.ts";
import { LatestJob } from "../shared/latest.ts";
import { packText, unpackText } from "../shared/link.ts";
import { withSame } from "../shared/sentences.ts";
import { SentenceList } from "./sentence-list.tsx";
import { change, LINES, settings, settingsFromParameters, settingsToParameters } from "./settings.ts";
import { Toolbar } from "./toolbar.tsx";

/** Milliseconds after the last key before the address is written. */
const ADDRESS_DELAY = 400;

/** The last text of the page that was opened here: a text is opened once. */
let lastOpened: unknown;

/** Takes the text that was opened last, unless it was taken before. */
function takeOpened(): void {
  const { value } = opened;
  if (value === lastOpened) return;
  lastOpened = value;
  // A byte-order mark is not a part of the text.
  typed.value = value?.text.replace(/^\ufeff/, "");
}

/** The view Parse: a text, and the trees of its sentences as it is typed. */
export function ParseView() {
  const failure = useSignal("");
  const notes = useSignal<readonly string[]>([]);
  useEffect(() => {
    const { parameters } = route.peek();
    // Without a link to them, text and settings are what they were.
    if (Object.keys(parameters).length > 0) settings.value = settingsFromParameters(parameters);
    const end = opened.subscribe(takeOpened);
    const before = typed.peek();
    unpackText(parameters.text ?? "")
      .catch(reportError)
      .then((linked) => {
        // What was typed meanwhile stays.
        if (linked && typed.peek() === before) typed.value = linked;
        typed.value ??= firstText();
      });
    return end;
  }, []);
  const { value: text } = typed;
  useParsing(text, (message, found) => {
    failure.value = message;
    notes.value = found;
  });
  useAddress(text);
  const showsGraphs = isSemantic.value;
  useEffect(() => {
    if (showsGraphs) change({ graph: "enhanced" });
  }, [showsGraphs]);
  const { input } = settings.value;
  return (
    <div class="stack">
      <section class="card input" aria-label="Input">
        <label class="field">
          <span>{INPUT_NAMES[input === "auto" ? inputKind(text ?? "") : input]}</span>
          <textarea
            rows={3}
            dir="auto"
            spellcheck={false}
            value={text ?? ""}
            aria-describedby="input-failure"
            placeholder="Type or paste a text, or drop a file"
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </label>
        <p id="input-failure" class="error" role="status">
          {failure.value}
        </p>
        <LoadingModel />
        <Toolbar />
      </section>
      <div class="notes" role="status">
        {notes.value.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <p class="visually-hidden" role="status">
        {counted(sentences.value.length, "sentence")}
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
function useParsing(
  text: string | undefined,
  report: (failure: string, notes: readonly string[]) => void,
): void {
  const model = running.value;
  const { input: kind, lines, graph } = settings.value;
  const requests = useMemo(() => new LatestJob(), [model, kind, lines, graph]);
  const isLast = useRef(requests);
  isLast.current = requests;
  useEffect(() => {
    if (model === undefined || text === undefined) return;
    const typed = new AbortController();
    const signal = text.length > SHORT ? typed.signal : undefined;
    requests.run(async () => {
      try {
        const notes: string[] = [];
        const onMostlyUnknown = () => void notes.push(unknownNote());
        const options = { kind, signal, lines: LINES[lines], onMostlyUnknown };
        const found = await sentencesOf(text, model.nlp, options);
        const shown = await withGraphs(found, model, graph === "enhanced");
        if (found.length > 1 && lines === "auto" && (kind === "auto" ? inputKind(text) : kind) === "text")
          notes.push(...(await lineNotes(model, text)));
        if (isLast.current !== requests) return;
        report(shown.failure, notes);
        showSentences(withSame(shown.sentences, sentences.peek()), current.peek());
      } catch (error) {
        if (!typed.signal.aborted) report((error as Error).message, []);
      }
    });
    return () => typed.abort();
  }, [text, model, requests]);
}

function unknownNote(): string {
  return `The model ${describeModel()} does not know most of these words: is the text in another language? A model of it can be opened in the menu above.`;
}

/** Returns a note if a text has lines that are read as sentences although no mark ends them. */
async function lineNotes({ source, call }: RunningModel, text: string): Promise<string[]> {
  if (source.kind === "server") return [];
  const { lines, open } = await call("lineCounts", { text });
  const found = `${open} of ${counted(lines, "line")} end without punctuation: read as one sentence per line.`;
  return open === 0 ? [] : [`${found} The options have a switch.`];
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
