/* Messages between threads, pages and machines, and waits for them. */
export { abortable } from "./abortable.ts";
export { errorData, messageKind } from "./messages.ts";
