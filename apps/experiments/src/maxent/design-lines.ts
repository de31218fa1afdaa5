import type { MaxentDesign } from "@arcwise/learn/maxent";

/** Number of events per chunk of text. */
const CHUNK = 10_000;

/**
 * Yields the events of a design in the text format of LIBSVM, which LIBLINEAR, scikit-learn and others read.
 * Each line is an event: the number of the class, and the numbers of its features from 1, ascending, with
 * the value 1.
 */
export function* designLines({
  events,
  eventClass,
  eventStart,
  eventFeatures,
}: MaxentDesign): Generator<string> {
  for (let first = 0; first < events; first += CHUNK) {
    let text = "";
    for (let event = first; event < Math.min(events, first + CHUNK); event++) {
      text += `${eventClass[event]}`;
      for (const feature of eventFeatures.slice(eventStart[event], eventStart[event + 1]).sort())
        text += ` ${feature + 1}:1`;
      text += "\n";
    }
    yield text;
  }
}
