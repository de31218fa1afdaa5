import { parentPort, workerData } from "node:worker_threads";
import { servePipeline } from "../remote.ts";
import { openPipeline, type PipelineFiles } from "./open.ts";

servePipeline(openPipeline(workerData as PipelineFiles), parentPort!);
