import {
  type parseConll2009,
  type parseConllX,
  type SdpSentence,
  sdpId,
  sentenceId,
  type WordRow,
} from "@arcwise/conllu";
import { describeValue } from "@arcwise/core/errors";
import { type DataError, wrongData } from "../errors.ts";
import type { AnnotatedSentence, FurtherColumns } from "./annotated.ts";

type ConllXSentence = ReturnType<typeof parseConllX>[number];
type Conll2009Sentence = ReturnType<typeof parseConll2009>[number];

const ABSENT = { lemma: "_", upos: "_", xpos: "_", feats: "_", deprel: "_", deps: "_", misc: "_" };

function wordsOf({ rows }: AnnotatedSentence): WordRow[] {
  return rows.filter((row) => row.kind === "word");
}

function headText(head: number): string {
  return head < 0 ? "_" : `${head}`;
}

function headNumber(text: string | undefined): number {
  return text === undefined || text === "_" ? -1 : Number(text);
}

/** CPOSTAG is UPOS, POSTAG is XPOS; PHEAD and PDEPREL, of a projective version of the tree, are further columns. */
export function fromConllX({ comments, rows, line }: ConllXSentence): AnnotatedSentence {
  return {
    comments,
    line,
    rows: rows.map(({ id, form, lemma, cpostag, postag, feats, head, deprel }) => {
      return { ...ABSENT, kind: "word", id, form, lemma, upos: cpostag, xpos: postag, feats, head, deprel };
    }),
    further: rows.map(({ phead, pdeprel }) => ({ PHEAD: headText(phead), PDEPREL: pdeprel })),
  };
}

export function toConllX(sentence: AnnotatedSentence): ConllXSentence {
  const rows = wordsOf(sentence).map(({ id, form, lemma, upos, xpos, feats, head, deprel }, i) => {
    const { PHEAD, PDEPREL = "_" } = sentence.further?.[i] ?? {};
    const phead = headNumber(PHEAD);
    return { id, form, lemma, cpostag: upos, postag: xpos, feats, head, deprel, phead, pdeprel: PDEPREL };
  });
  return { comments: sentence.comments, rows, line: sentence.line };
}

/** Names of further columns of CoNLL-2009, by the members of a row. */
const PREDICTED = {
  plemma: "PLEMMA",
  ppos: "PPOS",
  pfeat: "PFEAT",
  pdeprel: "predicted DEPREL",
  fillpred: "FILLPRED",
} as const;
const PREDICTED_HEAD = "predicted HEAD";

/** PRED of CoNLL-2009, FRAME of SDP. */
const SENSES = "senses";
/** Predicates without arguments: the others are heads in DEPS. */
const LONE_PREDICATES = "predicates without arguments";

/** A row with the labels of the edges to it, one per predicate of the sentence, and `_` for none. */
interface ArgumentRow {
  readonly id: number;
  readonly args: readonly string[];
}

/** Returns the DEPS of the words of a sentence with predicates, and which of them are predicates without arguments. */
function predicateGraph(rows: readonly ArgumentRow[], predicates: readonly number[], place: RowPlace) {
  const deps = rows.map(({ id, args }) =>
    predicates.flatMap((head, p) => {
      const label = args[p]!;
      if (label === "_") return [];
      if (label.includes("|")) throw wrongLabel(label, place, id);
      return [`${head}:${label}`];
    }),
  );
  const lone = predicates.filter((_, p) => rows.every(({ args }) => args[p] === "_"));
  return { deps, isLone: (id: number) => lone.includes(id) };
}

/** Where a sentence is: the file, and the line of its first row. */
interface RowPlace {
  readonly file: string;
  readonly first: number;
}

function wrongLabel(label: string, { file, first }: RowPlace, id: number): DataError {
  const expected = "a label without |, which separates edges";
  return wrongData({ file, line: first + id - 1, expected, found: describeValue(label) }, `word ${id}: `);
}

/** Returns the predicates of a sentence and their arguments: the heads and edges of DEPS that are words. */
function predicatesOf(sentence: AnnotatedSentence) {
  const words = wordsOf(sentence);
  const edges = words.map(({ deps }) => depsEdges(deps, words.length));
  const heads = new Set(edges.flatMap((own) => [...own.keys()]));
  const isPredicate = words.map(
    ({ id }, i) => heads.has(id) || sentence.further?.[i]?.[LONE_PREDICATES] === "+",
  );
  const predicates = words.filter((_, i) => isPredicate[i]);
  const args = edges.map((own) => predicates.map(({ id }) => own.get(id) ?? "_"));
  return { words, edges, isPredicate, args };
}

