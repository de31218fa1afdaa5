export { inputStamps, planFile } from "./files.ts";
export {
  checkFiles,
  checkTreebanks,
  dataFolder,
  fileStamp,
  REPOSITORY,
  readSentences,
  readSplit,
  SAMPLE,
  type Split,
  treebankName,
  treebanksStamp,
} from "./treebanks.ts";
