import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, string, suggestion } from "@arcwise/core/options";

/** The documents of the folder `data` of the tools of Universal Dependencies, parsed as JSON, by file name. */
export const LIST_FILES = ["feats", "deprels", "edeprels", "data", "tospace"] as const;

/** The rules of a feature in a language. */
export interface FeatureList {
  readonly isPermitted: boolean;
  readonly values: ReadonlySet<string>;
  /** The permitted values, by tag. */
  readonly byTag: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Features, relations and words that a language permits. */
export interface LanguageList {
  readonly features: ReadonlyMap<string, FeatureList>;
  readonly relations: ReadonlySet<string>;
  readonly enhancedRelations: ReadonlySet<string>;
  readonly auxiliaries: ReadonlySet<string>;
  readonly copulas: ReadonlySet<string>;
  /** Matches the words that may have spaces; undefined: none may. */
  readonly spaced: RegExp | undefined;
}

type Entries = Readonly<Record<string, unknown>>;

/**
 * The features, relations, auxiliaries and words with spaces that Universal Dependencies lists by language: the data of
 * levels 4 and 5. Made from the JSON files of https://github.com/UniversalDependencies/tools/tree/master/data.
 *
 * @example
 * const lists = new LanguageLists({ feats, deprels, edeprels, data, tospace }); // each from JSON.parse
 * for (const { message } of validate(sentences, { language: "en", lists })) console.log(message);
 */
export class LanguageLists {
  readonly #documents: Readonly<Record<(typeof LIST_FILES)[number], Entries>>;
  readonly #known = new Map<string, LanguageList>();

  constructor(documents: Readonly<Record<(typeof LIST_FILES)[number], unknown>>) {
    const of = (name: (typeof LIST_FILES)[number], member: string) =>
      entries(entries(entries(documents, "")[name], name)[member], `${name}.json: ${member}`);
    this.#documents = {
      feats: of("feats", "features"),
      deprels: of("deprels", "deprels"),
      edeprels: of("edeprels", "edeprels"),
      data: of("data", "auxiliaries"),
      tospace: of("tospace", "expressions"),
    };
  }

  /** Returns what a language permits. @throws ArcwiseError `invalid-argument` for a language that is not listed */
  listed(language: string): LanguageList {
    checkArgument(string, language, "LanguageLists: language");
    const languages = this.#documents.deprels;
    if (!Object.hasOwn(languages, language))
      throw invalidArgument(
        "language",
        `a language code of Universal Dependencies such as en${suggestion(language, Object.keys(languages))}`,
        describeValue(language),
      );
    return this.of(language);
  }

  /** Returns what a language permits: nothing if it is not listed. */
  of(language: string): LanguageList {
    const list = this.#known.get(language) ?? this.#read(language);
    this.#known.set(language, list);
    return list;
  }

  #read(language: string): LanguageList {
    const of = (name: (typeof LIST_FILES)[number]) =>
      Object.hasOwn(this.#documents[name], language)
        ? Object.entries(entries(this.#documents[name][language], `${name}.json: ${language}`))
        : [];
    const relations = new Set<string>();
    for (const [relation, entry] of of("deprels"))
      if (entries(entry, relation).permitted === 1) relations.add(relation);
    const verbs = of("data").map(([lemma, entry]) => [lemma, functionsOf(entry)] as const);
    const spaced = of("tospace").map(([expression]) => expression);
    return {
      features: new Map(of("feats").map(([name, entry]) => [name, featureList(entries(entry, name))])),
      relations,
      enhancedRelations: enhancedRelations(relations, of("edeprels")),
      auxiliaries: new Set(
        verbs.filter(([, uses]) => uses.some((use) => use !== "cop.PRON")).map(([lemma]) => lemma),
      ),
      copulas: new Set(
        verbs.filter(([, uses]) => uses.some((use) => use.startsWith("cop."))).map(([lemma]) => lemma),
      ),
      spaced: spaced.length === 0 ? undefined : expression(`^(?:${spaced.join("|")})$`),
    };
  }
}

function expression(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    throw invalidArgument("tospace.json", "regular expressions", describeValue(source));
  }
}

function functionsOf(entry: unknown): string[] {
  const uses = entries(entry, "auxiliary").functions;
  return Array.isArray(uses) ? uses.map((use) => `${entries(use, "function").function}`) : [];
}

function featureList(entry: Entries): FeatureList {
  const values = ["uvalues", "lvalues", "unused_uvalues", "unused_lvalues"].flatMap((name) =>
    Array.isArray(entry[name]) ? entry[name].map(String) : [],
  );
  const byTag = Object.entries(entries(entry.byupos, "byupos")).map(([tag, permitted]) => {
    const used = Object.entries(entries(permitted, tag)).filter(([, isPermitted]) => isPermitted !== 0);
    return [tag, new Set(used.map(([value]) => value))] as const;
  });
  return { isPermitted: entry.permitted !== 0, values: new Set(values), byTag: new Map(byTag) };
}

/** Returns the permitted relations, `ref`, controlled subjects, and relations with the case markers that extend them. */
function enhancedRelations(
  relations: ReadonlySet<string>,
  markers: readonly (readonly [string, unknown])[],
): ReadonlySet<string> {
  const all = new Set([...relations, "ref"]);
  for (const relation of relations) if (/^[nc]subj(?::|$)/.test(relation)) all.add(`${relation}:xsubj`);
  for (const [marker, entry] of markers) {
    const extended = entries(entry, marker).extends;
    for (const base of Array.isArray(extended) ? extended.map(String) : [])
      for (const relation of relations)
        if (relation === base || relation.startsWith(`${base}:`)) all.add(`${relation}:${marker}`);
  }
  return all;
}

function entries(value: unknown, what: string): Entries {
  if (typeof value === "object" && value !== null) return value as Entries;
  throw invalidArgument(
    "LanguageLists",
    `an object${what === "" ? "" : ` as ${what}`}`,
    describeValue(value),
  );
}
