/** What `src/kernels.ts` has to be. */
export declare function kernelsSource(): Promise<string>;
