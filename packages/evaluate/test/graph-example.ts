import { parseSdp } from "@arcwise/conllu";
import { graphClasses, graphCounts, graphScores, pairedBootstrap, sdpPairs } from "@arcwise/evaluate";

const gold = parseSdp(`#1
1	Cats	cat	NNS	-	-	_	ARG1	ARG1
2	want	want	VBP	+	+	want.01	_	_
3	to	to	TO	-	-	_	_	_
4	sleep	sleep	VB	-	+	sleep.01	ARG2	_

`);
const parsed = parseSdp(`#1
1	Cats	cat	NNS	-	-	_	ARG1	_
2	want	want	VBP	+	+	want.02	_	_
3	to	to	TO	-	-	_	_	ARGM
4	sleep	sleep	VB	-	+	sleep.01	ARG1	_

`);
const pairs = sdpPairs(gold, parsed);
const { labelled, unlabelled, senseAccuracy } = graphScores(pairs);
console.log(labelled.correct, labelled.gold, labelled.predicted, labelled.f1.toFixed(4)); // 1 3 3 0.3333
console.log(unlabelled.f1.toFixed(4), senseAccuracy); // 0.6667 0.5
console.log(graphScores(pairs, { tops: true, senses: true }).labelled.f1.toFixed(4)); // 0.5000
const labels = graphClasses(pairs).label.map((row) => `${row.key} ${row.labelled.f1}`);
console.log(labels.join(", ")); // ARG1 0.5, ARG2 0, ARGM 0

// F1 of the gold graphs against F1 of the parsed ones.
const a = graphCounts(pairs, "labelled");
const b = graphCounts(sdpPairs(gold, gold), "labelled");
console.log(pairedBootstrap({ a, b }, { samples: 1000 }).difference.toFixed(4)); // 0.6667
