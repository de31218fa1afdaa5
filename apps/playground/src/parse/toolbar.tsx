import { current, sentences } from "../app/store.ts";
import { DECODER_NAMES, type DecoderName } from "../model/decoder-names.ts";
import { isSemantic } from "../model/model.ts";
import { Check, Choice } from "../shared/controls.tsx";
import { ExportMenu } from "../shared/export-menu.tsx";
import { exported } from "./drawing.ts";
import { change, MAX_TREES, settings, TAGS } from "./settings.ts";

/** Choices of the drawing, and the exports. */
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
      <Check isOn={probabilities} onChange={(isOn) => change({ probabilities: isOn })}>
        Probabilities
      </Check>
      <div class="row menus">
        <OptionsMenu />
        <ExportMenu
          index={current.value}
          count={sentences.value.length}
          exported={exported}
          onPrint={printTrees}
        />
      </div>
    </div>
  );
}

/** Kind of the input, and how trees are drawn. */
function OptionsMenu() {
  const { input, lines, layout, graph, tags } = settings.value;
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
          label="One sentence per line"
          value={lines}
          options={{ auto: "Recognise", on: "Yes", off: "No" }}
          onChange={(chosen) => change({ lines: chosen })}
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
            <Check
              key={tag}
              isOn={tags.includes(tag)}
              onChange={(isOn) => change({ tags: isOn ? [...tags, tag] : tags.filter((one) => one !== tag) })}
            >
              {TAGS[tag]}
            </Check>
          ))}
        </fieldset>
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
