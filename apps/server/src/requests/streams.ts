import type { Work } from "./work.ts";

/** UTF-16 code units that are written at once. */
const BLOCK = 2 ** 14;

/** Joins texts that are there at the same time: an answer is written in few pieces, and each text at once. */
export async function* coalesced(texts: AsyncIterator<string>): AsyncGenerator<string> {
  const nextText = () => {
    const next = texts.next();
    // Its error is met when its turn comes.
    next.catch(() => {});
    return next;
  };
  let next = nextText();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      let block = value;
      next = nextText();
      while (block.length < BLOCK) {
        const ready = await Promise.race([next, otherEvents()]);
        if (ready === undefined || ready.done === true) break;
        block += ready.value;
        next = nextText();
      }
      yield block;
    }
  } finally {
    void texts.return?.().catch(() => {});
  }
}

function otherEvents(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined));
}

/** How a body is streamed. */
export interface StreamOptions {
  /** UTF-16 code units that are held back until all of them are there: an error before them has its status. */
  readonly held: number;
  /** Breaks the connection off. */
  readonly breakOff: () => void;
}

/** Milliseconds that a body has to say what ended its work, before the connection is broken off. */
const LAST_WORDS = 1000;

/**
 * Returns the body of an answer that consists of texts, and ends the work after it. An error of the texts that are held back is thrown. A
 * later error breaks the connection off, as does the end of the work by its signal while the client does not read.
 */
export async function streamed(
  texts: AsyncGenerator<string>,
  { held, breakOff }: StreamOptions,
  work: Work,
): Promise<string | ReadableStream<Uint8Array>> {
  const blocks = coalesced(texts);
  let first = "";
  let isDone = false;
  try {
    do {
      const { done, value } = await blocks.next();
      isDone = done === true;
      if (!isDone) first += value;
    } while (!isDone && first.length < held);
  } catch (error) {
    work.end();
    throw error;
  }
  if (!isDone) return bodyOf(first, blocks, work, breakOff);
  work.end();
  return first;
}

function bodyOf(
  first: string,
  blocks: AsyncGenerator<string>,
  work: Work,
  breakOff: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const end = () => {
    clearTimeout(timer);
    work.signal.removeEventListener("abort", stop);
    work.end();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
      // A client that does not read would hold its work for ever.
      stop = () => {
        timer = setTimeout(() => {
          end();
          breakOff();
          void blocks.return(undefined).catch(() => {});
        }, LAST_WORDS);
      };
      if (work.signal.aborted) stop();
      else work.signal.addEventListener("abort", stop, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await blocks.next();
        if (done !== true) return controller.enqueue(encoder.encode(value));
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
