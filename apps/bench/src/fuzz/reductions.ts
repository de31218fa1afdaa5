import { Fault, type Outcome } from "./area.ts";
import { type HeaderPatch, patched } from "./corpus.ts";
import { type Forgery, takeApart } from "./forge.ts";
import { decode, encode } from "./mutations.ts";
import { differences, smallestPart } from "./shrink.ts";

/** Tries an input again. */
type Attempt = (input: Uint8Array) => Outcome | Promise<Outcome>;

/** Returns a fault with as few lines of its text as still show it; one without an input as it is. */
export async function withFewerLines(fault: Fault, attempt: Attempt): Promise<Fault> {
  if (fault.input === undefined) return fault;
  const lines = decode(fault.input).split("\n");
  const text = (part: readonly string[]) => encode(part.join("\n"));
  // What is no UTF-8 cannot be cut into lines and put together again.
  if (!Buffer.from(text(lines)).equals(fault.input)) return fault;
  const part = await smallestPart(lines, async (some) => isSame(fault, await faultOf(text(some), attempt)));
  return new Fault(fault.message, text(part), fault.cause);
}

/**
 * Returns a fault with as few changes of its header as still show it, and names them. A fault of other bytes
 * than those of the header stays as it is.
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

/** The patches that make a file of a sound one; undefined when they do not. */
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

/** Whether two faults are of one kind: their messages are the same but for numbers and quoted words. */
function isSame(one: Fault, other: Fault | undefined): boolean {
  return other !== undefined && kindOf(one) === kindOf(other);
}

function kindOf({ message }: Fault): string {
  return message.replaceAll(/"[^"]*"|-?\d+(?:\.\d+)?/g, "").slice(0, 60);
}
