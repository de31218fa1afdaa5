import { createPipeline, loadPipeline, servePipeline } from "arcwise";

async function load(file: string) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return createPipeline(loadPipeline(new Uint8Array(await response.arrayBuffer())));
}

servePipeline(load("/pipeline.model"), self);
