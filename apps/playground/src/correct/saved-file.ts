/** A file that the document was read from, and is saved to. */
export interface SavedFile {
  /** What names the file among others: its path, where it is known. */
  readonly id: string;
  /** Reads the file; what is written next replaces this version. */
  read(): Promise<Uint8Array>;
  /** Replaces the version that was read or written last; returns false if another program changed the file. */
  write(text: string): Promise<boolean>;
}

/** Returns the file of a handle, which the browser gives. */
export function handleFile(handle: FileSystemFileHandle): SavedFile {
  let version = "";
  const versionOf = ({ size, lastModified }: File) => `${size} ${lastModified}`;
  return {
    id: handle.name,
    async read() {
      const file = await handle.getFile();
      version = versionOf(file);
      return new Uint8Array(await file.arrayBuffer());
    },
    async write(text) {
      if (versionOf(await handle.getFile()) !== version) return false;
      // The file is replaced when the stream is closed: a failure leaves it as it was.
      const stream = await handle.createWritable();
      await stream.write(text);
      await stream.close();
      version = versionOf(await handle.getFile());
      return true;
    },
  };
}

/** Returns a file of the server of the page, `arcwise annotate`. */
export function hostFile({ path, href }: { readonly path: string; readonly href: string }): SavedFile {
  let version = "";
  const request = async (options: RequestInit = {}) => {
    const response = await fetch(href, options).catch((cause: unknown) => {
      throw new Error(`${path}: the server does not answer: start arcwise annotate again`, { cause });
    });
    if (!response.ok && response.status !== 412)
      throw new Error(
        `${path}: expected the file, found status ${response.status}: ${await response.text()}`,
      );
    if (response.ok) version = response.headers.get("etag") ?? "";
    return response;
  };
  return {
    id: path,
    read: async () => new Uint8Array(await (await request()).arrayBuffer()),
    write: async (body) => (await request({ method: "PUT", headers: { "if-match": version }, body })).ok,
  };
}
