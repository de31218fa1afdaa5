import type { MaxentDesign } from "@arcwise/learn/maxent";

/** Number of events per chunk of text. */
const CHUNK = 10_000;

/**
 * Yields the events of a design in the text format of LIBSVM, which LIBLINEAR, scikit-learn and others read.
 * Each line is an event: the number of the class, and the numbers of its features from 1, ascending, with
 * their values.
 */
export function* designLines({
  events,
  eventClass,
  eventStart,
  eventFeatures,
  eventValues,
}: MaxentDesign): Generator<string> {
  for (let first = 0; first < events; first += CHUNK) {
    let text = "";
    for (let event = first; event < Math.min(events, first + CHUNK); event++) {
      const from = eventStart[event]!;
      const features = [...eventFeatures.subarray(from, eventStart[event + 1])]
        .map((feature, k) => [feature, eventValues?.[from + k] ?? 1] as const)
        .sort(([a], [b]) => a - b);
      text += `${eventClass[event]}`;
      for (const [feature, value] of features) text += ` ${feature + 1}:${value}`;
      text += "\n";
    }
    yield text;
  }
}
