// All text of the page is in one file for each language; there is one language so far.
export { strings } from "./en";