/** POS is XPOS, arguments are DEPS; predicted columns, senses and predicates without arguments are further columns. */
export function fromConll2009({ comments, rows, line }: Conll2009Sentence, file: string): AnnotatedSentence {
  const predicates = conll2009Predicates(rows);
  const args = rows.map(({ id, apreds }) => ({ id, args: apreds }));
  const { deps, isLone } = predicateGraph(args, predicates, { file, first: line + comments.length });
  return {
    comments,
    line,
    rows: rows.map(({ id, form, lemma, pos, feat, head, deprel }, i) => {
      const columns = { id, form, lemma, xpos: pos, feats: feat, head, deprel };
      return { ...ABSENT, kind: "word", ...columns, deps: deps[i]!.join("|") || "_" };
    }),
    further: rows.map((row): FurtherColumns => {
      const members = Object.entries(PREDICTED).map(([member, name]) => {
        return [name, row[member as keyof typeof PREDICTED]] as const;
      });
      // Arguments without as many predicates cannot be edges.
      const roles =
        predicates.length > 0 ? [] : row.apreds.map((role, p) => [`APRED${p + 1}`, role] as const);
      return {
        [PREDICTED_HEAD]: headText(row.phead),
        ...Object.fromEntries([...members, ...roles]),
        [SENSES]: row.pred,
        [LONE_PREDICATES]: isLone(row.id) ? "+" : "_",
      };
    }),
  };
}

/** Returns the IDs of the predicates, one per column of arguments; none where their numbers differ. */
function conll2009Predicates(rows: Conll2009Sentence["rows"]): number[] {
  const marked = rows.filter(({ fillpred }) => fillpred === "Y");
  const predicates = marked.length > 0 ? marked : rows.filter(({ pred }) => pred !== "_");
  return predicates.length === rows[0]?.apreds.length ? predicates.map(({ id }) => id) : [];
}

export function toConll2009(sentence: AnnotatedSentence): Conll2009Sentence {
  const { comments, line, further } = sentence;
  const { words, isPredicate, args } = predicatesOf(sentence);
  const others = Object.keys(further?.[0] ?? {}).filter((name) => name.startsWith("APRED"));
  const rows = words.map(({ id, form, lemma, upos, xpos, feats, head, deprel }, i) => {
    const columns = further?.[i] ?? {};
    const column = (name: string): string => columns[name] ?? "_";
    return {
      id,
      form,
      lemma,
      plemma: column(PREDICTED.plemma),
      pos: xpos === "_" ? upos : xpos,
      ppos: column(PREDICTED.ppos),
      feat: feats,
      pfeat: column(PREDICTED.pfeat),
      head,
      phead: headNumber(columns[PREDICTED_HEAD]),
      deprel,
      pdeprel: column(PREDICTED.pdeprel),
      fillpred: columns[PREDICTED.fillpred] ?? (isPredicate[i] ? "Y" : "_"),
      pred: column(SENSES),
      apreds: others.length > 0 ? others.map(column) : args[i]!,
    };
  });
  return { comments, rows, line };
}

const SDP_HEADER = "#SDP 2015";

/**
 * POS is XPOS, the ID a comment `# sent_id`, and edges are DEPS: `0:root` for tops. Frames, and predicates without
 * arguments, are further columns.
 */
export function fromSdp(sentence: SdpSentence, file: string): AnnotatedSentence {
  const { rows, line } = sentence;
  const id = sdpId(sentence);
  const others = id === undefined ? sentence.comments : sentence.comments.slice(0, -1);
  const predicates = rows.flatMap(({ pred, id }) => (pred ? [id] : []));
  const place = { file, first: line + sentence.comments.length };
  const { deps, isLone } = predicateGraph(rows, predicates, place);
  return {
    comments: [
      ...others.filter((comment) => !comment.startsWith("#SDP ")),
      ...(id === undefined ? [] : [`# sent_id = ${id}`]),
    ],
    line,
    rows: rows.map(({ id: position, form, lemma, pos, top }, i) => {
      const edges = [...(top ? ["0:root"] : []), ...deps[i]!].join("|") || "_";
      return { ...ABSENT, kind: "word", id: position, form, lemma, xpos: pos, head: -1, deps: edges };
    }),
    further: rows.map((row) => ({ [LONE_PREDICATES]: isLone(row.id) ? "+" : "_", [SENSES]: row.frame })),
  };
}

/** Edges of DEPS from empty nodes, and further edges between two words, are left out. */
export function toSdp(sentence: AnnotatedSentence, isFirst: boolean): SdpSentence {
  const { words, edges, isPredicate, args } = predicatesOf(sentence);
  const rows = words.map(({ id, form, lemma, upos, xpos }, i) => ({
    id,
    form,
    lemma,
    pos: xpos === "_" ? upos : xpos,
    top: edges[i]!.has(0),
    pred: isPredicate[i]!,
    frame: sentence.further?.[i]?.[SENSES] ?? "_",
    args: args[i]!,
  }));
  const id = sentenceId(sentence);
  const comments =
    id === undefined ? [] : [...sentence.comments.filter((comment) => !isId(comment)), `#${id}`];
  return {
    version: 2015,
    comments: isFirst ? [SDP_HEADER, ...comments] : comments,
    rows,
    line: sentence.line,
  };
}

function isId(comment: string): boolean {
  return /^#\s*sent_id\s*=/.test(comment);
}

/** Returns the labels of DEPS by head, the first label of each head that is the root or a word. */
function depsEdges(deps: string, n: number): Map<number, string> {
  const edges = new Map<number, string>();
  if (deps === "_") return edges;
  for (const item of deps.split("|")) {
    const [, head, label] = /^(0|[1-9]\d*):(.+)$/.exec(item) ?? [];
    if (head !== undefined && label !== "_" && Number(head) <= n && !edges.has(Number(head)))
      edges.set(Number(head), label!);
  }
  return edges;
}
