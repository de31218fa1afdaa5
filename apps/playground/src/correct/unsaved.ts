import { effect } from "@preact/signals";
import { documentText, type EditDocument } from "./document.ts";
import { type EditHistory, type Step, unsavedSteps } from "./history.ts";
import * as state from "./state.ts";

/** Edits of a document that are not saved, as this browser keeps them. */
export interface UnsavedEdits {
  /** The file and the tab. */
  readonly key: string;
  /** A fingerprint of the text that they change. */
  readonly base: string;
  readonly steps: readonly Step[];
  /** When they were kept, in milliseconds since 1970. */
  readonly time: number;
}

/** Edits of a file that the browser keeps. */
export interface FoundUnsaved {
  /** The last edits of a tab that has ended. */
  readonly edits: UnsavedEdits | undefined;
  /** Whether another tab has the file open: its edits are not ours. */
  readonly isOpenElsewhere: boolean;
}

/** A document whose edits are kept: by its file and this tab, and by the text that is in the file. */
interface KeptDocument {
  readonly key: string;
  base: string;
  /** Says to other tabs that this tab has closed the file. */
  readonly release: () => void;
}

/** Separates the ID of a file from the name of a tab. */
const SEPARATOR = "\0";
const TAB = Math.random().toString(36).slice(2);
let kept: KeptDocument | undefined;

/** Returns a short name of a text, which changes with it. O(length). */
function fingerprint(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return `${text.length} ${hash}`;
}

/** Whether edits change the text of a document: of another version of the file, they do not. */
export function isBasedOn({ base }: UnsavedEdits, document: EditDocument): boolean {
  return base === fingerprint(documentText(document));
}

/** Returns what the browser keeps of a file. A page without IndexedDB keeps nothing. */
export async function findUnsaved(id: string): Promise<FoundUnsaved> {
  const keys = IDBKeyRange.bound(id + SEPARATOR, `${id}${SEPARATOR}\uffff`);
  const found = ((await inStore("readonly", (store) => store.getAll(keys))) ?? []) as UnsavedEdits[];
  // A page that was not loaded from a safe address does not know of other tabs.
  const held = (await navigator.locks?.query())?.held ?? [];
  const isOther = (key = "") => key.startsWith(id + SEPARATOR) && key !== id + SEPARATOR + TAB;
  const open = new Set(held.map(({ name }) => name).filter(isOther));
  const ended = found.filter(({ key }) => !open.has(key)).sort((a, b) => a.time - b.time);
  return { edits: ended.at(-1), isOpenElsewhere: open.size > 0 };
}

/** Keeps the edits of a document from now on, and notifies other tabs that this tab has it open. */
export function keepUnsaved(id: string, document: EditDocument): void {
  const key = id + SEPARATOR + TAB;
  kept?.release();
  const closed = new AbortController();
  const { signal } = closed;
  navigator.locks
    ?.request(
      key,
      { signal },
      () => new Promise<void>((end) => signal.addEventListener("abort", () => end())),
    )
    .catch(() => {});
  kept = { key, base: fingerprint(documentText(document)), release: () => closed.abort() };
}

/** Forgets edits of a tab that has ended. */
export async function discardUnsaved({ key }: UnsavedEdits): Promise<void> {
  if (key !== kept?.key) await inStore("readwrite", (store) => store.delete(key));
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

async function keep({ key, base }: KeptDocument, history: EditHistory): Promise<void> {
  const steps = unsavedSteps(history);
  const edits: UnsavedEdits = { key, base, steps, time: Date.now() };
  await inStore("readwrite", (store) => (steps.length === 0 ? store.delete(key) : store.put(edits, key)));
}

const STORE = "unsaved";
let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open("arcwise", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
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
    return await resultOf(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } catch {
    return undefined;
  }
}
