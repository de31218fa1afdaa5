import { useEffect, useState } from "preact/hooks";
import type { PlaygroundCalls } from "./calls.ts";
import { running } from "./model.ts";

/** The state of a call of the worker. */
export interface CallState<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
  readonly isRunning: boolean;
}

type Name = keyof PlaygroundCalls;
type Input<N extends Name> = Parameters<PlaygroundCalls[N]>[0];
type Result<N extends Name> = Awaited<ReturnType<PlaygroundCalls[N]>>;

/**
 * Calls a function of the worker whenever its input or the model changes. A result stays while a new call about the same
 * sentence runs; for another sentence there is none at first, since words would be other words.
 *
 * @param input compared by identity: keep it in `useMemo`; undefined: no call
 */
export function useCall<N extends Name>(name: N, input: Input<N> | undefined): CallState<Result<N>> {
  const subject = (input as { readonly sentence?: unknown } | undefined)?.sentence;
  const [state, setState] = useState<CallState<Result<N>> & { readonly subject?: unknown }>({
    isRunning: false,
  });
  const model = running.value;
  useEffect(() => {
    if (input === undefined || model === undefined) return setState({ isRunning: false });
    const asked = new AbortController();
    setState((last) => ({
      result: last.subject === subject ? last.result : undefined,
      isRunning: true,
      subject,
    }));
    model.call(name, input, asked.signal).then(
      (result) => setState({ result, isRunning: false, subject }),
      (error: Error) => asked.signal.aborted || setState({ error, isRunning: false, subject }),
    );
    return () => asked.abort();
  }, [name, input, model]);
  return state.subject === subject ? state : { isRunning: input !== undefined };
}
