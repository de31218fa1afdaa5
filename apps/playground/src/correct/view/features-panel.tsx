import type { Row } from "@arcwise/conllu";
import { useState } from "preact/hooks";
import { setColumn } from "../actions.ts";
import { offeredFeatures } from "../inventory.ts";
import { itemValue, withFeature } from "../misc.ts";
import * as state from "../state.ts";
import { meaningOf } from "./choices.tsx";
import { ValueField } from "./value-field.tsx";

/** Features that words with this tag have in the treebank, others on request, and FEATS as a text. */
export function FeaturesPanel({ row: { upos, feats } }: { readonly row: Row }) {
  const [isAll, setAll] = useState(false);
  const all = offeredFeatures(state.inventory.value, upos, state.ownLists.value);
  const shown = all.filter(({ name, isUsual }) => isAll || isUsual || itemValue(feats, name) !== undefined);
  return (
    <>
      <ValueField column="feats" label="FEATS" value={feats} />
      <div class="features">
        {shown.map(({ name, values }) => (
          <FeatureSelect key={name} name={name} values={values} feats={feats} />
        ))}
        <button type="button" class="choice more" onClick={() => setAll(!isAll)}>
          {isAll ? "Only the usual ones" : `${all.length - shown.length} more features`}
        </button>
      </div>
    </>
  );
}

interface FeatureSelectProperties {
  readonly name: string;
  readonly values: readonly string[];
  readonly feats: string;
}

function FeatureSelect({ name, values, feats }: FeatureSelectProperties) {
  const value = itemValue(feats, name) ?? "";
  return (
    <label class="feature" title={meaningOf(name)}>
      <span>{name}</span>
      <select
        value={value}
        data-set={value !== "" || undefined}
        onChange={(event) => setColumn("feats", withFeature(feats, name, event.currentTarget.value))}
      >
        {[...new Set(["", ...(values.includes(value) ? [] : [value]), ...values])].map((one) => (
          <option key={one} value={one}>
            {one || "–"}
          </option>
        ))}
      </select>
    </label>
  );
}
