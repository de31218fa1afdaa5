import { completeArcs, partLayout } from "@arcwise/core";
import { ad3Decoder } from "@arcwise/decode-ad3";

// "saw a movie yesterday": scores of arcs, and of adjacent modifiers of a verb.
const arcs = completeArcs(4);
const likely = new Map([
  ["0 1", 5],
  ["1 3", 4],
  ["3 2", 4],
  ["1 4", 2],
  ["3 4", 3],
]);
const score = (h: number, a: number) => likely.get(`${h} ${arcs.modifier[a]}`) ?? -1;
const siblings = partLayout("nextSibling", arcs);
const [object, time] = [3, 4].map((m) => arcs.head.findIndex((h, a) => h === 1 && arcs.modifier[a] === m));
for (let part = siblings.start[time!]!; part < siblings.start[time! + 1]!; part++) {
  if (siblings.members[part] === object) siblings.scores[part] = 2; // reward a time after an object
}
const problem = { arcs, arcScores: Float64Array.from(arcs.head, score), parts: [siblings] };

const decoder = ad3Decoder();
const { heads, score: found, bound, status } = decoder.decodeWithReport(problem);
console.log(heads.slice(1).join(" "), found, bound, status); // 0 3 1 1 17 17 optimal

// The same with a constraint: at most one of these two arcs.
const careful = ad3Decoder({
  exact: true,
  constraints: () => [
    {
      rule: "atMostOne",
      arcs: [
        [1, 3],
        [1, 4],
      ],
    },
  ],
});
console.log(careful.decode(problem).heads.slice(1).join(" ")); // 0 3 1 3
