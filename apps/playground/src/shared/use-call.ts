import { useEffect, useState } from "preact/hooks";
import type { PlaygroundCalls } from "../model/calls.ts";
import { running } from "../model/model.ts";

/** The state of a call of the worker. While a new call runs, the result of the last call stays. */
export interface CallState<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
  readonly isRunning: boolean;
}

type Name = keyof PlaygroundCalls;
type Input<N extends Name> = Parameters<PlaygroundCalls[N]>[0];
type Result<N extends Name> = Awaited<ReturnType<PlaygroundCalls[N]>>;

/**
 * Calls a function of the worker whenever its input or the model changes.
 *
 * @param input compared by identity: keep it in `useMemo`; undefined: no call
 */
export function useCall<N extends Name>(name: N, input: Input<N> | undefined): CallState<Result<N>> {
  const [state, setState] = useState<CallState<Result<N>>>({ isRunning: false });
  const model = running.value;
  useEffect(() => {
    if (input === undefined || model === undefined) return setState({ isRunning: false });
    const asked = new AbortController();
    setState(({ result }) => ({ result, isRunning: true }));
    model.call(name, input, asked.signal).then(
      (result) => setState({ result, isRunning: false }),
      (error: Error) => asked.signal.aborted || setState({ error, isRunning: false }),
    );
    return () => asked.abort();
  }, [name, input, model]);
  return state;
}
