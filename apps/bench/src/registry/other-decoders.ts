import { type Decoder, type Decoding, type ParsingProblem, requireDecoder, scoreTree } from "@arcwise/core";
import { loadDecoder } from "@arcwise/parser/node";
import { type Command, InvalidArgumentError } from "commander";
import { type DecoderEntry, decoderEntry } from "./decoders.ts";

/** A decoder of a module given by the user. */
export interface OtherDecoder extends DecoderEntry {
  /** The module as given by the user. */
  readonly module: string;
}

/** Declares `--with`: decoders of modules, besides the registry. */
export function withOthers(command: Command): Command {
  return command.option(
    "--with <module>",
    "also the decoder of this module: a path, or the name of an installed package; may be repeated",
    (module: string, before: readonly string[] = []) => {
      if (module === "") throw new InvalidArgumentError("Expected a module.");
      return [...before, module];
    },
  );
}

/** Loads the decoders of modules as entries. */
export async function otherDecoders(modules: readonly string[] = []): Promise<OtherDecoder[]> {
  const loaded = await Promise.all(modules.map((module) => loadDecoder(module)));
  return loaded.map(({ make: factory, specifier }) => {
    const make = (): Decoder => requireDecoder(factory({ purpose: "parsing", order: 3 }), specifier);
    // It is not assumed to be exact: its scores are compared with the best ones.
    return { ...decoderEntry(make), module: specifier };
  });
}

/** Returns what a decoder handles of a problem; the problem itself if it handles all. */
export function itsPartsOf(decoder: Decoder, problem: ParsingProblem): ParsingProblem {
  const { arcs, arcScores, parts, global } = problem;
  const known = parts.filter(({ kind }) => decoder.handles.has(kind));
  const isGlobal = global !== undefined && decoder.handles.has("global");
  if (known.length === parts.length && isGlobal === (global !== undefined)) return problem;
  return { arcs, arcScores, parts: known, global: isGlobal ? global : undefined };
}

/**
 * Decodes what a decoder handles of a problem; the score counts the whole problem. The bound is of all trees: a decoder of
 * projective trees claims nothing of them.
 */
export function decodeItsParts(decoder: Decoder, problem: ParsingProblem): Decoding {
  const known = itsPartsOf(decoder, problem);
  const { heads, score, bound } = decoder.decode(known);
  if (known !== problem) return { heads, score: scoreTree(problem, heads), bound: Infinity };
  return { heads, score, bound: decoder.trees === "any" ? bound : Infinity };
}
