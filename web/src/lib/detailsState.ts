// What somebody opened or closed stays so, whatever else happens at the table.
const told = new WeakMap<HTMLDetailsElement, boolean>();

/**
 * Attached to a details: opens or closes it when what is wanted changes, and at no other time. (`open={…}` says it
 * again with every update of what it reads, and shuts the box under the hands of whoever opened it.)
 */
export function opened(wanted: boolean): (box: HTMLDetailsElement) => void {
  return (box) => {
    if (told.get(box) === wanted) return;
    told.set(box, wanted);
    box.open = wanted;
  };
}
