import { Fault, type Outcome } from "./area.ts";
import { type HeaderPatch, patched } from "./corpus.ts";
import { type Forgery, takeApart } from "./forge.ts";
import { decode, encode } from "./mutations.ts";
import { differences, smallestPart } from "./shrink.ts";

/** Tries an input again. */
type Attempt = (input: Uint8Array) => Outcome | Promise<Outcome>;

/** Returns a fault with a minimal set of the lines of its text; unchanged if it has no input. */
export async function withFewerLines(fault: Fault, attempt: Attempt): Promise<Fault> {
  if (fault.input === undefined) return fault;
  const lines = decode(fault.input).split("\n");
  const text = (part: readonly string[]) => encode(part.join("\n"));
  // Input that is not UTF-8 cannot be split into lines and joined again.
  if (!Buffer.from(text(lines)).equals(fault.input)) return fault;
  const part = await smallestPart(lines, async (some) => isSame(fault, await faultOf(text(some), attempt)));
  return new Fault(fault.message, text(part), fault.cause);
}

/**
 * Returns a fault with a minimal set of changes of its header, listed in the message. Faults in other bytes
 * are returned unchanged.
 */
export async function withFewerPatches(fault: Fault, sound: Forgery, attempt: Attempt): Promise<Fault> {
  const patches = fault.input && patchesOf(fault.input, sound);
  if (patches === undefined) return fault;
  const shows = async (some: readonly HeaderPatch[]) =>
    isSame(fault, await faultOf(patched(sound, some), attempt));
  if (!(await shows(patches))) return fault;
  const part = await smallestPart(patches, shows);
  const told = `${fault.message}; patches of a sound file: ${JSON.stringify(part).slice(0, 2000)}`;
  return new Fault(told, patched(sound, part), fault.cause);
}

/** Returns the patches that turn a sound file into an input; undefined if no patches do. */
function patchesOf(input: Uint8Array, sound: Forgery): HeaderPatch[] | undefined {
  try {
    const patches = differences(sound.json, takeApart(input).json);
    return Buffer.from(patched(sound, patches)).equals(input) ? patches : undefined;
  } catch {
    return undefined;
  }
}

async function faultOf(input: Uint8Array, attempt: Attempt): Promise<Fault | undefined> {
  try {
    await attempt(input);
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error : undefined;
  }
}

/** Returns whether the messages of two faults are equal except for numbers and quoted words. */
function isSame(one: Fault, other: Fault | undefined): boolean {
  return other !== undefined && kindOf(one) === kindOf(other);
}

function kindOf({ message }: Fault): string {
  return message.replaceAll(/"[^"]*"|-?\d+(?:\.\d+)?/g, "").slice(0, 60);
}
