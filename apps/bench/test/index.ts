export { commandOf, commandsOf } from "./commands-of.ts";
export { measured } from "./measured.ts";
export { expectResumed, type ResumedCommand } from "./resuming.ts";
export {
  type Ended,
  ended,
  nestingFaults,
  outsideReferences,
  smallTreebank,
  temporaryFolder,
} from "./support.ts";
