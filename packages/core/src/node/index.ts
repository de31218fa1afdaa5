export { type CheckpointFolder, checkpointFolder } from "./checkpoint-folder.ts";
export { BEFORE_RELEASE, installCommand } from "./install-command.ts";
export { isModelFile, loadAs, readFileAs, readModelBytes } from "./read-file.ts";
export {
  beginReplacement,
  followLinks,
  type Replacement,
  temporaryFor,
  writeWhole,
} from "./replacement.ts";
export { pathSuggestion } from "./similar-path.ts";
