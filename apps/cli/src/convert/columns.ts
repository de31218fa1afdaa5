import {
  type Columns,
  type parseConll2009,
  type parseConllX,
  type SdpSentence,
  sdpId,
  sentenceId,
  type WordRow,
} from "@arcwise/conllu";
import type { AnnotatedSentence, FurtherColumns } from "./annotated.ts";

type ConllXSentence = ReturnType<typeof parseConllX>[number];
type Conll2009Sentence = ReturnType<typeof parseConll2009>[number];

const ABSENT: Columns = {
  form: "_",
  lemma: "_",
  upos: "_",
  xpos: "_",
  feats: "_",
  deprel: "_",
  deps: "_",
  misc: "_",
};

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
  pred: "PRED of CoNLL-2009",
} as const;
const PREDICTED_HEAD = "predicted HEAD";

/** POS is XPOS; predicted columns, predicates and their arguments are further columns. */
export function fromConll2009({ comments, rows, line }: Conll2009Sentence): AnnotatedSentence {
  return {
    comments,
    line,
    rows: rows.map(({ id, form, lemma, pos, feat, head, deprel }) => {
      return { ...ABSENT, kind: "word", id, form, lemma, xpos: pos, feats: feat, head, deprel };
    }),
    further: rows.map((row): FurtherColumns => {
      const members = Object.entries(PREDICTED).map(([member, name]) => {
        return [name, row[member as keyof typeof PREDICTED]] as const;
      });
      const roles = row.apreds.map((role, p) => [`APRED${p + 1}`, role] as const);
      return { [PREDICTED_HEAD]: headText(row.phead), ...Object.fromEntries([...members, ...roles]) };
    }),
  };
}

export function toConll2009(sentence: AnnotatedSentence): Conll2009Sentence {
  const { comments, line, further } = sentence;
  const predicates = Object.keys(further?.[0] ?? {}).filter((name) => name.startsWith("APRED"));
  const rows = wordsOf(sentence).map(({ id, form, lemma, upos, xpos, feats, head, deprel }, i) => {
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
      fillpred: column(PREDICTED.fillpred),
      pred: column(PREDICTED.pred),
      apreds: predicates.map(column),
    };
  });
  return { comments, rows, line };
}

const SDP_HEADER = "#SDP 2015";

/**
 * POS is XPOS, the ID a comment `# sent_id`, and edges are DEPS: `0:root` for tops. Frames, and predicates without
 * arguments, are further columns.
 */
export function fromSdp(sentence: SdpSentence): AnnotatedSentence {
  const { rows, line } = sentence;
  const id = sdpId(sentence);
  const others = id === undefined ? sentence.comments : sentence.comments.slice(0, -1);
  const predicates = rows.filter(({ pred }) => pred);
  const hasArguments = predicates.map((_, p) => rows.some(({ args }) => args[p] !== "_"));
  return {
    comments: [
      ...others.filter((comment) => !comment.startsWith("#SDP ")),
      ...(id === undefined ? [] : [`# sent_id = ${id}`]),
    ],
    line,
    rows: rows.map((row) => {
      const edges = predicates.flatMap((head, p) =>
        row.args[p] === "_" ? [] : [`${head.id}:${row.args[p]}`],
      );
      const deps = [...(row.top ? ["0:root"] : []), ...edges].join("|") || "_";
      const { id: position, form, lemma, pos } = row;
      return { ...ABSENT, kind: "word", id: position, form, lemma, xpos: pos, head: -1, deps };
    }),
    further: rows.map((row) => ({
      "PRED of SDP": row.pred && !hasArguments[predicates.indexOf(row)] ? "+" : "_",
      FRAME: row.frame,
    })),
  };
}

/** Edges of DEPS from empty nodes, and further edges between two words, are left out. */
export function toSdp(sentence: AnnotatedSentence, isFirst: boolean): SdpSentence {
  const words = wordsOf(sentence);
  const edges = words.map(({ deps }) => depsEdges(deps, words.length));
  const isPredicate = words.map(({ id }, i) => {
    return sentence.further?.[i]?.["PRED of SDP"] === "+" || edges.some((own) => own.has(id));
  });
  const predicates = words.filter((_, i) => isPredicate[i]);
  const rows = words.map(({ id, form, lemma, upos, xpos }, i) => ({
    id,
    form,
    lemma,
    pos: xpos === "_" ? upos : xpos,
    top: edges[i]!.has(0),
    pred: isPredicate[i]!,
    frame: sentence.further?.[i]?.FRAME ?? "_",
    args: predicates.map((head) => edges[i]!.get(head.id) ?? "_"),
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
