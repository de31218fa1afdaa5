import { readFileSync } from "node:fs";
import { READMES } from "../../.vitepress/repository.ts";

const root = new URL("../../../", import.meta.url);

export default {
  watch: ["../../../packages/*/README.md", "../../../apps/*/README.md"],
  paths: () =>
    [...READMES].map(([name, path]) => ({
      params: { name },
      content: readFileSync(new URL(path, root), "utf8"),
    })),
};
