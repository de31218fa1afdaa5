import type { GraphDecoder } from "@arcwise/core";
import { ad3GraphDecoder, basicGraphDecoder } from "@arcwise/decode-ad3";

/** All decoders of graphs by their display names; the last one always finds a graph of highest score, and proves it. */
export const GRAPH_DECODERS: readonly { readonly label: string; make(): GraphDecoder }[] = [
  { label: "basic parts", make: () => basicGraphDecoder() },
  { label: "AD3, basic parts split", make: () => ad3GraphDecoder({ split: true }) },
  { label: "AD3", make: () => ad3GraphDecoder() },
  { label: "AD3 with branch and bound", make: () => ad3GraphDecoder({ exact: true }) },
];
