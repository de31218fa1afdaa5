import { explain } from "@arcwise/conllu";
import { useState } from "preact/hooks";
import { choiceKeys, choices, choose, setLabelling } from "../commands.ts";

/** The most frequent values for the word first; all others on request. */
const SHOWN = 20;

/** Returns what a value of Universal Dependencies means, without the address of its page. */
export function meaningOf(value: string): string | undefined {
  return explain(value)?.replace(/ https:\S+$/, "");
}

/** The values of the present mode, with their keys. */
export function Choices({ value }: { readonly value: string | undefined }) {
  const [isAll, setAll] = useState(false);
  const values = choices();
  const keys = choiceKeys();
  return (
    <fieldset class="choices" aria-label="Values">
      {values.slice(0, isAll ? undefined : SHOWN).map((one) => (
        <button
          key={one}
          type="button"
          class="choice"
          aria-pressed={one === value}
          title={meaningOf(one) ?? one}
          onClick={() => choose(one) && setLabelling(false)}
        >
          {one}
          {keys.has(one) && <kbd>{keys.get(one)}</kbd>}
        </button>
      ))}
      {values.length > SHOWN && (
        <button type="button" class="choice more" onClick={() => setAll(!isAll)}>
          {isAll ? "Fewer" : `${values.length - SHOWN} more`}
        </button>
      )}
    </fieldset>
  );
}
