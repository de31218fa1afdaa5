import { errorToData } from "@arcwise/core/errors";
import { readModel } from "@arcwise/english-small";
import { LESSON, type LearnAnswer, type LearnRequest, REPLY } from "./learn-messages.ts";
import { learn } from "./learning.ts";

/* A worker of its own for each training: it is ended to cancel, and what it loads is loaded for a training alone. */
const start = async (event: MessageEvent) => {
  const request = LESSON.open(event.data) as LearnRequest | undefined;
  if (request === undefined) return;
  self.removeEventListener("message", start);
  const answer = (message: LearnAnswer) => self.postMessage(REPLY.seal(message));
  try {
    const { bytes = await readModel(), ...lesson } = request;
    answer({ learned: await learn({ ...lesson, bytes }, (progress) => answer({ progress })) });
  } catch (error) {
    answer({ error: errorToData(error) });
  }
};
self.addEventListener("message", start);
