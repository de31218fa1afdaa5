/** The script of a report's page: bundled and put into the page by `../page-script.ts`. */
import "sortable-tablesort/dist/esm/sortable.js";
import "sortable-tablesort/dist/esm/sortable.a11y.js";
