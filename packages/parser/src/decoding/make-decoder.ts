import { UnsupportedPart } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import { suggestion } from "@arcwise/core/options";
import {
  BUILT_IN_DECODERS,
  type BuiltInDecoder,
  type DecoderFamily,
  type DecoderPurpose,
  decoderNames,
  type SearchOption,
  type SearchOptions,
} from "./decoder-table.ts";

/** The use that a decoder is made for. Plain data. */
export interface PurposeRequest extends SearchOptions {
  readonly purpose: DecoderPurpose;
}

/** Makes a decoder. It receives only the search options that `searchOptions` lists. */
export interface Factory<Decoder, Request> {
  (request: Request): Decoder;
  /** The search options that the decoder takes. Default: none. */
  readonly searchOptions?: readonly SearchOption[] | undefined;
}

/** A factory from the default export of a module, which other threads can load as well. */
export interface FactoryModule<Make> {
  readonly make: Make;
  /** The URL of the module. */
  readonly url: string;
  /** The module as the user specified it. A model stores it for messages. */
  readonly specifier: string;
}

/** The name of a built-in decoder, a decoder, or a factory or module that makes one. */
export type Choice<Decoder, Request> =
  | string
  | Decoder
  | Factory<Decoder, Request>
  | FactoryModule<Factory<Decoder, Request>>;

/** A maker of decoders of trees or of graphs. */
export interface DecoderMaker<Family extends DecoderFamily, Decoder extends object, Request> {
  readonly family: Family;
  /** The factories of the rows of the table. */
  readonly builtIn: Readonly<Record<keyof (typeof BUILT_IN_DECODERS)[Family], (request: Request) => Decoder>>;
  /** Checks what a factory made. */
  readonly check: (value: Decoder, source: string) => Decoder;
}

/** Makes the decoder of a choice. */
export function makeDecoder<Family extends DecoderFamily, D extends object, Request extends PurposeRequest>(
  { family, builtIn, check }: DecoderMaker<Family, D, Request>,
  choice: Choice<D, Request>,
  request: Request,
): D {
  const make = (factory: (request: Request) => D, takes: readonly SearchOption[], source: string): D => {
    const other = searchOptionsIn(request).find((option) => !takes.includes(option));
    if (other !== undefined) throw wrong(other, `${other} ${requirement(family, other)}, got ${source}`);
    return check(factory(request), source);
  };
  if (typeof choice === "string") {
    const names = decoderNames(family, request.purpose);
    if (!names.includes(choice)) {
      const of = family === "graphs" ? " of graphs" : "";
      const known = `there are ${names.join(", ")}${suggestion(choice, names)}`;
      throw wrong("decoder", `no decoder${of} is named "${choice}"; ${known}`);
    }
    const name = choice as keyof typeof builtIn;
    return make(builtIn[name], rowsOf(family)[choice].options, `"${choice}"`);
  }
  if (typeof choice === "function")
    return make(choice, choice.searchOptions ?? [], "the factory of the decoder");
  if (isModule(choice)) return make(choice.make, choice.make.searchOptions ?? [], choice.specifier);
  const [option] = searchOptionsIn(request);
  if (option === undefined) return check(choice, "the option decoder");
  throw wrong(option, `${option} requires the name of a decoder, got a decoder`);
}

/** An option of a decoder that is wrong. */
function wrong(at: string, message: string): ArcwiseError {
  return new ArcwiseError("invalid-option", message, { at });
}

/** Checks that a decoder scores all that a model has. @throws UnsupportedPart */
export function requireScored<Kind extends string>(
  { name, handles }: { readonly name: string; readonly handles: ReadonlySet<Kind> },
  ...kinds: readonly (Iterable<Kind> | false)[]
): void {
  for (const kind of kinds.flatMap((some) => (some === false ? [] : [...some])))
    if (!handles.has(kind)) throw new UnsupportedPart(name, kind, handles);
}

/** Whether a choice is a module that has been loaded. */
export function isModule<Make>(choice: string | object | FactoryModule<Make>): choice is FactoryModule<Make> {
  return typeof choice === "object" && "make" in choice;
}

/** Returns how long "ad3" goes on: whether until a proof, or the maximum number of milliseconds. */
export function exactness({ exact = false, seconds }: SearchOptions): boolean | { milliseconds: number } {
  if (seconds === undefined) return exact;
  if (!exact) throw wrong("seconds", "seconds requires exact: true");
  if (!(seconds > 0)) throw wrong("seconds", `seconds must be above 0, got ${seconds}`);
  return { milliseconds: 1000 * seconds };
}

/** Returns the search options of a request. `exact: false` does not count as one. */
function searchOptionsIn({ restarts, exact, seconds }: SearchOptions): SearchOption[] {
  const given = { restarts: restarts !== undefined, exact: exact === true, seconds: seconds !== undefined };
  return (["restarts", "exact", "seconds"] as const).filter((option) => given[option]);
}

function requirement(family: DecoderFamily, option: SearchOption): string {
  const takers = Object.entries(rowsOf(family)).filter(([, { options }]) => options.includes(option));
  const names = takers.map(([name]) => name);
  return `requires ${names.length > 0 ? `the decoder ${names.join(" or ")}` : "a decoder that takes it"}`;
}

function rowsOf(family: DecoderFamily): Readonly<Record<string, BuiltInDecoder>> {
  return BUILT_IN_DECODERS[family];
}
