import {
  checkOptions,
  defineOptions,
  type OptionsOf,
  oneOf,
  satisfying,
  string,
} from "@arcwise/core/options";
import { LanguageLists } from "./language-lists.ts";
import { type Level, RULES, type RuleName } from "./rules.ts";

/** The options that say which rules are checked. */
export const RULE_OPTIONS = defineOptions({
  level: {
    check: oneOf(1, 2, 3, 4, 5),
    help: "highest level of rules that are checked; 4 and 5 require lists",
    defaultHelp: "5 with lists, otherwise 3",
  },
  language: { check: string, help: "code of the language, such as en" },
  lists: {
    check: satisfying<LanguageLists>("LanguageLists", (value) => value instanceof LanguageLists),
    help: "what languages permit; requires language",
  },
});

/** Tests of the validator of Universal Dependencies that are not run. */
export interface UncheckedTests {
  readonly level: number;
  /** Their IDs. */
  readonly tests: readonly string[];
  readonly why: string;
}

/** Tests of `validate.py --coref`. */
const COREFERENCE =
  "bridge-relation-mismatch bridge-without-entity cross-sentence-mention crossing-mentions-same-entity " +
  "entity-across-newdoc entity-identity-mismatch entity-mwt entity-type-mismatch entity-without-global-entity " +
  "global-entity-mismatch ill-nested-entities ill-nested-entities-warning mention-attribute-mismatch " +
  "mention-head-out-of-range misplaced-bridge-statement misplaced-mention-part misplaced-splitante-statement " +
  "multiple-bridge-statements multiple-entity-statements multiple-splitante-statements only-one-split-antecedent " +
  "repeated-bridge-relation repeated-splitante-relation same-span-entity-mentions split-antecedent-mismatch " +
  "splitante-without-entity spurious-bridge-relation spurious-bridge-statement spurious-entity-id " +
  "spurious-entity-statement spurious-entity-type spurious-global-entity spurious-mention-head " +
  "spurious-splitante-relation spurious-splitante-statement too-many-entity-attributes";

/**
 * Returns the tests of the validator of Universal Dependencies that `validate` does not run with these options, by
 * level: those above the level, and those of coreference.
 *
 * @example
 * uncheckedTests().map(({ level }) => level); // [4, 5, 6]
 */
export function uncheckedTests(options?: OptionsOf<typeof RULE_OPTIONS>): UncheckedTests[] {
  const { level, lists } = checkOptions(RULE_OPTIONS, options, "uncheckedTests");
  const highest = highestLevel(level, lists !== undefined);
  const above = ([2, 3, 4, 5] as const).filter((other) => other > highest);
  const unchecked = above.map((other) => ({
    level: other,
    tests: (Object.keys(RULES) as RuleName[]).filter((name) => RULES[name].level === other),
    why: other > 3 && lists === undefined ? "without the lists of a language" : `above level ${highest}`,
  }));
  return [...unchecked, { level: 6, tests: COREFERENCE.split(" "), why: "coreference" }];
}

/** Returns the highest level that is checked: by default all that can be. */
export function highestLevel(level: Level | undefined, hasLists: boolean): Level {
  return level ?? (hasLists ? 5 : 3);
}
