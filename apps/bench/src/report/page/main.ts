/** The script of a report's page: bundled and put into the page by `../page-script.ts`. */
import { sentenceBrowsers } from "./sentence-browser.ts";
import { sortableTables } from "./sort-tables.ts";

sortableTables(document);
sentenceBrowsers(document);
