import { html as markup, raw } from "hono/html";
import type { Schema } from "./fields.ts";
import type { OpenApi, Operation } from "./openapi.ts";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a4150); --soft: light-dark(#5b6472, #a3acbb);
  --back: light-dark(#f5f6f8, #1c2129); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem;
  background: light-dark(#fff, #12161c); color: light-dark(#1b2330, #e4e8ee); }
h1 { margin: 0.5rem 0; } h2 { margin-top: 2.5rem; font-size: 1.2rem; border-top: 1px solid var(--line);
  padding-top: 1.5rem; overflow-wrap: anywhere; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
pre { background: var(--back); padding: 0.75rem; overflow-x: auto; border-radius: 6px; }
.method { display: inline-block; font-size: 0.8rem; font-weight: 600; padding: 0.05rem 0.5rem; border-radius: 4px;
  background: light-dark(#e3ecfb, #24364f); color: light-dark(#154a9e, #a9cbff); }
dl { margin: 0.5rem 0; } dt { margin-top: 0.6rem; overflow-wrap: anywhere; } dd { margin: 0 0 0 1.25rem; }
.type, nav, .soft { color: var(--soft); } nav a { margin-right: 1rem; }
a { color: light-dark(#154a9e, #a9cbff); }
`;

/** Returns a page of a document of OpenAPI. It loads nothing, and has no script. */
export function docsPage({ info, paths, components }: OpenApi) {
  const operations = Object.entries(paths);
  const schemas = Object.entries(components.schemas);
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
<nav>${operations.map(([path]) => markup`<a href="#${anchor(path)}">${path}</a> `)}</nav>
<pre>curl --data-binary "Dogs bark at the mail." -H "Content-Type: text/plain" ADDRESS/v1/parse</pre>
${operations.map(([path, methods]) => pathSection(path, methods))}
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => markup`<h3 id="schema-${name}">${name}</h3>${members(schema)}`)}
</body>
</html>`;
}

function anchor(path: string): string {
  return path.slice(1).replaceAll(/[^\w]/g, "-");
}

function pathSection(path: string, methods: Readonly<Record<string, Operation>>) {
  return markup`<h2 id="${anchor(path)}">${path}</h2>
${Object.entries(methods).map(
  ([method, { summary, description, parameters = [], requestBody, responses }]) => markup`
<p><span class="method">${method.toUpperCase()}</span> ${summary}. ${description ?? ""}</p>
${
  requestBody === undefined
    ? parameters.length > 0
      ? markup`<details><summary>Query</summary>${terms(parameters.map((one) => [one.name, one.schema, one.description]))}</details>`
      : ""
    : Object.entries(requestBody.content).map(
        ([type, { schema }]) => markup`<p>Body: <code>${type}</code></p>${members(schema)}`,
      )
}
${method === "get" && "post" in methods ? "" : responseList(responses)}`,
)}`;
}

function terms(rows: readonly (readonly [string, Schema, string | undefined])[]) {
  return markup`<dl>${rows.map(
    ([name, schema, help]) =>
      markup`<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span></dt><dd>${help ?? ""}</dd>`,
  )}</dl>`;
}

function responseList(responses: Operation["responses"]) {
  return markup`<dl>${Object.entries(responses).map(
    ([status, { description, content = {} }]) =>
      markup`<dt><code>${status}</code> ${description}</dt>${Object.entries(content).map(
        ([type, { schema }]) =>
          markup`<dd class="soft"><code>${type}</code> ${schema.$ref === undefined ? "" : schemaLink(schema)}</dd>`,
      )}`,
  )}</dl>`;
}

function schemaLink({ $ref = "" }: Schema) {
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  return markup`<a href="#schema-${name}">${name}</a>`;
}

function members({ properties = {} }: Schema) {
  const rows = Object.entries(properties).map(
    ([name, schema]) => [name, schema, schema.description] as const,
  );
  return rows.length === 0 ? "" : terms(rows);
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
