export {
  type Container,
  ModelError,
  readContainer,
  type SectionTable,
  type Vector,
  writeContainer,
} from "@arcwise/core/container";
