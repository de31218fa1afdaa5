import { parentPort, workerData } from "node:worker_threads";
import { servePipeline } from "../remote.ts";
import { openPipeline } from "./open.ts";
import type { PipelineFiles } from "./pipeline-files.ts";

servePipeline(openPipeline(workerData as PipelineFiles), parentPort!);
