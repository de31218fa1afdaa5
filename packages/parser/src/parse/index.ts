export { ModelError } from "@arcwise/core/container";
export { createParser, loadParser } from "./parse.ts";
