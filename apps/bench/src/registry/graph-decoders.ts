import type { GraphDecoder } from "@arcwise/core";
import { ad3GraphDecoder, basicGraphDecoder } from "@arcwise/decode-ad3";

/** An entry of the registry of decoders of graphs. */
export interface GraphDecoderEntry {
  /** Display name. */
  readonly label: string;
  /** Whether it always finds a graph of highest score. */
  readonly exact: boolean;
  make(): GraphDecoder;
}

/**
 * All decoders of graphs. The benchmark, the conformance tests and the tests of agreement iterate over this
 * list.
 */
export const GRAPH_DECODERS: readonly GraphDecoderEntry[] = [
  { label: "basic parts", exact: true, make: () => basicGraphDecoder() },
  { label: "AD3, basic parts split", exact: false, make: () => ad3GraphDecoder({ split: true }) },
  { label: "AD3", exact: false, make: () => ad3GraphDecoder() },
  { label: "AD3 with branch and bound", exact: true, make: () => ad3GraphDecoder({ exact: true }) },
];
