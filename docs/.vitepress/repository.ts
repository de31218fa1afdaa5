import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkdownRenderer } from "vitepress";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The READMEs of packages and apps by their name: the page `reference/packages/NAME` shows one. */
export const READMES: ReadonlyMap<string, string> = new Map(
  ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name): [string, string] => [name, join(group, name, "README.md")])
      .filter(([, path]) => existsSync(join(root, path))),
  ),
);

/** Returns the anchor of a heading, which is the same on the site as in a view of the repository on GitHub. */
export function headingAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** A token of an inline text: the member of markdown-it's tokens that is needed here. */
interface Token {
  readonly type: string;
  tag: string;
  attrs: [string, string][] | null;
}

/**
 * Lets links between files of the repository lead to pages of the site: to other documents, and to the pages of
 * READMEs. The text of a link to anything else, such as a source file, stays without the link.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const file = sourceOf(env.relativePath ?? "index.md");
    for (const { children } of tokens) rewriteLinks(children ?? [], file);
  });
}

function rewriteLinks(tokens: readonly Token[], file: string): void {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = token.attrs!.find(([name]) => name === "href")![1];
      const target = siteLink(file, decodeURI(href));
      isPlain = target === undefined;
      token.attrs = target === undefined ? null : [["href", target]];
    }
    if (isPlain && /^link_/.test(token.type)) token.tag = "span";
  }
}

/** Returns the file of the repository that a page of the site is made of. */
function sourceOf(page: string): string {
  const [, name] = /^reference\/packages\/(.+)\.md$/.exec(page) ?? [];
  return (name === undefined ? undefined : READMES.get(name)) ?? join("docs", page);
}

/**
 * Returns the link of the site for a link in a file of the repository; undefined where the site has no such page.
 *
 * @param file relative to the root of the repository
 */
function siteLink(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path, hash = ""] = href.split(/(?=#)/);
  const target = normalize(join(dirname(file), path!));
  if (/^docs\/.*\.md$/.test(target)) return `/${relative("docs", target).replace(/\.md$/, "")}${hash}`;
  const readme = [...READMES].find(([, one]) => one === target || dirname(one) === target);
  return readme && `/reference/packages/${readme[0]}${hash}`;
}
