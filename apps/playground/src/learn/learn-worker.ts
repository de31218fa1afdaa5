import { openChannel } from "@arcwise/jobs";
import { learn } from "./learning.ts";

/* A worker of its own for each training: it is ended to cancel, and what it loads is loaded for a training alone. */
openChannel(self, { learn });
