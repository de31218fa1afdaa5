/** The command line asks for something that cannot be done. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
