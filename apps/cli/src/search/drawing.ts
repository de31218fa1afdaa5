import { HTML_END, htmlSentence, htmlStart, sentenceDiagram } from "@arcwise/draw";
import { markedWords, type SearchWriter } from "./matches.ts";

/** Writes a page on which every sentence is drawn once, with the words of its matches marked. */
export function drawingWriter(title: string): SearchWriter {
  let count = 0;
  return {
    start: htmlStart({ title }),
    sentence: ({ sentence, matches }) => {
      const marked = new Set(matches.flatMap((match) => [...markedWords(match).keys()]));
      const diagram = sentenceDiagram(sentence);
      const words = diagram.words.map((word, i) => (marked.has(i + 1) ? { ...word, isMarked: true } : word));
      return htmlSentence({ ...diagram, words }, ++count);
    },
    end: HTML_END,
  };
}
