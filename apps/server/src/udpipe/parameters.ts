import { badRequest, unsupportedType } from "../failures.ts";
import { charsetOf, decodeText, requireUtf8 } from "../routes/charset.ts";
import type { ReadTask } from "../routes/plan.ts";

/** Parameters by name; of several with one name the last one. */
export type Parameters = ReadonlyMap<string, string>;

/** Media types of bodies. */
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** Returns the parameters of a request: of its query, and of its body, which win. */
export async function parametersOf({ head, bytes }: Pick<ReadTask, "head" | "bytes">): Promise<Parameters> {
  const parameters = new Map(new URLSearchParams(head.query));
  if (head.method !== "POST") return parameters;
  const type = head.type ?? "";
  requireUtf8(type);
  const media = type.split(";", 1)[0]!.trim().toLowerCase();
  if (media === FORM) {
    for (const [name, value] of new URLSearchParams(decodeText(bytes))) parameters.set(name, value);
  } else if (media === MULTIPART) {
    for (const [name, value] of await multipart(bytes, type)) parameters.set(name, value);
  } else if (bytes.length > 0) {
    throw unsupportedType(`${FORM} or ${MULTIPART}`, type);
  }
  return parameters;
}

async function multipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<[string, string][]> {
  let form: FormData;
  try {
    form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw badRequest(`expected a body of ${MULTIPART} with the boundary of its header, found another one`);
  }
  requireUtf8Parts(bytes, type);
  const entries = [...form].map(
    async ([name, value]): Promise<[string, string]> => [
      name,
      typeof value === "string" ? value : decodeText(new Uint8Array(await value.arrayBuffer()), value.type),
    ],
  );
  return Promise.all(entries);
}

/** Heads of the parts of a body: up to the first blank line. */
const PART_TYPE = /^content-type:(.*)$/im;

/** `formData` reads parts that are not files as UTF-8. */
function requireUtf8Parts(bytes: Uint8Array, type: string): void {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  for (const part of Buffer.from(bytes)
    .toString("latin1")
    .split(`--${quoted ?? plain}`)) {
    const head = part.slice(0, Math.max(0, part.indexOf("\r\n\r\n")));
    const own = PART_TYPE.exec(head)?.[1] ?? "";
    if (charsetOf(own) !== undefined && !/filename/i.test(head)) requireUtf8(own);
  }
}

/** Options of a parameter, such as `ranges;presegmented` or `horizontal=paragraphs`. */
export function optionsIn(value: string): ReadonlySet<string> {
  const names = value.split(";").map((item) => item.split("=", 1)[0]!.trim());
  return new Set(names.filter((name) => name !== ""));
}

/** A format and its options: `horizontal=paragraphs`. */
export function formatIn(value: string): { readonly name: string; readonly options: ReadonlySet<string> } {
  const at = value.indexOf("=");
  return at < 0
    ? { name: value, options: new Set() }
    : { name: value.slice(0, at), options: optionsIn(value.slice(at + 1)) };
}
