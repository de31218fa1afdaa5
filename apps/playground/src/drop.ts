import { openText } from "./app/documents.ts";
import { reportError } from "./app/store.ts";
import { startModel } from "./model/model.ts";

/**
 * Opens files that are dropped anywhere on the page: a model, or a text.
 *
 * @param setOver is called when files begin or cease to be over the page
 * @returns a function that ends it
 */
export function acceptFiles(setOver: (isOver: boolean) => void): () => void {
  const end = new AbortController();
  const { signal } = end;
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const over = (change: number) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth += change;
    setOver(depth > 0);
  };
  addEventListener("dragenter", over(1), { signal });
  addEventListener("dragleave", over(-1), { signal });
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault(), { signal });
  addEventListener(
    "drop",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      for (const file of event.dataTransfer?.files ?? []) openFile(file).catch(reportError);
    },
    { signal },
  );
  return () => end.abort();
}

/** Opens a file: a model, a package of a model, or a text. */
export async function openFile(file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { modelFile } = await import("./model/model-file.ts");
  const model = await modelFile(bytes);
  if (model === undefined)
    // A byte-order mark is a part of the text, so that files can be saved as they were.
    return openText(file.name, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  startModel({ kind: "file", name: file.name, bytes: model });
}
