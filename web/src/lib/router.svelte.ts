// A small router over the history API: one reactive location, and links without a reload.

function here(): { path: string; query: URLSearchParams } {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/** The address, and the number of steps through the history; an address that is replaced is no step. */
export const place = $state({ ...here(), steps: 0 });
let steps = 0;

function moved(): void {
  const now = here();
  place.path = now.path;
  place.query = now.query;
}

addEventListener("popstate", () => {
  moved();
  place.steps = ++steps;
});

/** Navigate to an address and scroll to the top, unless the position is kept. */
export function go(address: string, replace = false, stay = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  moved();
  if (!replace) place.steps = ++steps;
  if (!replace && !stay) scrollTo(0, 0);
}

/** Follow links inside the page without a reload. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/v1/") || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
