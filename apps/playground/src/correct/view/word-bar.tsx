import type { Row } from "@arcwise/conllu";
import type { CommandTitle } from "../commands.ts";
import { otherSentence } from "../compare-actions.ts";
import { idOf } from "../linked.ts";
import * as state from "../state.ts";
import { CommandButton } from "./command-button.tsx";

/** Commands of the selected word that have a button, with its name. */
const WORD_COMMANDS = {
  "Fix or free the word": "Fix",
  "Split the word": "Split",
  "Join the word with the next": "Join",
  "Make a multiword token": "Token",
  "Dissolve the multiword token": "Dissolve",
  "Insert a word behind": "Insert",
  "Delete the word": "Delete",
  "Split the sentence before the word": "Split sentence",
  "Join the sentence with the next": "Join sentences",
  "Note on the word, arc or sentence": "Note",
  "Take the other annotation of the word": "Take other",
} as const satisfies Partial<Record<CommandTitle, string>>;

/** The selected word with its columns, and the commands that concern it. */
export function WordBar({ row }: { readonly row: Row }) {
  const { upos, feats, deprel } = row;
  const isFixed = row.kind === "word" && state.current.value!.fixed.heads.includes(row.id);
  const head = row.kind === "word" && (row.head === 0 ? "root" : formOf(row.head));
  const note = state.current.value!.notes.find(({ word }) => `${word}` === idOf(row));
  const isShown: Readonly<Record<string, boolean>> = {
    Dissolve: row.kind === "word" && isInToken(row.id),
    "Take other": otherSentence() !== undefined,
  };
  return (
    <div class="word-bar">
      <p class="word-facts" role="status">
        <span class="soft">{idOf(row)}</span> <strong>{row.form}</strong> <span class="soft">{upos}</span>
        {head && (
          <span>
            {" "}
            <span class="relation">{deprel}</span> <span class="soft">of</span> {head}
          </span>
        )}
        {feats !== "_" && <span class="soft feats"> {feats}</span>}
        {note !== undefined && <span class="badge note">{note.text}</span>}
      </p>
      <div class="word-commands" role="toolbar" aria-label="Commands of the word">
        {row.kind === "word" &&
          (Object.keys(WORD_COMMANDS) as (keyof typeof WORD_COMMANDS)[]).map((title) => {
            const name = WORD_COMMANDS[title];
            if (isShown[name] === false) return null;
            return (
              <CommandButton
                key={name}
                of={title}
                class="small"
                isPressed={name === "Fix" ? isFixed : undefined}
              >
                {name === "Fix" && isFixed ? "Fixed" : name}
              </CommandButton>
            );
          })}
      </div>
    </div>
  );
}

function formOf(id: number): string {
  return state.words.value[id - 1]?.form ?? `${id}`;
}

function isInToken(id: number): boolean {
  return state.content.value!.rows.some((row) => row.kind === "range" && row.first <= id && id <= row.last);
}
