import { type DestinationStream, type Logger, pino } from "pino";

/** Makes a log of a line of JSON per event. Texts of clients are not in it. */
export function createLog(destination: DestinationStream | undefined): Logger {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}
