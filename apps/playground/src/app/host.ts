import { isReceived, list, optional, record, string } from "@arcwise/core/options";
/** A model of the server that has the page. */
export interface HostModel {
  readonly name: string;
  /** Its languages, if they are known. */
  readonly language?: string | undefined;
  /** The address of its file; undefined: the server keeps it. */
  readonly href?: string | undefined;
  /** The address at which the server parses by it; undefined: it does not for this page. */
  readonly parse?: string | undefined;
}

/** A file that `arcwise annotate` reads and replaces. */
export interface HostFile {
  readonly name: string;
  /** The whole path on the machine of the server. */
  readonly path: string;
  readonly href: string;
  /** The address of an annotation to compare with. */
  readonly gold?: string | undefined;
}

/** Facts that a server gives its page. */
export interface Host {
  readonly files: readonly HostFile[];
  readonly models: readonly HostModel[];
}

const HOST = record<Host>({
  files: list(record<HostFile>({ name: string, path: string, href: string, gold: optional(string) })),
  models: list(
    record<HostModel>({
      name: string,
      language: optional(string),
      href: optional(string),
      parse: optional(string),
    }),
  ),
});

/** The server of the page, unless it only has the files of the page. */
export const host: Host | undefined = await findHost();

async function findHost(): Promise<Host | undefined> {
  const address = document.querySelector('meta[name="arcwise-host"]')?.getAttribute("content") ?? "";
  if (address === "") return undefined;
  const found: unknown = await (await fetch(address)).json();
  return isReceived<Host>(HOST, found) ? found : undefined;
}
