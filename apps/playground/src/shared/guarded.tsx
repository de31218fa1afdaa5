import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";

/** Shows its children, or the message of the error that they throw: the rest of the page stays. A `key` tries again. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  return error === undefined ? (
    <>{children}</>
  ) : (
    <p class="error" role="status">
      {(error as Error).message}
    </p>
  );
}
