import { defineOptions, flag, number, type OptionsOf } from "@arcwise/core/options";

/** The options of opening a store. */
export const STORE_OPTIONS = defineOptions({
  isReadOnly: { check: flag, default: false, help: "whether nothing is written, changed or removed" },
  timeout: {
    check: number(1, 2 ** 31 - 1),
    default: 10_000,
    help: "milliseconds without any sign of a server of S3, after which a request is repeated, twice",
  },
});

/** Options of opening a store. */
export interface StoreOptions extends OptionsOf<typeof STORE_OPTIONS> {}
