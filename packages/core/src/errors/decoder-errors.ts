import { ArcwiseError } from "./arcwise-error.ts";

/** A problem has parts of a kind that the decoder cannot score. */
export class UnsupportedPart extends ArcwiseError {
  override readonly name = "UnsupportedPart";
  readonly decoder: string;
  readonly kind: string;

  constructor(decoder: string, kind: string, handles: Iterable<string>) {
    const list = [...handles].join(", ");
    super(
      "unsupported-part",
      `${decoder} cannot score parts of kind "${kind}"; it handles ${list === "" ? "arcs only" : list}`,
    );
    this.decoder = decoder;
    this.kind = kind;
  }
}

/** A decoder lacks a capability. */
export class UnsupportedCapability extends ArcwiseError {
  override readonly name = "UnsupportedCapability";
  readonly decoder: string;
  readonly capability: string;

  /**
   * @param what the capability in words
   * @param advice what to do instead
   */
  constructor(decoder: string, capability: string, what: string, advice?: string) {
    const lack = `the decoder "${decoder}" does not give ${what}: it has no ${capability}`;
    super("unsupported-capability", advice === undefined ? lack : `${lack}; ${advice}`);
    this.decoder = decoder;
    this.capability = capability;
  }
}

/** A value lacks the members of a decoder. */
export class InvalidDecoder extends ArcwiseError {
  override readonly name = "InvalidDecoder";

  constructor(message: string) {
    super("invalid-decoder", message);
  }
}

/** The candidate arcs that are not pruned contain no tree. */
export class NoTree extends ArcwiseError {
  override readonly name = "NoTree";
  readonly decoder: string;

  constructor(decoder: string, detail: string) {
    super("no-tree", `${decoder}: no tree exists: ${detail}`);
    this.decoder = decoder;
  }
}

/** No graph over the candidates meets the constraints. */
export class NoGraph extends ArcwiseError {
  override readonly name = "NoGraph";
  readonly decoder: string;

  constructor(decoder: string, detail: string) {
    super("no-graph", `${decoder}: no graph exists: ${detail}`);
    this.decoder = decoder;
  }
}
