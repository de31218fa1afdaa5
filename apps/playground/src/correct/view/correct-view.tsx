import "./correct.css";
import { useLayoutEffect } from "preact/hooks";
import { opened } from "../../app/documents.ts";
import { host } from "../../app/host.ts";
import { route } from "../../app/router.ts";
import { ExportMenu } from "../../shared/export-menu.tsx";
import { isTyping } from "../../shared/keyboard.ts";
import { runKey } from "../commands.ts";
import { contentOf, type EditSentence } from "../document.ts";
import { exported } from "../exported.ts";
import { openFileText, openHostFile } from "../files.ts";
import { isChanged } from "../history.ts";
import { showSentence } from "../navigation.ts";
import { restoreLists } from "../settings.ts";
import * as state from "../state.ts";
import { CommandButton } from "./command-button.tsx";
import { Dialogs } from "./dialogs.tsx";
import { EditTree } from "./edit-tree.tsx";
import { ComparePanel, FindingsList, NotesList } from "./findings-list.tsx";
import { OpenPanel } from "./open-panel.tsx";
import { Panel } from "./panel.tsx";
import { lineOf, SentenceList, shortened } from "./sentence-list.tsx";
import { Toolbar } from "./toolbar.tsx";
import { ValuesPopover } from "./values-popover.tsx";

/** The last text of the page that was opened here: a text is opened once. */
let lastOpened: unknown;

/**
 * The view Correct: an editor of treebanks. Its listeners are there with its first render: effects after painting would
 * miss keys that are pressed before.
 */
export function CorrectView() {
  useLayoutEffect(restoreLists, []);
  useLayoutEffect(() => {
    const text = opened.value;
    const first = host?.files[0];
    if (text === undefined && first !== undefined && state.history.peek() === undefined)
      return void openHostFile(first);
    if (text === undefined || text === lastOpened) return;
    lastOpened = text;
    openFileText(text.name, text.text);
  }, [opened.value]);
  useShownSentence();
  useListeners();
  if (state.history.value === undefined)
    return (
      <>
        <OpenPanel />
        <Dialogs />
      </>
    );
  return (
    <div class="correct">
      <Toolbar />
      {state.showsList.value && <SentenceList />}
      <div class="workspace card">
        <Sentence />
      </div>
      {state.showsSide.value && (
        <aside class="side" aria-label="Findings, notes and agreement">
          <ComparePanel />
          <NotesList />
          <FindingsList />
        </aside>
      )}
      <Dialogs />
    </div>
  );
}

/** The current sentence: its text, its tree, and the panel that edits it. */
function Sentence() {
  const own = state.current.value;
  if (own === undefined) return <p class="wait">Choose a sentence.</p>;
  const { sentence, error } = contentOf(own);
  return (
    <>
      <SentenceHead own={own} />
      {sentence === undefined ? (
        <p class="error unreadable">
          This sentence cannot be drawn: {error?.message}. Its lines can be edited below.
        </p>
      ) : (
        <EditTree />
      )}
      <ValuesPopover />
      <Panel />
    </>
  );
}

/** The text of the sentence, its ID and place in the file, and the size of the tree. */
function SentenceHead({ own }: { readonly own: EditSentence }) {
  const at = state.listed.value.indexOf(own.key);
  const { index } = state.sentenceOf(own.key)!;
  const { text, id } = lineOf(own, index);
  const count = state.treebank.value!.sentences.length;
  return (
    <header class="sentence-head">
      <CommandButton of="Sentence before" class="icon" isDisabled={at <= 0}>
        ‹
      </CommandButton>
      <CommandButton of="Next sentence" class="icon" isDisabled={at >= state.listed.value.length - 1}>
        ›
      </CommandButton>
      <h2 dir="auto">{text}</h2>
      <p class="sentence-place soft">
        <span class="sentence-id" title={id}>
          {shortened(id)}
        </span>{" "}
        <span>
          {(index + 1).toLocaleString("en")} of {count.toLocaleString("en")}
        </span>
      </p>
      <div class="zoom" role="toolbar" aria-label="Size of the tree">
        <CommandButton of="Smaller tree" class="icon">
          −
        </CommandButton>
        <button
          type="button"
          class="small"
          aria-label="Size as at first"
          onClick={() => {
            state.zoom.value = 1;
          }}
        >
          {Math.round(100 * state.zoom.value)}%
        </button>
        <CommandButton of="Larger tree" class="icon">
          +
        </CommandButton>
        <CommandButton of="Wrap the rows, or not" class="small" isPressed={state.wraps.value}>
          Wrap
        </CommandButton>
        <ExportMenu index={index} count={count} exported={exported} />
      </div>
    </header>
  );
}

/** Shows the sentence that the address names: `#correct?sentence=12`, counted from 1, and `word`. */
function useShownSentence(): void {
  const { sentence, word = "1" } = route.value.parameters;
  const isOpen = state.history.value !== undefined;
  useLayoutEffect(() => {
    const found = state.treebank.peek()?.sentences[Number(sentence) - 1];
    if (found !== undefined) showSentence(found.key, word);
  }, [sentence, word, isOpen]);
}

/** Runs commands by their keys, while no dialog is open. */
function onKeyDown(event: KeyboardEvent): void {
  if (state.dialog.value !== undefined || event.defaultPrevented) return;
  // Buttons and links that have the focus keep the keys that press them.
  const isPressing = (event.key === "Enter" || event.key === " ") && isControl(event.target as Element);
  if (!isPressing) runKey(event, isTyping(event));
}

function isControl(element: Element): boolean {
  return element.closest("button, a, summary, select") !== null && element.closest(".tree") === null;
}

/** Warns before a page with unsaved changes is left. */
function onLeave(event: BeforeUnloadEvent): void {
  const history = state.history.peek();
  if (history !== undefined && isChanged(history)) event.preventDefault();
}

/** Listens to the page while the view is shown. */
function useListeners(): void {
  useLayoutEffect(() => {
    const end = new AbortController();
    addEventListener("keydown", onKeyDown, { signal: end.signal });
    addEventListener("beforeunload", onLeave, { signal: end.signal });
    return () => end.abort();
  }, []);
}
