#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// Most runs are over in seconds: hot functions are to be compiled after less than half of the work that V8
// waits for.
setFlagsFromString("--interrupt-budget=50000");
await import("../program/main.js");
