import { load } from "@arcwise/english-small";
import { createPipeline, drawSvg } from "arcwise";
import { WIDTHS } from "../drawings.ts";

/** The sentence that the home page shows first, and its drawing next to the title and on phones. */
export interface FirstSentence {
  readonly text: string;
  readonly svg: string;
}

declare const data: FirstSentence;

export { data };

export default {
  async load(): Promise<FirstSentence> {
    const text = "The storm damaged two old houses.";
    const [sentence] = createPipeline(await load()).run(text);
    const drawn = (width: number) => drawSvg(sentence!, { isStandalone: false, width });
    const { wide, narrow } = WIDTHS;
    return { text, svg: `<div class="wide">${drawn(wide)}</div><div class="narrow">${drawn(narrow)}</div>` };
  },
};
