import type { Work } from "./work.ts";

/** How a body is streamed. */
export interface StreamOptions {
  /** Bytes that are held back until all of them are there: an error before them has its status. */
  readonly held: number;
  /** Breaks the connection off. */
  readonly breakOff: () => void;
}

/** Milliseconds that a body has to say what ended its work, before the connection is broken off. */
const LAST_WORDS = 1000;

/**
 * Returns the body of an answer that consists of parts, and ends the work after it. An error of the parts that are held back
 * is thrown. A later error breaks the connection off, as does a client that does not read within the limit `seconds`, or
 * after the end of the work by its signal.
 */
export async function streamed(
  blocks: AsyncGenerator<Uint8Array>,
  { held, breakOff }: StreamOptions,
  work: Work,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let isDone = false;
  try {
    do {
      const { done, value } = await blocks.next();
      isDone = done === true;
      if (isDone) break;
      parts.push(value);
      bytes += value.length;
    } while (bytes < held);
  } catch (error) {
    work.end();
    throw error;
  }
  const first = Buffer.concat(parts);
  if (!isDone) return bodyOf(first, blocks, work, breakOff);
  work.end();
  return first;
}

function bodyOf(
  first: Uint8Array,
  blocks: AsyncGenerator<Uint8Array>,
  work: Work,
  breakOff: () => void,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  // A client that does not read would hold its work for ever.
  const breakAfter = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      end();
      breakOff();
      void blocks.return(undefined).catch(() => {});
    }, milliseconds);
  };
  const stop = () => breakAfter(LAST_WORDS);
  const end = () => {
    clearTimeout(timer);
    work.signal.removeEventListener("abort", stop);
    work.end();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(first);
      if (work.signal.aborted) stop();
      else work.signal.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      try {
        if (!work.signal.aborted) clearTimeout(timer);
        const { done, value } = await blocks.next();
        if (done !== true) {
          if (!work.signal.aborted) breakAfter(1000 * work.limits.seconds);
          return controller.enqueue(value);
        }
        end();
        controller.close();
      } catch {
        // The adapter would end the body as if it were complete.
        end();
        breakOff();
      }
    },
    async cancel() {
      end();
      await blocks.return(undefined);
    },
  });
}
