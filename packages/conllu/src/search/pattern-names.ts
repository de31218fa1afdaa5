/* The names of nodes in a pattern, read from its type when it is a literal. */

type Space = " " | "\n" | "\t" | "\r";
type Operator = "<" | ">" | "$" | "." | "-" | "+" | "=" | "!" | "?" | "&" | "|" | ":" | ";" | ",";
type Delimiter = Space | Operator | "(" | ")" | "[" | "]" | "{" | "}";

type TrimStart<Text extends string> = Text extends `${Space}${infer Rest}` ? TrimStart<Rest> : Text;
type TrimEnd<Text extends string> = Text extends `${infer Rest}${Space}` ? TrimEnd<Rest> : Text;

/** The text before the first delimiter. */
type Word<Text extends string, Read extends string = ""> = Text extends `${infer First}${infer Rest}`
  ? First extends Delimiter
    ? Read
    : Word<Rest, `${Read}${First}`>
  : Read;

/** The names behind `}=`. A name behind another `=` is a name of a relation; `==` is an operator. */
type NodeNames<
  Pattern extends string,
  Names extends string = never,
> = Pattern extends `${infer Before}=${infer After}`
  ? After extends `=${infer Rest}`
    ? NodeNames<Rest, Names>
    : NodeNames<After, TrimEnd<Before> extends `${string}}` ? Names | Word<TrimStart<After>> : Names>
  : Names;

type WithoutRegexes<Pattern extends string> = Pattern extends `${infer Before}/${string}/${infer After}`
  ? `${Before}${WithoutRegexes<After>}`
  : Pattern;

type WithoutQuotes<Pattern extends string> = Pattern extends `${infer Before}"${string}"${infer After}`
  ? `${Before}${WithoutQuotes<After>}`
  : Pattern;

/** Whether a pattern has optional relations or alternatives, so that nodes may not be matched. */
type HasChoice<Pattern extends string> =
  WithoutQuotes<WithoutRegexes<Pattern>> extends `${string}${"?" | "|"}${string}` ? true : false;

/**
 * The words that a pattern names, by their names. A word is undefined where the relation that leads to it is
 * optional (`?`) or an alternative (`|`) and not matched.
 *
 * @example
 * type Match = PatternWords<"{upos:VERB}=verb >obj {}=object", string>; // { verb: string, object: string }
 */
export type PatternWords<Pattern extends string, Value> = string extends Pattern
  ? Readonly<Record<string, Value>>
  : { readonly [Name in NodeNames<Pattern>]: HasChoice<Pattern> extends true ? Value | undefined : Value };
