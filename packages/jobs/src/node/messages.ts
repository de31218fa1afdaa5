/* The calls between a place and its threads. */

/** Data with which a thread is started. */
export interface ThreadData {
  /** Number of shared data that it keeps. */
  readonly keeps: number;
}

/** A shared member of an input, by the number of its data. */
export interface SharedToken {
  readonly arcwiseShared: number;
}

/** A job, by the module that exports it, and its input. */
export interface ThreadOrder {
  readonly name: string;
  readonly module: string;
  readonly input: object;
}

/** The calls that a thread offers. */
export type ThreadCalls = { do(order: ThreadOrder): unknown };

/** The calls that a thread makes. */
export type PlaceCalls = { data(number: number): object };
