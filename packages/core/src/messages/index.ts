/* Messages between threads, pages and machines, and waits for them. */
export { abortable } from "./abortable.ts";
export { errorData, type MessageKind, type MessageSource, messageKind } from "./messages.ts";
