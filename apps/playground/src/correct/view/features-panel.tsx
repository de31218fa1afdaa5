import { explain, type Row } from "@arcwise/conllu";
import { useState } from "preact/hooks";
import { setColumn } from "../actions.ts";
import { itemValue, type OfferedFeature, offeredFeatures, withFeature } from "../inventory.ts";
import * as state from "../state.ts";
import { ValueField } from "./value-field.tsx";

/** Features that words with this tag have in the treebank, others on request, and FEATS as a text. */
export function FeaturesPanel({ row }: { readonly row: Row }) {
  const [isAll, setAll] = useState(false);
  const all = offeredFeatures(state.inventory.value, row.upos, state.ownLists.value);
  const isShown = ({ name, isUsual }: OfferedFeature) =>
    isAll || isUsual || itemValue(row.feats, name) !== undefined;
  const shown = all.filter(isShown);
  return (
    <>
      <ValueField column="feats" label="FEATS" value={row.feats} />
      <div class="features">
        {shown.map(({ name, values }) => (
          <FeatureSelect key={name} name={name} values={values} feats={row.feats} />
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
  const all = value === "" || values.includes(value) ? values : [value, ...values];
  return (
    <label class="feature" title={explain(name)?.replace(/ https:\S+$/, "")}>
      <span>{name}</span>
      <select
        value={value}
        data-set={value !== "" || undefined}
        onChange={(event) => setColumn("feats", withFeature(feats, name, event.currentTarget.value))}
      >
        <option value="">–</option>
        {all.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
