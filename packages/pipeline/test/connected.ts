import type { Encoder } from "@arcwise/core/encoders";
import { connectPipeline, type PipelinePort, type RemotePipeline, servePipeline } from "../src/index.ts";

const ports: MessagePort[] = [];

/** Returns a pipeline that is served at the other end of a channel. */
export function connected(pipeline: Parameters<typeof servePipeline>[0], encoder?: Encoder): RemotePipeline {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  servePipeline(pipeline, port2 as unknown as PipelinePort);
  return connectPipeline(port1 as unknown as PipelinePort, { encoder });
}

export function closeChannels(): void {
  for (const port of ports.splice(0)) port.close();
}
