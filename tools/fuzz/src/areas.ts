import type { Area } from "./area.ts";
import { checkpoints } from "./checkpoints.ts";
import { decoders } from "./decoders.ts";
import { files } from "./files.ts";
import { kills } from "./kills.ts";
import { messages } from "./messages.ts";
import { crafted, models } from "./models.ts";
import { outputs } from "./outputs.ts";
import { requests } from "./requests.ts";
import { time } from "./time.ts";
import { types } from "./types.ts";

/** All areas. */
export const AREAS: readonly Area[] = [
  files,
  models,
  crafted,
  checkpoints,
  decoders,
  kills,
  outputs,
  messages,
  requests,
  time,
  types,
];
