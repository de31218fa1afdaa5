import { batch } from "@preact/signals";
import type { HostFile } from "../app/host.ts";
import { report, reportError } from "../app/store.ts";
import { save as saveFile } from "../shared/export.ts";
import { LatestJob } from "../shared/latest.ts";
import { pauses } from "../shared/pauses.ts";
import { agreementOf, commonColumns, pairSentences } from "./agreement.ts";
import { contentOf, documentText, type EditDocument, openDocument } from "./document.ts";
import { stopDoubts } from "./doubts.ts";
import { findingsOf } from "./findings.ts";
import { continued, isChanged, markSaved, startHistory } from "./history.ts";
import { addToInventory, newInventory } from "./inventory.ts";
import { listSentences, showSentence, update } from "./navigation.ts";
import { notesOf, textWithNotes } from "./notes.ts";
import { withKeptNotes } from "./notes-store.ts";
import { handleFile, hostFile, type SavedFile } from "./saved-file.ts";
import * as state from "./state.ts";
import { discardUnsaved, findUnsaved, forgetUnsaved, isBasedOn, keepUnsaved } from "./unsaved.ts";

/** Opens a text as the document. Unsaved changes of the document before are lost if the user agrees. */
export function openFileText(name: string, content: string | Uint8Array, file?: SavedFile): void {
  const before = state.history.peek();
  const question = `${before?.document.name} has changes that are not saved. Open ${name} and lose them?`;
  if (before !== undefined && isChanged(before) && !confirm(question)) return;
  let read: EditDocument;
  try {
    read = openDocument(name, content);
    if (read.sentences.length === 0) throw new Error(`${name}: expected sentences in CoNLL-U, found none`);
  } catch (error) {
    reportError(error);
    return;
  }
  stopDoubts();
  const { document, left } = withKeptNotes(read);
  if (left > 0) report(`${name}: notes for other sentences that were kept in this browser: ${left}`);
  batch(() => {
    state.history.value = startHistory(document);
    state.savedFile.value = file;
    state.second.value = undefined;
    state.order.value = "file";
    state.filter.value = "";
    state.onlyDiffering.value = false;
    listSentences();
    showSentence(document.sentences[0]!.key);
  });
  void continueUnsaved(name, document, file);
  void index(document);
}

/** Offers to go on with edits of a file that were not saved, and keeps the edits to come. */
async function continueUnsaved(name: string, document: EditDocument, file?: SavedFile): Promise<void> {
  const id = file?.id ?? name;
  keepUnsaved(id, document);
  const { edits, isOpenElsewhere } = await findUnsaved(id);
  const opened = state.history.peek();
  if (opened?.document !== document) return; // edited already, or another file
  if (isOpenElsewhere)
    report(`${name} is open in another tab. Of two that are saved, the second is compared with the first.`);
  if (edits === undefined) return;
  const { steps, time } = edits;
  const changes = steps.length === 1 ? "1 change that is" : `${steps.length} changes that are`;
  const found = `${name} has ${changes} not saved, of ${new Date(time).toLocaleString()}.`;
  const after = continued(opened, steps);
  if (isBasedOn(edits, document)) {
    if (confirm(`${found} Continue with them?`)) {
      update(after);
      const key = after.past.at(-1)?.added[0]?.key;
      if (key !== undefined) showSentence(key);
    } else state.history.value = { ...opened };
    await discardUnsaved(edits);
  } else if (file !== undefined) {
    // They stay in the browser until they are refused: comparing takes none of them over.
    if (confirm(`${found} The file has changed since. Compare it with them?`))
      compareWith(`${name}, not saved`, documentText(after.document));
    else await discardUnsaved(edits);
  }
}

/** Counts the values of a document and finds what breaks rules, in slices so that the page stays responsive. */
async function index(document: EditDocument): Promise<void> {
  const inventory = newInventory();
  state.inventory.value = inventory;
  state.indexed.value = 0;
  const pause = pauses();
  for (const [i, one] of document.sentences.entries()) {
    const { sentence } = contentOf(one);
    if (sentence !== undefined) addToInventory(inventory, sentence);
    findingsOf(one);
    if (!(await pause())) continue;
    if (state.inventory.peek() !== inventory) return;
    state.indexed.value = i + 1;
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
  const file = handleFile(handle);
  openFileText(handle.name, await file.read(), file);
}

/** Opens a file of the server of the page, with the annotation to compare it with. */
export async function openHostFile(one: HostFile): Promise<void> {
  try {
    const file = hostFile(one);
    openFileText(one.name, await file.read(), file);
    if (one.gold !== undefined)
      compareWith("the other annotation", await hostFile({ path: one.gold, href: one.gold }).read());
  } catch (error) {
    reportError(error);
  }
}

/** Opens a file that cannot be saved in place: saving downloads it. */
export async function openPlainFile(file: File): Promise<void> {
  openFileText(file.name, new Uint8Array(await file.arrayBuffer()));
}

const savings = new LatestJob();

/** Saves the document: into its file, or as a download. Only edited lines differ. */
export function save(): void {
  savings.run(saveNow);
}

async function saveNow(): Promise<void> {
  const history = state.history.peek();
  if (history === undefined) return;
  const { document } = history;
  const { name } = document;
  try {
    const file = state.savedFile.peek();
    if (file === undefined) download(name, documentText(document));
    else if (!(await file.write(documentText(document)))) {
      // What is read now is the version that saving again replaces.
      compareWith(`${name} on disk`, await file.read());
      throw new Error(
        `${name} is not saved: another program changed the file since it was opened. The differences are listed; saving again replaces the file.`,
      );
    }
    forgetUnsaved(document);
    // Edits that were made while the file was written are not in it.
    state.history.value = markSaved(state.history.peek()!, history);
    report(`${name} is saved.`);
  } catch (error) {
    reportError(error);
  }
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
  saveFile(name, new Blob([text], { type: "text/plain" }));
}

/** Opens a second annotation of the document, to be compared with it. */
export function compareWith(name: string, content: string | Uint8Array): void {
  const document = state.treebank.peek();
  if (document === undefined) return;
  try {
    const other = openDocument(name, content);
    const pairs = pairSentences(document, other);
    if (pairs.size === 0)
      throw new Error(`${name}: expected sentences of ${document.name}, found none with the same sent_id`);
    const both = Array.from(
      pairs,
      ([key, same]) => [contentOf(state.sentenceOf(key)!.sentence).sentence!, same] as const,
    );
    batch(() => {
      state.second.value = { name, columns: commonColumns(both), pairs, agreement: agreementOf(both) };
      state.showsSide.value = true;
    });
  } catch (error) {
    reportError(error);
  }
}
