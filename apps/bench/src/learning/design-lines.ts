import type { MaxentDesign } from "@arcwise/learn";

/** Events in one piece of text. */
const CHUNK = 10_000;

/**
 * The events of a design in the plain format of LIBSVM, which LIBLINEAR, scikit-learn and others read: the
 * number of the class, and of each feature from 1 with the value 1, ascending; an event a line.
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
      const features = eventFeatures.slice(eventStart[event], eventStart[event + 1]).sort();
      text += `${eventClass[event]}`;
      for (const feature of features) text += ` ${feature + 1}:1`;
      text += "\n";
    }
    yield text;
  }
}
