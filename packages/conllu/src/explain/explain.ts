import { checkArgument, string } from "@arcwise/core/options";
import { FEATURE_PAGES, FEATURE_TERMS, LAYERS } from "./features.ts";
import { RELATION_TERMS, SUBTYPE_PAGES } from "./relations.ts";
import { PENN_TERMS, UPOS_TERMS } from "./tags.ts";

const SITE = "https://universaldependencies.org";

/**
 * Explains a term of Universal Dependencies: a part of speech (`"NOUN"`), a relation with or without a subtype
 * (`"obl"`, `"nsubj:pass"`), a feature with or without a value (`"Number"`, `"Number=Plur"`), or an English tag of
 * the Penn Treebank (`"VBZ"`). Returns its name, a sentence, and the address of its page as the last word; undefined
 * for an unknown term. The case of terms counts: `"DET"` is a part of speech, `"det"` a relation. O(1).
 *
 * @throws ArcwiseError `invalid-argument` when the term is not a string
 *
 * @example
 * explain("amod");
 * // "adjectival modifier: an adjective that modifies a noun, as in 'an old boat'. https://universaldependencies.org/u/dep/amod.html"
 */
export function explain(term: string): string | undefined {
  checkArgument(string, term, "explain: term");
  return (
    tag(UPOS_TERMS, term, `${SITE}/u/pos/${pageOf(term)}.html`) ??
    feature(term) ??
    relation(term) ??
    tag(PENN_TERMS, term, `${SITE}/tagset-conversion/en-penn-uposf.html`)
  );
}

function lookUp<T>(terms: Readonly<Record<string, T>>, term: string): T | undefined {
  return Object.hasOwn(terms, term) ? terms[term] : undefined;
}

/** Names of files that Windows does not allow have an underscore. */
function pageOf(term: string): string {
  return /^aux$/i.test(term) ? `${term}_` : term;
}

function tag(terms: Readonly<Record<string, string>>, term: string, page: string): string | undefined {
  const known = lookUp(terms, term);
  return known && `${known}. ${page}`;
}

/** Explains a relation. An unknown subtype belongs to a language, or is a case in an enhanced graph. */
function relation(term: string): string | undefined {
  const [base = "", ...subtypes] = term.split(":");
  const known = lookUp(RELATION_TERMS, term);
  const universal = lookUp(RELATION_TERMS, base);
  if (universal === undefined) return undefined;
  const page = `${SITE}/u/dep/${SUBTYPE_PAGES.has(term) ? term.replace(":", "-") : pageOf(base)}.html`;
  if (base === "ref") return `${universal}. ${SITE}/u/overview/enhanced-syntax.html`;
  if (known !== undefined) return `${known}. ${page}`;
  if (subtypes.some((subtype) => subtype === "")) return undefined;
  return `${universal.replace(":", `, ${subtypes.join(", ")}:`)}. ${page}`;
}

/** Explains a feature, with values separated by commas: `PronType=Int,Rel`. */
function feature(term: string): string | undefined {
  const [, name = "", layer, values] = /^([A-Z]\w*)(?:\[(\w+)\])?(?:=(\w+(?:,\w+)*))?$/.exec(term) ?? [];
  const known = lookUp(FEATURE_TERMS, name);
  const of = layer === undefined ? "" : lookUp(LAYERS, layer);
  if (known === undefined || of === undefined) return undefined;
  const full = layer === undefined ? name : `${name}[${layer}]`;
  const [title = "", ...meanings] = known.split("; ");
  const named = of === "" ? title : title.replace(":", ` ${of}:`);
  const page = featurePage(full, name, values);
  if (values === undefined) return `${named}. ${page}`;
  const found = values.split(",").map((value) => meaningOf(name, meanings, value));
  return found.includes(undefined) ? undefined : `${named.split(":")[0]}: ${found.join("; or ")}. ${page}`;
}

function meaningOf(name: string, meanings: readonly string[], value: string): string | undefined {
  if (name === "ExtPos") return lookUp(UPOS_TERMS, value)?.split(":")[0];
  return meanings.find((meaning) => meaning.startsWith(`${value} `))?.slice(value.length + 1);
}

function featurePage(full: string, name: string, values: string | undefined): string {
  if (!FEATURE_PAGES.has(name)) return `${SITE}/ext-feat-index.html`;
  const page = `${SITE}/u/feat/${FEATURE_PAGES.has(full) ? full.replace(/\[(\w+)\]/, "-$1") : name}.html`;
  return values === undefined || values.includes(",") ? page : `${page}#${values}`;
}
