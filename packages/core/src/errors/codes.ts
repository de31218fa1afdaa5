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

interface CodeFacts {
  readonly kind: Exclude<ErrorKind, "fault">;
  /** One sentence for the reference page. */
  readonly meaning: string;
}

/** All codes of errors, with their kinds and meanings. A code that was published keeps its meaning. */
export const ERROR_CODES = {
  "unknown-option": { kind: "usage", meaning: "There is no option of that name." },
  "invalid-option": { kind: "usage", meaning: "An option has a wrong type or value." },
  "invalid-argument": { kind: "usage", meaning: "An argument has a wrong type or value." },
  "invalid-command": { kind: "usage", meaning: "The command line is wrong." },
  "invalid-decoder": { kind: "usage", meaning: "A value lacks the members of a decoder." },
  "invalid-learner": {
    kind: "usage",
    meaning: "A value lacks the members of a learner, or trains other weights.",
  },
  "missing-decoder": { kind: "usage", meaning: "A model needs a decoder that was not given." },
  "invalid-encoder": {
    kind: "usage",
    meaning:
      "A value lacks the members of an encoder, or an encoder gives something else than a vector per word.",
  },
  "missing-encoder": {
    kind: "usage",
    meaning: "A model needs an encoder that was not given, or another one than the one given.",
  },
  "missing-step": { kind: "usage", meaning: "A pipeline lacks the step that a call needs." },
  "missing-method": { kind: "usage", meaning: "A learner needs a method that its task lacks." },
  "unsupported-part": { kind: "usage", meaning: "A decoder cannot score parts of a kind." },
  "unsupported-capability": { kind: "usage", meaning: "A decoder lacks a capability." },
  "unsupported-learner": {
    kind: "usage",
    meaning: "A learner needs what the decoder and the order do not provide.",
  },
  "invalid-data": { kind: "data", meaning: "Data is invalid, or a file cannot be read or written." },
  "invalid-model": { kind: "data", meaning: "Bytes are not a model or checkpoint that can be read." },
  "missing-model": {
    kind: "data",
    meaning: "A name of a model is neither a file nor an installed package.",
  },
  "malformed-conllu": { kind: "data", meaning: "Text or a sentence breaks a rule of CoNLL-U." },
  "invalid-sentence": { kind: "data", meaning: "A sentence has no tree over its words." },
  "sentence-mismatch": { kind: "data", meaning: "Gold and system differ in sentences or words." },
  "text-mismatch": { kind: "data", meaning: "Gold and system differ in their characters." },
  "invalid-templates": { kind: "data", meaning: "A document of feature templates is invalid." },
  "invalid-tree-features": {
    kind: "data",
    meaning: "A value is not a set of tree features, or not the set of the model.",
  },
  "invalid-vectors": { kind: "data", meaning: "A file of word vectors cannot be read." },
  "missing-vectors": { kind: "data", meaning: "Files of vectors of sentences lack a sentence." },
  "invalid-module": { kind: "usage", meaning: "A module cannot be loaded, or exports something else." },
  "low-confidence": {
    kind: "data",
    meaning: "The confidence of a sentence is lower than the minimum that was given.",
  },
  "no-tree": { kind: "data", meaning: "The candidate arcs and constraints allow no tree." },
  "no-graph": { kind: "data", meaning: "The candidate edges and constraints allow no graph." },
  "no-labelling": { kind: "data", meaning: "The candidate labels allow no labelling of a sequence." },
  "lost-connection": { kind: "environment", meaning: "A worker or channel failed, ended or did not answer." },
  "other-version": {
    kind: "usage",
    meaning: "A step was made by another version of the program.",
  },
  "missing-blob": { kind: "data", meaning: "A store lacks what a step needs." },
  "unsafe-queue": { kind: "usage", meaning: "A queue server may lose jobs, or cannot be used." },
  "step-failed": { kind: "environment", meaning: "A step failed at each attempt." },
  "thread-lost": { kind: "environment", meaning: "A thread ended before its work was done." },
  "no-webassembly": {
    kind: "environment",
    meaning: "The engine lacks WebAssembly with 128-bit vectors, or does not allow it here.",
  },
  "insecure-context": {
    kind: "environment",
    meaning: "A page was opened by http, so that the browser computes no SHA-256.",
  },
  interrupted: { kind: "interrupted", meaning: "The user asked to stop." },
  "closed-output": { kind: "interrupted", meaning: "The reader of the output closed it." },
} as const satisfies Readonly<Record<string, CodeFacts>>;

/**
 * A code of `ERROR_CODES`.
 *
 * @example
 * const code: ErrorCode = "unknown-option";
 * if (error instanceof ArcwiseError && error.code === code) console.log(error.at);
 */
export type ErrorCode = keyof typeof ERROR_CODES;
