#!/usr/bin/env node
import "../program/arcwise.js";
