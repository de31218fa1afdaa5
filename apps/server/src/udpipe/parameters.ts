import { decodeText } from "../requests/bodies.ts";
import { badRequest, RequestFailure } from "../requests/failures.ts";

/** Parameters by name; of several with one name the last one. */
export type Parameters = ReadonlyMap<string, string>;

/** Media types of bodies. */
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/**
 * Returns the parameters of a request: of its query, and of its body, which win.
 *
 * @throws RequestFailure if the body is not a form
 */
export async function parametersOf(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<Parameters> {
  const parameters = new Map(new URL(request.url).searchParams);
  if (request.method !== "POST") return parameters;
  const type = request.headers.get("content-type") ?? "";
  const media = type.split(";", 1)[0]!.trim().toLowerCase();
  if (media === FORM) {
    for (const [name, value] of new URLSearchParams(decodeText(bytes))) parameters.set(name, value);
  } else if (media === MULTIPART) {
    for (const [name, value] of await multipart(bytes, type)) parameters.set(name, value);
  } else if (bytes.length > 0) {
    const message = `expected a body of ${FORM} or ${MULTIPART}, found ${JSON.stringify(type)}`;
    throw new RequestFailure({ status: 415, code: "unsupported-media-type", message });
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
  const entries = [...form].map(
    async ([name, value]): Promise<[string, string]> => [
      name,
      typeof value === "string" ? value : decodeText(new Uint8Array(await value.arrayBuffer())),
    ],
  );
  return Promise.all(entries);
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
