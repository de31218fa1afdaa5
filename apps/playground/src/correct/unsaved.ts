import { effect } from "@preact/signals";
import { documentText, type EditDocument } from "./document.ts";
import { type EditHistory, type Step, unsavedSteps } from "./history.ts";
import * as state from "./state.ts";

/** Edits of a document that are not saved, as this browser keeps them. */
export interface UnsavedEdits {
  /** The text that they change. */
  readonly base: string;
  readonly steps: readonly Step[];
  /** When they were kept, in milliseconds since 1970. */
  readonly time: number;
}

/** A document whose edits are kept: by the ID of its file, and by the text that is in the file. */
interface KeptDocument {
  readonly id: string;
  base: string;
}

let kept: KeptDocument | undefined;

/** Returns a short name of a text, which changes with it. O(length). */
function fingerprint(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return `${text.length} ${hash}`;
}

/** Returns the edits of a file that were kept; undefined if there are none, or if they are of another version of the file. */
export async function findUnsaved(id: string, document: EditDocument): Promise<UnsavedEdits | undefined> {
  const found = (await inStore("readonly", (store) => store.get(id))) as UnsavedEdits | undefined;
  return found?.base === fingerprint(documentText(document)) ? found : undefined;
}

/** Keeps the edits of a document from now on. A page without IndexedDB keeps none. */
export function keepUnsaved(id: string, document: EditDocument): void {
  kept = { id, base: fingerprint(documentText(document)) };
}

/** Forgets the edits of a document that was just saved. */
export function forgetUnsaved(saved: EditDocument): void {
  if (kept !== undefined) kept.base = fingerprint(documentText(saved));
}

/** Stores the edits after each one. */
effect(() => {
  const history = state.history.value;
  if (history !== undefined && kept !== undefined) void keep(kept, history);
});

async function keep({ id, base }: KeptDocument, history: EditHistory): Promise<void> {
  const steps = unsavedSteps(history);
  const edits: UnsavedEdits = { base, steps, time: Date.now() };
  await inStore("readwrite", (store) => (steps.length === 0 ? store.delete(id) : store.put(edits, id)));
}

const STORE = "unsaved";
let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("arcwise", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Asks the store; resolves to undefined in a browser that keeps nothing. */
async function inStore(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  try {
    opened ??= openDatabase();
    const database = await opened;
    const request = ask(database.transaction(STORE, mode).objectStore(STORE));
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}
