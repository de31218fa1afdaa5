import { fileURLToPath } from "node:url";

/** The files of the playground, in a folder next to `src` and `dist`, where the build of the package puts them. */
export const PLAYGROUND = fileURLToPath(new URL("../playground", import.meta.url));
