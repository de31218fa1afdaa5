export {
  type Container,
  ModelError,
  readContainer,
  type Section,
  writeContainer,
} from "@arcwise/core/container";
