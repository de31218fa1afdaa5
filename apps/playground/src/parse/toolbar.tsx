import { current, report, reportError, sentences } from "../app/store.ts";
import { DECODER_NAMES, type DecoderName } from "../model/decoder-names.ts";
import { isSemantic } from "../model/model.ts";
import { EXPORTS, type ExportFormat, type ExportName } from "../shared/export-formats.ts";
import { drawing } from "./drawing.ts";
import { change, MAX_TREES, settings, TAGS } from "./settings.ts";

/** What is drawn and how, and the exports. */
export function Toolbar() {
  const { probabilities, trees, decoder } = settings.value;
  return (
    <div class="row toolbar">
      <Choice
        label="Compare with"
        value={decoder}
        options={{ "": "no other decoder", ...DECODER_NAMES }}
        onChange={(chosen) => change({ decoder: chosen as DecoderName | "" })}
      />
      <label class="inline">
        Trees
        <input
          type="number"
          min={1}
          max={MAX_TREES}
          value={trees}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber >= 1 && valueAsNumber <= MAX_TREES)
              change({ trees: Math.floor(valueAsNumber) });
          }}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={probabilities}
          onChange={({ currentTarget: { checked } }) => change({ probabilities: checked })}
        />
        Probabilities
      </label>
      <OptionsMenu />
      <ExportMenu />
    </div>
  );
}

/** What the input is, and how trees are drawn. */
function OptionsMenu() {
  const { input, layout, graph, tags } = settings.value;
  return (
    <details class="menu options">
      <summary class="button">Options</summary>
      <div class="menu-panel">
        <Choice
          label="Input"
          value={input}
          options={{ auto: "Recognise", text: "Text", words: "Words", conllu: "CoNLL-U" }}
          onChange={(chosen) => change({ input: chosen })}
        />
        <Choice
          label="Layout"
          value={layout}
          options={{ arcs: "Arcs", tree: "Tree" }}
          onChange={(chosen) => change({ layout: chosen })}
        />
        <Choice
          label="Graph"
          value={graph}
          options={{ basic: "Basic", enhanced: isSemantic.value ? "Semantic" : "Enhanced" }}
          onChange={(chosen) => change({ graph: chosen })}
        />
        <fieldset class="tags">
          <legend class="visually-hidden">Below the words</legend>
          {(Object.keys(TAGS) as (keyof typeof TAGS)[]).map((tag) => (
            <label key={tag} class="inline">
              <input
                type="checkbox"
                checked={tags.includes(tag)}
                onChange={({ currentTarget: { checked } }) =>
                  change({ tags: checked ? [...tags, tag] : tags.filter((other) => other !== tag) })
                }
              />
              {TAGS[tag]}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  );
}

/** A choice of one of several values, with a label before it. */
function Choice<Value extends string>(properties: {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (chosen: Value) => void;
}) {
  const { label, value, options, onChange } = properties;
  return (
    <label class="inline">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {(Object.entries(options) as [Value, string][]).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Exports of all sentences; pictures have the current one. The link is the address of the page. */
function ExportMenu() {
  const isEmpty = sentences.value.length === 0;
  const run = async (name: ExportName) => {
    const { isPicture }: ExportFormat = EXPORTS[name];
    const chosen = isPicture ? [sentences.value[current.value]!] : sentences.value;
    const { exportSentences } = await import("../shared/export.ts");
    await exportSentences(name, chosen, drawing());
  };
  const copyLink = () =>
    navigator.clipboard.writeText(location.href).then(() => report("The link is copied."), reportError);
  return (
    <details class="menu export">
      <summary class="button">Export</summary>
      <div class="menu-panel">
        <div class="row">
          {(Object.keys(EXPORTS) as ExportName[]).map((name) => (
            <button key={name} type="button" disabled={isEmpty} onClick={() => run(name).catch(reportError)}>
              {EXPORTS[name].title}
            </button>
          ))}
          <button type="button" disabled={isEmpty} onClick={() => print()}>
            PDF…
          </button>
        </div>
        <p class="soft">SVG and PNG have the current sentence; PDF is made by the print dialogue.</p>
        <button type="button" onClick={copyLink}>
          Copy a link to this page
        </button>
      </div>
    </details>
  );
}
