/** Style sheets, which Vite puts into files. */
declare module "*.css";
