#!/usr/bin/env node
// The program of @arcwise/cli, which lies next to the module that the package exports.
await import(new URL("../bin/arcwise.js", import.meta.resolve("@arcwise/cli")).href);
