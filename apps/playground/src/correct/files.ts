import { batch } from "@preact/signals";
import { report, reportError } from "../app/store.ts";
import { agreementOf, pairSentences } from "./agreement.ts";
import { contentOf, documentText, type EditDocument, openDocument } from "./document.ts";
import { stopDoubts } from "./doubts.ts";
import { findingsOf } from "./findings.ts";
import { isChanged, markSaved, startHistory } from "./history.ts";
import { addToInventory, newInventory } from "./inventory.ts";
import { listSentences, showSentence } from "./navigation.ts";
import { notesOf, textWithNotes } from "./notes.ts";
import { withKeptNotes } from "./notes-store.ts";
import * as state from "./state.ts";

/** Opens a text as the document. Unsaved changes of the document before are lost if the user agrees. */
export function openFileText(
  name: string,
  content: string | Uint8Array,
  handle?: FileSystemFileHandle,
): void {
  const before = state.history.peek();
  const question = `${before?.document.name} has changes that are not saved. Open ${name} and lose them?`;
  if (before !== undefined && isChanged(before) && !confirm(question)) return;
  let document: EditDocument;
  try {
    document = openDocument(name, content);
  } catch (error) {
    reportError(error);
    return;
  }
  if (document.sentences.length === 0) {
    reportError(new Error(`${name}: expected sentences in CoNLL-U, found none`));
    return;
  }
  stopDoubts();
  const kept = withKeptNotes(document);
  document = kept.document;
  if (kept.left > 0)
    report(`${name}: ${kept.left} notes that were kept in this browser are for other sentences.`);
  batch(() => {
    state.history.value = startHistory(document);
    state.fileHandle.value = handle;
    state.second.value = undefined;
    state.order.value = "file";
    state.filter.value = "";
    listSentences();
    showSentence(document.sentences[0]!.key);
  });
  void index(document);
}

/** Milliseconds of work between two pauses for input. */
const SLICE = 12;

/** Counts the values of a document and finds what breaks rules, in slices so that the page stays responsive. */
async function index(document: EditDocument): Promise<void> {
  const inventory = newInventory();
  state.inventory.value = inventory;
  state.indexed.value = 0;
  let until = performance.now() + SLICE;
  for (const [i, one] of document.sentences.entries()) {
    const { sentence } = contentOf(one);
    if (sentence !== undefined) addToInventory(inventory, sentence);
    findingsOf(one);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (state.inventory.peek() !== inventory) return;
    state.indexed.value = i + 1;
    until = performance.now() + SLICE;
  }
  state.indexed.value = document.sentences.length;
  state.inventory.value = { ...inventory };
}

const TYPES = [{ description: "CoNLL-U", accept: { "text/plain": [".conllu", ".conll", ".txt"] } }];

interface Pickers {
  showOpenFilePicker?: (options: object) => Promise<FileSystemFileHandle[]>;
}

/** Lets the user pick a file, which can be saved in place where the browser allows it. Returns whether it has a picker. */
export async function pickFile(): Promise<boolean> {
  const pick = (globalThis as Pickers).showOpenFilePicker;
  if (pick === undefined) return false;
  try {
    const [handle] = await pick({ types: TYPES });
    if (handle !== undefined) await openHandle(handle);
  } catch (error) {
    if ((error as Error).name !== "AbortError") reportError(error);
  }
  return true;
}

/** Opens the file of a handle. */
export async function openHandle(handle: FileSystemFileHandle): Promise<void> {
  const file = await handle.getFile();
  openFileText(file.name, new Uint8Array(await file.arrayBuffer()), handle);
}

/** Opens a file that cannot be saved in place: saving downloads it. */
export async function openPlainFile(file: File): Promise<void> {
  openFileText(file.name, new Uint8Array(await file.arrayBuffer()));
}

/** Saves the document: into its file, or as a download. Only edited lines differ. */
export async function save(): Promise<void> {
  const history = state.history.peek();
  if (history === undefined) return;
  const { document } = history;
  try {
    const handle = state.fileHandle.peek();
    if (handle === undefined) download(document.name, documentText(document));
    else await writeTo(handle, documentText(document));
    // Edits that were made while the file was written are not in it.
    const now = state.history.peek()!;
    state.history.value =
      now.document === document ? markSaved(now) : { ...now, savedAt: history.past.at(-1) };
    report(`${document.name} is saved.`);
  } catch (error) {
    reportError(error);
  }
}

async function writeTo(handle: FileSystemFileHandle, text: string): Promise<void> {
  // The file is replaced when the stream is closed: a failure leaves it as it was.
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
}

/** Saves the notes: as comments of a copy of the file, or as JSON. */
export function saveNotes(format: "comments" | "json"): void {
  const document = state.treebank.peek();
  if (document === undefined) return;
  const base = document.name.replace(/\.[^.]*$/, "");
  if (format === "comments") download(`${base}.notes.conllu`, textWithNotes(document));
  else download(`${base}.notes.json`, `${JSON.stringify(notesOf(document), undefined, 2)}\n`);
}

/** Offers a text as a file to keep. */
function download(name: string, text: string): void {
  const link = globalThis.document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Opens a second annotation of the document, to be compared with it. */
export async function compareWith(file: File): Promise<void> {
  const document = state.treebank.peek();
  if (document === undefined) return;
  try {
    const other = openDocument(file.name, new Uint8Array(await file.arrayBuffer()));
    const pairs = pairSentences(document, other);
    if (pairs.size === 0)
      throw new Error(
        `${file.name}: expected sentences of ${document.name}, found none with the same sent_id`,
      );
    const both = document.sentences.flatMap((own) => {
      const content = contentOf(own).sentence;
      const same = pairs.get(own.key);
      return content === undefined || same === undefined ? [] : [[content, same] as const];
    });
    state.second.value = { name: file.name, pairs, agreement: agreementOf(both) };
  } catch (error) {
    reportError(error);
  }
}
