import { writeConllu } from "@arcwise/conllu";
import { sentences } from "../../app/store.ts";
import { openFileText } from "../files.ts";
import { OpenButton } from "./toolbar.tsx";

const EXAMPLE = `# sent_id = example-1
# text = The old man the boats near the harbour.
1	The	the	DET	DT	Definite=Def|PronType=Art	3	det	_	_
2	old	old	ADJ	JJ	Degree=Pos	3	amod	_	_
3	man	man	NOUN	NN	Number=Sing	0	root	_	_
4	the	the	DET	DT	Definite=Def|PronType=Art	5	det	_	_
5	boats	boat	NOUN	NNS	Number=Plur	3	dep	_	_
6	near	near	ADP	IN	_	8	case	_	_
7	the	the	DET	DT	Definite=Def|PronType=Art	8	det	_	_
8	harbour	harbour	NOUN	NN	Number=Sing	5	nmod	_	SpaceAfter=No
9	.	.	PUNCT	.	_	3	punct	_	_

# sent_id = example-2
# text = She promised to call and did.
1	She	she	PRON	PRP	Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs	2	nsubj	2:nsubj|6:nsubj	_
2	promised	promise	VERB	VBD	Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin	0	root	0:root	_
3	to	to	PART	TO	_	4	mark	4:mark	_
4	call	call	VERB	VB	VerbForm=Inf	2	xcomp	2:xcomp	_
5	and	and	CCONJ	CC	_	6	cc	6:cc	_
6	did	do	AUX	VBD	Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin	2	conj	2:conj:and	SpaceAfter=No
6.1	call	call	VERB	VB	VerbForm=Inf	_	_	6:xcomp	_
7	.	.	PUNCT	.	_	2	punct	2:punct	_

`;

/** The editor until a file is opened: ways to open one. */
export function OpenPanel() {
  const parsed = sentences.value;
  return (
    <section class="open-panel card">
      <h2>Correct a treebank</h2>
      <p>
        Open a CoNLL-U file, or drop it anywhere on the page. Lines that you do not change are saved byte for
        byte. The file stays on your machine.
      </p>
      <div class="row">
        <OpenButton isPrimary />
        <button
          type="button"
          disabled={parsed.length === 0}
          title={parsed.length === 0 ? "Parse a text first" : undefined}
          onClick={() => openFileText("parsed.conllu", writeConllu(parsed))}
        >
          The sentences of the view Parse
        </button>
        <button type="button" onClick={() => openFileText("example.conllu", EXAMPLE)}>
          An example
        </button>
      </div>
      <ul class="soft">
        <li>Drag arcs to other heads, or go word by word with one key for each arc, relation or tag.</li>
        <li>Let the rest of the tree follow the parser under what you fixed, or stay as it is.</li>
        <li>
          See each broken rule while you type; undo and repeat everything; change words by pattern after a
          preview.
        </li>
      </ul>
    </section>
  );
}
