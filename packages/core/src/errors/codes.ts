/** Who can act on an error: the caller, the owner of the data or of the machines, the maintainers, or nobody. */
export type ErrorKind =
  /** The call or the command is wrong. */
  | "usage"
  /** The data or a file is wrong. */
  | "data"
  /** A server, a thread or another process failed or did not answer. */
  | "environment"
  /** The program itself failed: an error without a code. */
  | "fault"
  /** The user asked to stop. */
  | "interrupted";

/**
 * All codes of errors, with their kinds. docs/reference/errors.md has their meanings, which no program needs. A code that was
 * published keeps its meaning.
 */
export const ERROR_CODES = {
  "unknown-option": { kind: "usage" },
  "invalid-option": { kind: "usage" },
  "invalid-argument": { kind: "usage" },
  "invalid-command": { kind: "usage" },
  "invalid-decoder": { kind: "usage" },
  "invalid-learner": { kind: "usage" },
  "missing-decoder": { kind: "usage" },
  "invalid-encoder": { kind: "usage" },
  "missing-encoder": { kind: "usage" },
  "missing-step": { kind: "usage" },
  "missing-method": { kind: "usage" },
  "unsupported-part": { kind: "usage" },
  "unsupported-capability": { kind: "usage" },
  "unsupported-learner": { kind: "usage" },
  "invalid-data": { kind: "data" },
  "invalid-model": { kind: "data" },
  "missing-model": { kind: "data" },
  "malformed-conllu": { kind: "data" },
  "invalid-sentence": { kind: "data" },
  "sentence-mismatch": { kind: "data" },
  "text-mismatch": { kind: "data" },
  "invalid-templates": { kind: "data" },
  "invalid-tree-features": { kind: "data" },
  "invalid-vectors": { kind: "data" },
  "missing-vectors": { kind: "data" },
  "invalid-module": { kind: "usage" },
  "low-confidence": { kind: "data" },
  "no-tree": { kind: "data" },
  "no-graph": { kind: "data" },
  "no-labelling": { kind: "data" },
  "lost-connection": { kind: "environment" },
  "other-version": { kind: "usage" },
  "missing-blob": { kind: "data" },
  "unsafe-queue": { kind: "usage" },
  "step-failed": { kind: "environment" },
  "thread-lost": { kind: "environment" },
  "no-webassembly": { kind: "environment" },
  "insecure-context": { kind: "environment" },
  interrupted: { kind: "interrupted" },
  "closed-output": { kind: "interrupted" },
} as const satisfies Readonly<Record<string, { readonly kind: Exclude<ErrorKind, "fault"> }>>;

/**
 * A code of `ERROR_CODES`.
 *
 * @example
 * const code: ErrorCode = "unknown-option";
 * if (error instanceof ArcwiseError && error.code === code) console.log(error.at);
 */
export type ErrorCode = keyof typeof ERROR_CODES;
