#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// Most runs are over in seconds: hot functions are to be compiled after a tenth of the work that V8 waits for.
setFlagsFromString("--interrupt-budget=15000");
await import("../dist/main.js");
