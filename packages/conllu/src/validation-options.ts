import { defineOptions, oneOf, satisfying, string } from "@arcwise/core/options";
import { LanguageLists } from "./language-lists.ts";

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
