export { ModelError } from "@arcwise/core/container";
export { createParser, loadParser, type ParserOptions } from "./parse.ts";
