/** Style sheets, which Vite puts into files. */
declare module "*.css";
interface ImportMeta {
  /** What the build fills in: the size of the model of English. */
  readonly env: { readonly ENGLISH_MEGABYTES: string };
}
