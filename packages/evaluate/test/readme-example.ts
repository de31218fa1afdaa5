import { parseConllu } from "@arcwise/conllu";
import {
  attachmentScores,
  errorAnalysis,
  evaluateConllu,
  pairedBootstrap,
  sentenceCounts,
  treePairs,
} from "@arcwise/evaluate";

const gold = parseConllu(`
1	Birds	bird	NOUN	_	_	2	nsubj	_	_
2	sing	sing	VERB	_	_	0	root	_	_
3-4	don't	_	_	_	_	_	_	_	_
3	do	do	AUX	_	_	2	parataxis	_	_
4	n't	not	PART	_	_	3	advmod	_	_
5	they	they	PRON	_	_	3	nsubj	_	_

`);

// Another tool, other tokens: metrics of the CoNLL 2018 shared task, aligned by characters.
const retokenized = parseConllu(`
1	Birds	bird	NOUN	_	_	2	nsubj	_	_
2	sing	sing	VERB	_	_	0	root	_	_
3	don't	do	AUX	_	_	2	parataxis	_	_
4	they	they	PRON	_	_	3	nsubj	_	_

`);
const { metrics } = evaluateConllu(gold, retokenized);
console.log(metrics.Words.correct, metrics.Words.gold, metrics.Words.system); // 3 5 4
console.log(metrics.LAS.f1.toFixed(4), metrics.LAS.alignedAccuracy?.toFixed(4)); // 0.4444 0.6667

// The same tokens: attachment scores, full labels, punctuation by the rule you choose.
const parsed = parseConllu(`
1	Birds	bird	NOUN	_	_	2	nsubj	_	_
2	sing	sing	VERB	_	_	0	root	_	_
3-4	don't	_	_	_	_	_	_	_	_
3	do	do	AUX	_	_	2	aux	_	_
4	n't	not	PART	_	_	2	advmod	_	_
5	they	they	PRON	_	_	3	nsubj	_	_

`);
const pairs = treePairs(gold, parsed);
const { uas, las } = attachmentScores(pairs, { punctuation: "conllx" });
console.log(uas, las); // 0.8 0.6

// Where it is wrong: labels taken for others, and precision and recall by the length of arcs.
const { confusions, arcLength } = errorAnalysis(pairs);
const mistakes = confusions.filter((cell) => cell.gold !== cell.predicted);
console.log(mistakes.map((cell) => `${cell.gold} -> ${cell.predicted}`).join()); // parataxis -> aux
const lengths = arcLength.map((row) => `${row.key}: ${row.gold} ${row.predicted}`);
console.log(lengths.join(", ")); // root: 1 1, 1: 3 2, 2: 1 2

// Is a second system better? A paired bootstrap test over sentences.
const a = sentenceCounts(pairs, "las");
const b = sentenceCounts(treePairs(gold, gold), "las");
const { difference, samples } = pairedBootstrap({ a, b }, { seed: 1, samples: 1000 });
console.log(difference.toFixed(1), samples); // 0.4 1000
