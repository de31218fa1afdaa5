/* A thread that runs steps, see `StepThreads`. */
import { parentPort, workerData } from "node:worker_threads";
import { serveOrders, type ThreadData } from "./serve-orders.ts";

serveOrders(parentPort!, workerData as ThreadData);
