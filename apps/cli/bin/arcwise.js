#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// Until the command answers to signals, nothing has been written that must be put in order.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
// Most runs are over in seconds: hot functions are to be compiled after less than half of the work that V8
// waits for.
setFlagsFromString("--interrupt-budget=50000");
await import("../program/main.js");
