export { readTaggerFile, writeTaggerFile } from "./files.ts";
