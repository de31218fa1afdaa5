/** A valid sentence with every construct of the format. */
export const EXAMPLE = `# newdoc id = d1
# sent_id = d1-1
# text = Vámonos al mar, ¿y tú?
1-2	Vámonos	_	_	_	_	_	_	_	_
1	Vamos	ir	VERB	_	Mood=Imp|Number=Plur|Person=1|VerbForm=Fin	0	root	0:root	_
2	nos	nosotros	PRON	_	Number=Plur|Person=1|PronType=Prs	1	expl:pv	1:expl:pv	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	5:case	_
4	el	el	DET	_	Definite=Def|PronType=Art	5	det	5:det	_
5	mar	mar	NOUN	_	Gender=Masc|Number=Sing	1	obl	1:obl:a|8.1:obl:a	SpaceAfter=No
6	,	,	PUNCT	_	_	9	punct	9:punct	_
7	¿	¿	PUNCT	_	_	9	punct	9:punct	SpaceAfter=No
8	y	y	CCONJ	_	_	9	cc	8.1:cc	_
8.1	vas	ir	VERB	_	_	_	_	1:conj:y	CopyOf=1
9	tú	tú	PRON	_	Case=Nom|Number=Sing|Person=2|PronType=Prs	1	conj	8.1:nsubj	SpaceAfter=No
10	?	?	PUNCT	_	_	1	punct	1:punct	_

`;

/** A small valid sentence, for tests that damage it. */
export const SMALL = `# sent_id = s1
# text = Dogs bark
1	Dogs	dog	NOUN	NNS	Number=Plur	2	nsubj	2:nsubj	_
2	bark	bark	VERB	VBP	Mood=Ind|VerbForm=Fin	0	root	0:root	_

`;
