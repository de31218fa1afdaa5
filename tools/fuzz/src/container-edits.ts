import fc from "fast-check";
import { type Container, putTogether, takeApart, withChecksum } from "./container.ts";
import { byteEdits, editBytes, type TextEdits } from "./edits.ts";
import { editJson, type JsonEdit, jsonEdits, pathsOf } from "./json-edits.ts";

interface Listed {
  readonly sections: readonly { readonly name: string; readonly bytes: number }[];
}

/** A change of the section with an index. */
type SectionEdit = readonly [kind: string, at: number, edits: TextEdits["bytes"]];

/** Edits of a container: of `{ kind, sections, header }`, then of sections, then of the bytes of the file. */
export interface ContainerEdits {
  readonly json: readonly JsonEdit[];
  readonly sections: readonly SectionEdit[];
  readonly bytes: TextEdits["bytes"];
  /** Whether length and checksum fit the edited bytes. */
  readonly checksum: boolean;
}

/** Returns edits of the header alone. */
export function headerEdits(json: readonly JsonEdit[]): ContainerEdits {
  return { json, sections: [], bytes: [], checksum: true };
}

interface Section {
  readonly section: Listed["sections"][number];
  readonly body: Uint8Array;
}

const SECTION_EDITS: Readonly<
  Record<string, (all: Section[], at: number, edits: TextEdits["bytes"]) => unknown>
> = {
  drop: (all, at) => all.splice(at, 1),
  twice: (all, at) => all.push(all[at]!),
  more: (all, at) => all.push(renamed(all[at]!, "more")),
  prototype: (all, at) => all.push(renamed(all[at]!, "__proto__")),
  reverse: (all) => all.reverse(),
  /** The bytes change, their listed number does not. */
  edit(all, at, edits) {
    all[at] = { ...all[at]!, body: editBytes(all[at]!.body, edits) };
  },
  resize(all, at, edits) {
    const body = editBytes(all[at]!.body, edits);
    all[at] = { body, section: { ...all[at]!.section, bytes: body.length } };
  },
  /** Bytes change in place. */
  fill(all, at, edits) {
    const { section, body } = all[at]!;
    const copy = body.slice();
    copy.set(editBytes(body, edits).subarray(0, body.length));
    all[at] = { section, body: copy };
  },
};

function renamed({ section, body }: Section, name: string): Section {
  return { section: { ...section, name }, body };
}

/** Returns an arbitrary of edits of a sound file, most of its header. */
export function containerEdits(file: Uint8Array): fc.Arbitrary<ContainerEdits> {
  const { json, bodies } = takeApart(file);
  const none = fc.constant([]);
  const section = fc.tuple(
    ...([fc.constantFrom(...Object.keys(SECTION_EDITS)), fc.nat(bodies.length - 1), byteEdits] as const),
  );
  const sections = fc.array(section, { minLength: 1, maxLength: 2 });
  const sound = { json: none, sections: none, bytes: none, checksum: fc.constant(true) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ ...sound, json: jsonEdits([...pathsOf(json)]) }) },
    { weight: 2, arbitrary: fc.record({ ...sound, sections }) },
    { weight: 2, arbitrary: fc.record({ ...sound, bytes: byteEdits, checksum: fc.boolean() }) },
  );
}

/** Returns a sound file with edits. */
export function editContainer(file: Uint8Array, edits: ContainerEdits): Uint8Array {
  const made = putTogether(editSections(edits.sections, takeApart(file), edits.json));
  const bytes = editBytes(made, edits.bytes);
  return edits.checksum ? withChecksum(bytes) : bytes;
}

function editSections(
  list: ContainerEdits["sections"],
  { json, bodies }: Container,
  edits: readonly JsonEdit[],
): Container {
  const all = (json as Listed).sections.map((section, k) => ({ section, body: bodies[k]! }));
  for (const [kind, at, bytes] of list) if (all.length > 0) SECTION_EDITS[kind]!(all, at % all.length, bytes);
  const sections = all.map(({ section }) => section);
  return {
    json: editJson({ ...(json as object), sections }, edits),
    bodies: all.map(({ body }) => body),
  };
}
