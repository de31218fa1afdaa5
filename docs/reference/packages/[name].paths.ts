import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { READMES } from "../../.vitepress/repository.ts";

const root = new URL("../../../", import.meta.url);

export default {
  watch: ["../../../packages/*/*.md", "../../../apps/*/*.md"],
  paths: () =>
    [...READMES].map(([name, path]) => ({
      params: { name },
      content: withPictures(readFileSync(new URL(path, root), "utf8"), dirname(path)),
    })),
};

/** Returns a page whose pictures are found from here: they are next to its README. */
function withPictures(page: string, folder: string): string {
  return page.replaceAll(/(!\[[^\]]*\]\()(?![a-z]+:|\/)/g, `$1../../../${folder}/`);
}
