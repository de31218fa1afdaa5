import "./learn.css";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { opened } from "../app/documents.ts";
import { navigate } from "../app/router.ts";
import { openFileText } from "../correct/files.ts";
import { history, treebank } from "../correct/state.ts";
import { OpenButton } from "../correct/view/toolbar.tsx";
import { running } from "../model/model.ts";
import { Check, count } from "../shared/controls.tsx";
import { save } from "../shared/export.ts";
import { correctionsOf, MIN_HELD_OUT } from "./corrected.ts";
import { cancelLearning, revert, startLearning, type Training, training } from "./learn.ts";
import type { Accuracy, Change } from "./learning.ts";

/** Default and limits of the number of epochs. */
const EPOCHS = { least: 1, most: 100, usual: 10 };

/** The form, which stays while other views are shown; no choice: the changed sentences if there are some. */
const form = {
  choice: signal<"changed" | "all" | undefined>(undefined),
  epochs: signal(EPOCHS.usual),
  holdsOut: signal(true),
};

/** The view Learn: continues the training of the model with sentences of the view Correct. */
export function LearnView() {
  useEffect(openDropped, []);
  const state = training.value;
  return (
    <div class="learn stack">
      <Lesson isRunning={state?.status === "running"} />
      {state?.status === "running" && <Progress {...state} />}
      {state?.status === "failed" && (
        <p class="card error" role="alert">
          {state.message}
        </p>
      )}
      {state?.status === "done" && <Outcome {...state} />}
    </div>
  );
}

/** Opens files that are dropped while the view is shown, as the document of the view Correct. */
function openDropped(): () => void {
  const before = opened.peek();
  return opened.subscribe((file) => {
    if (file !== undefined && file !== before) openFileText(file.name, file.text);
  });
}

/** The choice of sentences, and of how long to learn. */
function Lesson({ isRunning }: { readonly isRunning: boolean }) {
  const steps = history.value;
  const { all, changed } = useMemo(() => correctionsOf(steps), [steps]);
  const [epochs, holdsOut] = [form.epochs.value, form.holdsOut.value];
  const choose = (scope: "changed" | "all") => () => {
    form.choice.value = scope;
  };
  const scope = form.choice.value ?? (changed.length > 0 ? "changed" : "all");
  const chosen = scope === "changed" ? changed : all;
  const name = treebank.value?.name;
  const isOfServer = running.value?.source.kind === "server";
  const isReady = running.value !== undefined && !isOfServer && chosen.length > 0 && !isRunning;
  return (
    <form
      class="card learn-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) startLearning(chosen, { epochs, holdsOut });
      }}
    >
      <h2>Learn from corrected sentences</h2>
      <p class="soft">
        {name === undefined
          ? "Open a CoNLL-U file, or drop it on the page. Sentences may be annotated in part: nothing is learned of words whose HEAD is _."
          : `${name} has ${count(all.length, "sentence")} that can be learned from.`}
      </p>
      {isOfServer && (
        <p class="soft">The model is at the server, and learns nothing there: open a model file.</p>
      )}
      <div class="row">
        <OpenButton isPrimary={name === undefined} />
        {name !== undefined && (
          <button type="button" onClick={() => navigate("correct")}>
            Correct it
          </button>
        )}
      </div>
      {name !== undefined && (
        <>
          <fieldset class="row">
            <legend class="legend">Sentences</legend>
            <Choice
              text={`Changed since it was opened (${changed.length.toLocaleString("en")})`}
              isChosen={scope === "changed"}
              onChoose={choose("changed")}
            />
            <Choice
              text={`All (${all.length.toLocaleString("en")})`}
              isChosen={scope === "all"}
              onChoose={choose("all")}
            />
          </fieldset>
          <div class="row">
            <label class="field">
              <span>Epochs</span>
              <input
                type="number"
                min={EPOCHS.least}
                max={EPOCHS.most}
                required
                value={epochs}
                onInput={({ currentTarget }) => {
                  if (currentTarget.validity.valid) form.epochs.value = currentTarget.valueAsNumber;
                }}
              />
            </label>
            <Check
              class="check"
              isOn={holdsOut}
              onChange={(isOn) => {
                form.holdsOut.value = isOn;
              }}
            >
              Hold out a fifth, to measure what is learned (from {MIN_HELD_OUT} sentences on)
            </Check>
          </div>
          <div class="row">
            <button type="submit" class="primary" disabled={!isReady}>
              Learn from {count(chosen.length, "sentence")}
            </button>
          </div>
        </>
      )}
    </form>
  );
}

interface ChoiceProps {
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ text, isChosen, onChoose }: ChoiceProps) {
  return (
    <label class="check">
      <input type="radio" name="scope" checked={isChosen} onChange={onChoose} />
      {text}
    </label>
  );
}

/** How far a training is, and how long the rest will take. */
function Progress({ progress, began }: Extract<Training, { status: "running" }>) {
  const done = progress?.trainingShare ?? 0;
  const passed = (performance.now() - began) / 1000;
  const left = done > 0.02 ? Math.ceil((passed * (1 - done)) / done) : undefined;
  return (
    <section class="card learn-form" aria-label="Training">
      <progress max={1} value={done} aria-label="Share of the training that is done" />
      <p role="status">
        {progress === undefined
          ? "Preparing…"
          : `Epoch ${progress.epoch} of ${progress.epochs}${left === undefined ? "" : `, ${time(left)} left`}`}
      </p>
      <div class="row">
        <button type="button" onClick={cancelLearning}>
          Cancel
        </button>
      </div>
    </section>
  );
}

function time(seconds: number): string {
  return seconds < 90 ? count(seconds, "second") : count(Math.round(seconds / 60), "minute");
}

/** Changes by a training. */
function Outcome({ learned, name, before }: Extract<Training, { status: "done" }>) {
  const { bytes, learned: own, heldOut } = learned;
  return (
    <section class="card learn-form" aria-label="What changed">
      <h2>{name}</h2>
      <p class="soft">All views use this model now. It is in the memory of this page until you save it.</p>
      <div class="learn-table">
        <table>
          <caption class="visually-hidden">
            Accuracy in percent before and after, on words as they are cut
          </caption>
          <thead>
            <tr>
              <th scope="col">Sentences</th>
              {MEASURES.map(([, title, help]) => (
                <th key={title} scope="col" title={help}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heldOut && <ChangeRow name="held out" change={heldOut} />}
            <ChangeRow name="learned" change={own} />
          </tbody>
        </table>
      </div>
      {heldOut === undefined && (
        <p class="soft">No sentence was held out: how well others are parsed is not measured.</p>
      )}
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => save(`${name.replaceAll(" ", "")}.model`, new Blob([bytes as BlobPart]))}
        >
          Save the model
        </button>
        <button type="button" onClick={() => revert(before)}>
          Use the model before
        </button>
      </div>
    </section>
  );
}

/** The measures of a table, with their titles. */
const MEASURES: readonly (readonly [keyof Accuracy, string, string])[] = [
  ["uas", "UAS", "Words with the right head"],
  ["las", "LAS", "Words with the right head and relation"],
  ["upos", "UPOS", "Words with the right tag"],
];

function ChangeRow({ name, change }: { readonly name: string; readonly change: Change }) {
  const { sentences, before, after } = change;
  return (
    <tr>
      <th scope="row">
        {sentences.toLocaleString("en")} {name}
      </th>
      {MEASURES.map(([measure]) => (
        <td key={measure}>
          {before[measure].toFixed(1)} → <strong>{after[measure].toFixed(1)}</strong>
        </td>
      ))}
    </tr>
  );
}
