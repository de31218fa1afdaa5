export {
  type Container,
  ModelError,
  readContainer,
  type Section,
  type Vector,
  writeContainer,
} from "@arcwise/core/container";
