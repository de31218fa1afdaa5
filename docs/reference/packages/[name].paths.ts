import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { READMES } from "../../.vitepress/repository.ts";

const root = new URL("../../../", import.meta.url);

export default {
  watch: ["../../../packages/*/*.md", "../../../apps/*/*.md"],
  paths: () =>
    [...READMES].map(([name, path]) => ({
      params: { name },
      content: withPictures(
        pageOf(readFileSync(new URL(path, root), "utf8"), new URL(path.replace(/README/, "REFERENCE"), root)),
        dirname(path),
      ),
    })),
};

/** Returns a page whose pictures are found from here: they are next to its README. */
function withPictures(page: string, folder: string): string {
  return page.replaceAll(/(!\[[^\]]*\]\()(?![a-z]+:|\/)/g, `$1../../../${folder}/`);
}

/**
 * Returns a README with the reference next to it, where there is one, in place of the links to it.
 *
 * @throws Error when the README has no section of these links
 */
function pageOf(readme: string, reference: URL): string {
  if (!existsSync(reference)) return readme;
  if (!readme.includes("## Reference\n"))
    throw new Error(`${reference}: expected ## Reference in the README`);
  const rest = readFileSync(reference, "utf8").replace(/^# .*\n\n.*\n\n/, "");
  return readme.slice(0, readme.indexOf("## Reference\n")) + rest;
}
