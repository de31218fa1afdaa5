import { uncheckedTests } from "@arcwise/conllu";
import { counted } from "@arcwise/core/errors";
import type { ComponentChildren } from "preact";
import { formAt } from "../../shared/sentences.ts";
import { editAll } from "../actions.ts";
import { describeDifference } from "../agreement.ts";
import { differences, otherSentence, takeOtherSentence } from "../compare-actions.ts";
import { findingsOf, type SentenceFinding } from "../findings.ts";
import { select } from "../navigation.ts";
import { withNote } from "../notes.ts";
import * as state from "../state.ts";

/** The finding of a sentence whose ID another sentence has as well. */
const REPEATED: Pick<SentenceFinding, "rule" | "severity" | "row" | "expected" | "found"> = {
  rule: "non-unique-sent-id",
  severity: "error",
  row: undefined,
  expected: "another sent_id",
  found: "one that another sentence has",
};

function currentFindings() {
  const own = state.current.value;
  if (own === undefined) return [];
  return [...findingsOf(own), ...(state.repeated.value.has(own.key) ? [REPEATED] : [])];
}

/** Returns how many rules the current sentence breaks, without warnings. */
export function errorCount(): number {
  return currentFindings().filter(({ severity }) => severity === "error").length;
}

/** A row that selects a word, if it is about one. */
function FindingButton(props: { readonly word: string | undefined; readonly children: ComponentChildren }) {
  return (
    <button type="button" class="finding" onClick={() => props.word !== undefined && select(props.word)}>
      {props.children}
    </button>
  );
}

/** The rules that the current sentence breaks, as it is edited. A click selects the word. */
export function FindingsList() {
  if (state.current.value === undefined) return null;
  const findings = currentFindings();
  const errors = errorCount();
  return (
    <section class="findings card" aria-label="Findings">
      <h2>{errors === 0 ? "Valid" : counted(errors, "error")}</h2>
      <details class="soft">
        <summary>Levels 1 to 3 of the validator of Universal Dependencies</summary>
        <p>Not checked:</p>
        <ul>
          {uncheckedTests().map(({ level, tests, why }) => (
            <li key={level}>
              level {level}, {why}: {tests.join(", ")}
            </li>
          ))}
        </ul>
      </details>
      <ul>
        {findings.map(({ rule, severity, row, expected, found }, i) => (
          <li key={`${rule} ${row} ${i}`}>
            <FindingButton word={row?.split("-")[0]}>
              <span class="rule">{rule}</span>
              {severity === "warning" && <span class="soft"> warning</span>}
              {row !== undefined && <span class="soft"> word {row}</span>}
              <span class="finding-text">
                Expected {expected}, found {found}.
              </span>
            </FindingButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The notes of the current sentence. They are not in the file. */
export function NotesList() {
  const own = state.current.value;
  if (own === undefined || own.notes.length === 0) return null;
  return (
    <section class="findings card" aria-label="Notes">
      <h2>Notes</h2>
      <ul>
        {own.notes.map((note) => (
          <li key={`${note.on} ${note.word}`} class="note-row">
            <FindingButton word={note.word?.toString()}>
              <span class="soft">
                {note.on} {note.word}
              </span>
              <span class="finding-text">{note.text}</span>
            </FindingButton>
            <button
              type="button"
              class="icon"
              aria-label="Remove the note"
              onClick={() =>
                editAll("Note", [
                  { kind: "notes", sentence: own.key, notes: withNote(own.notes, { ...note, text: "" }) },
                ])
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The second annotation: how far the two agree, and the words of the current sentence on which they differ. */
export function ComparePanel() {
  const other = state.second.value;
  if (other === undefined) return null;
  const { sentences, compared, metrics, kappa } = other.agreement;
  const percent = (value: number) => (Number.isNaN(value) ? "–" : (100 * value).toFixed(1));
  const facts = [
    ...(["UPOS", "UFeats", "Lemmas", "UAS", "LAS"] as const).map((name) => [name, percent(metrics[name].f1)]),
    ["κ of UPOS", kappa.upos.toFixed(3)],
    ["κ of relations", kappa.deprel.toFixed(3)],
  ];
  const differing = differences();
  const own = state.content.value;
  return (
    <section class="findings compare card" aria-label="Agreement">
      <h2>
        Agreement with {other.name}
        <button
          type="button"
          class="icon"
          aria-label="End the comparison"
          onClick={() => {
            state.second.value = undefined;
          }}
        >
          ×
        </button>
      </h2>
      <table>
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {compared} of {sentences} common sentences have the same characters and are trees. Your arcs are above
        the words, the other arcs below.
      </p>
      {otherSentence() === undefined ? (
        <p class="soft">This sentence has other words there, or is absent.</p>
      ) : differing.length === 0 ? (
        <p>The two agree on this sentence.</p>
      ) : (
        <>
          <ul>
            {differing.map((one) => (
              <li key={one.word}>
                <FindingButton word={`${one.word}`}>
                  <span class="rule">{formAt(own!, one.word)}</span>{" "}
                  <span class="soft">{describeDifference(own!, otherSentence()!, one)}</span>
                </FindingButton>
              </li>
            ))}
          </ul>
          <button type="button" onClick={takeOtherSentence}>
            Take the other tree
          </button>
        </>
      )}
    </section>
  );
}
