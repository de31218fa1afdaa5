export { columnWarnings, distinctValues, type TrainingWarning } from "./warnings.ts";
