import { quote } from "./error.ts";
import { miscValue } from "./misc.ts";
import { Projectivity } from "./projectivity.ts";
import {
  hasFeature,
  isNominal,
  marksClause,
  mayHaveChild,
  relationRule,
  tagRules,
  uniqueFunction,
  universal,
  usedTag,
} from "./relations.ts";
import type { Report } from "./rows.ts";
import type { RuleName } from "./rules.ts";
import type { ConlluSentence, WordRow } from "./types.ts";
import { rowsWithLines } from "./write.ts";

/** A word of a sound tree. */
interface Node {
  readonly row: WordRow;
  readonly line: number;
  /** The relation without its subtype. */
  readonly relation: string;
  /** In the order of the words. */
  readonly children: Node[];
  head: Node | undefined;
}

/** Reports a rule at a word, with what was expected and found. */
type ReportNode = (node: Node, rule: RuleName, expected: string, found: string) => void;

/**
 * Checks a sentence whose heads form a tree against the guidelines of all languages: the tests of level 3 of the
 * validator of Universal Dependencies, but those on the root and on DEPS. O(n log n) for n words, and for
 * punctuation that other arcs cross, O(n) each.
 *
 * @param ifFeatures reports what is only wrong in a file with features
 */
export function checkTreeRules(sentence: ConlluSentence, report: Report, ifFeatures: Report): void {
  const nodes = treeNodes(sentence);
  const to =
    (target: Report): ReportNode =>
    (node, rule, expected, found) =>
      target(rule, node.line, expected, found);
  const reportNode = to(report);
  const reportFeature = to(ifFeatures);
  const projectivity = new Projectivity([-1, ...nodes.map(({ row }) => row.head)]);
  for (const node of nodes) {
    checkFeatures(node, reportNode, reportFeature);
    checkTag(node, reportNode);
    checkDirection(node, reportNode);
    checkUnique(node, reportNode);
    checkHead(node, reportNode);
    checkLeaf(node, projectivity, reportNode);
    checkFixed(node, nodes, reportNode);
    checkGoeswith(node, reportNode, reportFeature);
    checkPunctuation(node, projectivity, reportNode);
  }
}

function treeNodes(sentence: ConlluSentence): Node[] {
  const nodes: Node[] = [];
  for (const [row, line] of rowsWithLines(sentence)) {
    if (row.kind !== "word") continue;
    nodes.push({ row, line, relation: universal(row.deprel), children: [], head: undefined });
  }
  for (const node of nodes) {
    node.head = nodes[node.row.head - 1];
    node.head?.children.push(node);
  }
  return nodes;
}

function checkFeatures(node: Node, report: ReportNode, reportFeature: ReportNode): void {
  const { upos, feats, deprel } = node.row;
  if ((upos === "PRON" || upos === "DET") && !/(?:^|\|)PronType=/.test(feats))
    reportFeature(node, "pron-det-without-prontype", "PronType", quote(feats));
  if (hasFeature(node.row, "VerbForm=Fin") && !/(?:^|\|)Mood=/.test(feats))
    report(node, "verbform-fin-without-mood", "Mood", quote(feats));
  if (deprel !== "flat:foreign") return;
  for (const part of [node, node.head]) {
    if (part === undefined || (part.row.upos === "X" && part.row.feats === "Foreign=Yes")) continue;
    report(part, "flat-foreign-upos-feats", "X Foreign=Yes", `${part.row.upos} ${quote(part.row.feats)}`);
  }
}

function checkTag(node: Node, report: ReportNode): void {
  const { row, relation, children } = node;
  const tag = usedTag(row);
  const hasChild = (name: string) => children.some((child) => child.relation === name);
  for (const rule of tagRules(relation, tag)) {
    if (rule === "rel-upos-advmod" && hasChild("goeswith")) continue;
    report(node, rule, expectedTag(rule, relation), `${quote(tag)} with ${row.deprel}`);
  }
  if (tag === "PROPN" && relation !== "fixed" && hasChild("fixed"))
    report(node, "rel-upos-fixed", "a tag other than PROPN", "PROPN with a child that is fixed");
  if (hasChild("fixed") && !/(?:^|\|)ExtPos=/.test(row.feats))
    report(node, "fixed-without-extpos", "ExtPos", quote(row.feats));
}

function expectedTag(rule: RuleName, relation: string): string {
  if (rule === "upos-rel-punct") return "punct or root";
  const { names, isExcluded } = relationRule(relation)!.tags!;
  return `${isExcluded ? "a tag other than " : ""}${[...names].join(", ")}`;
}

function checkDirection(node: Node, report: ReportNode): void {
  const rule = relationRule(node.relation)?.direction;
  const { id, head } = node.row;
  if (rule === undefined || head < id) return;
  report(node, rule, `a head before word ${id}`, `${head}`);
}

