// Keep a details element as the reader left it, whatever happens at the table.
const told = new WeakMap<HTMLDetailsElement, boolean>();

/**
 * Attach to a details element: opens or closes it only when `wanted` changes. (`open={…}` is applied again on every
 * update and would close a box that the reader has opened.)
 */
export function opened(wanted: boolean): (box: HTMLDetailsElement) => void {
  return (box) => {
    if (told.get(box) === wanted) return;
    told.set(box, wanted);
    box.open = wanted;
  };
}
