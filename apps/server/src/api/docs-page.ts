import { html as markup, raw } from "hono/html";
import type { Schema } from "../routes/fields.ts";
import type { OpenApi, Operation } from "./openapi.ts";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; font-size: 1.2rem; border-top: 1px solid; padding-top: 1.5rem; }
pre { overflow-x: auto; } dt { margin-top: 0.6rem; } .soft { opacity: 0.7; } nav a { margin-right: 1rem; }
`;

/** Returns a page of a document of OpenAPI. It loads nothing, and has no script. */
export function docsPage({ info, paths, components }: OpenApi) {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}: HTTP</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<h1>${info.title} ${info.version}</h1>
<p>${info.description}</p>
<p>The same as a document of OpenAPI: <a href="/v1/openapi.json">/v1/openapi.json</a></p>
<nav>${Object.keys(paths).map((path) => markup`<a href="#${path}">${path}</a> `)}</nav>
<pre>curl --data-binary "Dogs bark at the mail." -H "Content-Type: text/plain" ADDRESS/v1/parse</pre>
${Object.entries(paths).map(
  ([path, methods]) =>
    markup`<h2 id="${path}">${path}</h2>${Object.entries(methods).map(([method, operation]) =>
      operationHtml(method, operation, method === "post" || methods.post === undefined),
    )}`,
)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => markup`<h3 id="schema-${name}">${name}</h3>${members(schema)}`,
)}
</body>
</html>`;
}

/** @param isLast whether the answers follow, which are those of all methods of the path */
function operationHtml(
  method: string,
  { summary, description = "", parameters = [], requestBody, responses }: Operation,
  isLast: boolean,
) {
  const query = parameters.map(({ name, schema, description: help }) => term(name, schema, help));
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => markup`<p>Body: <code>${type}</code></p>${members(schema)}`,
  );
  const shown = requestBody === undefined && query.length > 0;
  return markup`<p><b>${method.toUpperCase()}</b> ${summary}. ${description}</p>
${shown ? markup`<details><summary>Query</summary><dl>${query}</dl></details>` : bodies}
${isLast ? markup`<dl>${Object.entries(responses).map(responseHtml)}</dl>` : ""}`;
}

function responseHtml([status, { description, content = {} }]: [string, Operation["responses"][string]]) {
  return markup`<dt><code>${status}</code> ${description}</dt>${Object.entries(content).map(
    ([type, { schema }]) =>
      markup`<dd class="soft"><code>${type}</code> ${schema.$ref === undefined ? "" : schemaLink(schema)}</dd>`,
  )}`;
}

function schemaLink(schema: Schema) {
  const name = typeOf(schema);
  return markup`<a href="#schema-${name}">${name}</a>`;
}

function members({ properties = {} }: Schema) {
  return markup`<dl>${Object.entries(properties).map(([name, schema]) => term(name, schema, schema.description))}</dl>`;
}

function term(name: string, schema: Schema, help = "") {
  return markup`<dt><code>${name}</code> <span class="soft">${typeOf(schema)}</span></dt><dd>${help}</dd>`;
}

/** Says in words what a schema accepts. */
function typeOf({ type, enum: values, items, oneOf, $ref, minimum, maximum }: Schema): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (oneOf !== undefined) return oneOf.map(typeOf).join(" or ");
  if (values !== undefined) return values.join(" | ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const range =
    minimum === undefined ? "" : maximum === undefined ? ` >= ${minimum}` : `, ${minimum} to ${maximum}`;
  return `${typeof type === "string" ? type : (type ?? ["any"]).join(" or ")}${range}`;
}
