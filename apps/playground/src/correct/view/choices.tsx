import { explain } from "@arcwise/conllu";
import { useState } from "preact/hooks";
import { choiceKeys, choices, choose, stopLabelling } from "../commands.ts";

/** The most frequent values for the word first; all others on request. */
const SHOWN = 20;

/** The values of the present mode, with their keys. */
export function Choices({ value }: { readonly value: string | undefined }) {
  const [isAll, setAll] = useState(false);
  const values = choices();
  const keys = choiceKeys();
  const shown = isAll ? values : values.slice(0, SHOWN);
  return (
    <fieldset class="choices" aria-label="Values">
      {shown.map((one) => (
        <button
          key={one}
          type="button"
          class="choice"
          aria-pressed={one === value}
          title={explain(one)?.replace(/ https:\S+$/, "") ?? one}
          onClick={() => choose(one) && stopLabelling()}
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
