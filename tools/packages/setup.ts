import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { createProject, type Project } from "./project.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly project: Project;
  }
}

/** Packs and installs all packages once, for all test files. */
export function setup(context: TestProject): () => void {
  const project = createProject();
  context.provide("project", project);
  return () => rmSync(project.folder, { recursive: true, maxRetries: 5 });
}
