import type { ConlluSentence } from "@arcwise/conllu";
import type { Pipeline } from "./pipeline.ts";

/** One end of a channel: a `Worker`, the global scope of one, or a `MessagePort` that was started. */
export interface PipelinePort {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** A pipeline elsewhere, such as in a web worker. */
export interface RemotePipeline {
  /** `Pipeline.run` there. Rejects with an Error that has the message of what that throws. */
  run(text: string): Promise<ConlluSentence[]>;
  /** `Pipeline.annotate` there. Rejects as `run`. */
  annotate(sentence: ConlluSentence): Promise<ConlluSentence>;
}

interface Request {
  readonly id: number;
  readonly method: keyof RemotePipeline;
  readonly input: string | ConlluSentence;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Serves the requests of a `remotePipeline` at the other end of a channel, one after the other. */
export function servePipeline(pipeline: Pick<Pipeline, keyof RemotePipeline>, port: PipelinePort): void {
  const answer = ({ method, input }: Request): Omit<Answer, "id"> => {
    try {
      const result =
        method === "run" ? pipeline.run(input as string) : pipeline.annotate(input as ConlluSentence);
      return { result };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  port.addEventListener("message", ({ data }) => {
    const request = data as Request;
    port.postMessage({ id: request.id, ...answer(request) });
  });
}

/** Returns the pipeline that `servePipeline` serves at the other end of a channel. */
export function remotePipeline(port: PipelinePort): RemotePipeline {
  const waiting = new Map<number, (answer: Answer) => void>();
  let requests = 0;
  port.addEventListener("message", ({ data }) => {
    const answer = data as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  function call<T>(method: Request["method"], input: Request["input"]): Promise<T> {
    const id = requests++;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result as T);
        else reject(new Error(error));
      });
      const request: Request = { id, method, input };
      port.postMessage(request);
    });
  }
  return { run: (text) => call("run", text), annotate: (sentence) => call("annotate", sentence) };
}
