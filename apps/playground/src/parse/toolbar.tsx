import { useSignal } from "@preact/signals";
import { current, report, reportError, sentences } from "../app/store.ts";
import { DECODER_NAMES, type DecoderName } from "../model/decoder-names.ts";
import { isSemantic } from "../model/model.ts";
import { EXPORTS, type ExportName } from "../shared/export-formats.ts";
import { exported } from "./drawing.ts";
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

/** Exports of the current sentence, or of all, as the page shows them. The link is the address of the page. */
function ExportMenu() {
  const isAll = useSignal(false);
  const isEmpty = sentences.value.length === 0;
  const chosen = () => exported(isAll.value ? undefined : current.value);
  const run = async (format: ExportName) => {
    const { exportTrees } = await import("../shared/export.ts");
    await exportTrees(format, chosen());
  };
  const copyLink = () =>
    navigator.clipboard.writeText(location.href).then(() => report("The link is copied."), reportError);
  return (
    <details class="menu export">
      <summary class="button">Export</summary>
      <div class="menu-panel">
        <Choice
          label="What is exported"
          value={isAll.value ? "all" : "this"}
          options={{
            this: `Sentence ${current.value + 1}`,
            all: `All ${sentences.value.length} sentences`,
          }}
          onChange={(value) => {
            isAll.value = value === "all";
          }}
        />
        <div class="row">
          {(Object.keys(EXPORTS) as ExportName[]).map((name) => (
            <button key={name} type="button" disabled={isEmpty} onClick={() => run(name).catch(reportError)}>
              {EXPORTS[name].title}
            </button>
          ))}
          <button type="button" disabled={isEmpty} onClick={() => printTrees(chosen().name, isAll.value)}>
            PDF…
          </button>
        </div>
        <p class="soft">
          Drawings are saved as they are shown: with probabilities, further trees and differences. PDF is made
          by the print dialogue.
        </p>
        <button type="button" onClick={copyLink}>
          Copy a link to this page
        </button>
      </div>
    </details>
  );
}

/** Prints the current sentence, or all. The title of the page is the name of the file that browsers offer. */
function printTrees(name: string, isAll: boolean): void {
  const { title } = document;
  const list = document.querySelector<HTMLElement>(".sentences");
  document.title = name;
  if (list !== null && !isAll) list.dataset.print = "current";
  print();
  document.title = title;
  delete list?.dataset.print;
}