function checkUnique(node: Node, report: ReportNode): void {
  const found = { subject: [] as number[], object: [] as number[] };
  for (const { row } of node.children) {
    const unique = uniqueFunction(row.deprel);
    if (unique === undefined) continue;
    if (unique === "object" || miscValue(row.misc, "Subject") !== "Outer") found[unique].push(row.id);
  }
  const words = (ids: readonly number[]) => `words ${ids.join(", ")}`;
  if (found.subject.length > 1) report(node, "too-many-subjects", "one subject", words(found.subject));
  if (found.object.length > 1) report(node, "too-many-objects", "one object", words(found.object));
}

/** Heads of `orphan`: what a clause, or a part of a coordination, is. */
const ORPHAN_HEADS: ReadonlySet<string> = new Set(
  "conj parataxis root csubj ccomp advcl acl reparandum".split(" "),
);

/** Checks relations that few heads have. */
function checkHead(node: Node, report: ReportNode): void {
  const { head, relation } = node;
  if (head === undefined) return;
  if (relation === "orphan" && !ORPHAN_HEADS.has(head.relation))
    report(node, "orphan-parent", `a head with ${[...ORPHAN_HEADS].join(", ")}`, head.relation);
  if (relation !== "obl" || !isNominal(head.row)) return;
  if (head.children.some((child) => marksClause(child.relation))) return;
  report(
    node,
    "obl-should-be-nmod",
    "nmod",
    `obl of word ${head.row.id}, ${head.row.upos} with ${head.relation}`,
  );
}

function checkLeaf(node: Node, projectivity: Projectivity, report: ReportNode): void {
  const leaf = relationRule(node.relation)?.children;
  if (leaf === undefined) return;
  for (const child of node.children) {
    if (mayHaveChild(node.row, child.row)) continue;
    // Punctuation may depend on a function word, unless it could depend on another word without crossing arcs.
    if (child.relation === "punct" && projectivity.hasGap(node.row.id)) continue;
    const expected = `children of ${node.relation} with these relations: ${[...leaf.names].join(", ") || "none"}`;
    report(child, leaf.rule, expected, quote(child.row.deprel));
  }
}

function checkFixed(node: Node, nodes: readonly Node[], report: ReportNode): void {
  const last = node.children.findLast((child) => child.relation === "fixed");
  if (last === undefined) return;
  for (let id = node.row.id + 1; id < last.row.id; id++) {
    const between = nodes[id - 1]!;
    if (between.relation === "punct" || (between.head === node && between.relation === "fixed")) continue;
    report(node, "fixed-gap", "words with fixed, and punctuation", `word ${id}`);
    return;
  }
}

function checkGoeswith(node: Node, report: ReportNode, reportFeature: ReportNode): void {
  const { row, relation } = node;
  if (relation === "goeswith") {
    if (row.lemma !== "_") report(node, "goeswith-lemma", "_", quote(row.lemma));
    if (row.feats !== "_") report(node, "goeswith-feats", "_", quote(row.feats));
    const edge = `${row.head}:${row.deprel}`;
    if (row.deps !== "_" && row.deps !== edge) report(node, "goeswith-edeps", edge, quote(row.deps));
  }
  const parts = node.children.filter((child) => child.relation === "goeswith");
  if (parts.length === 0) return;
  if (parts.some((part, i) => part.row.id !== row.id + 1 + i)) {
    const ids = parts.map((part) => part.row.id).join(", ");
    report(node, "goeswith-gap", `words ${row.id + 1} to ${row.id + parts.length}`, `words ${ids}`);
  }
  const whole = [node, ...parts].sort((a, b) => a.row.id - b.row.id);
  const joined = whole.slice(0, -1).find((part) => miscValue(part.row.misc, "SpaceAfter") === "No");
  if (joined !== undefined)
    report(node, "goeswith-nospace", "spaces", `no space after word ${joined.row.id}`);
  if (!hasFeature(row, "Typo=Yes"))
    reportFeature(node, "goeswith-missing-typo", "Typo=Yes", quote(row.feats));
}

function checkPunctuation(node: Node, projectivity: Projectivity, report: ReportNode): void {
  if (node.relation !== "punct") return;
  const { id, head } = node.row;
  const crossing = projectivity.crossedBy(id);
  if (crossing > 0)
    report(
      node,
      "punct-causes-nonproj",
      "an arc that crosses no other",
      `${head} -> ${id} crosses the arc of word ${crossing}`,
    );
  if (projectivity.hasGap(id))
    report(node, "punct-is-nonproj", `words from ${head} to ${id} that depend on ${head}`, "others");
}
