// A long list of which only what can be seen is in the page. Heights are measured as soon as something is shown, and
// supposed before: so a log of ten thousand lines costs as much as one of fifty.

const SUPPOSED = 34;
const BEYOND = 600;

export class Windowed {
  readonly keys: () => readonly number[];
  top = $state(0);
  height = $state(400);
  #heights = new Map<number, number>();
  #measured = $state(0);

  constructor(keys: () => readonly number[]) {
    this.keys = keys;
  }

  /** Where each entry begins, and where the last one ends. */
  readonly offsets = $derived.by(() => {
    void this.#measured;
    const keys = this.keys();
    const found = new Float64Array(keys.length + 1);
    for (let place = 0; place < keys.length; place += 1) found[place + 1] = found[place]! + (this.#heights.get(keys[place]!) ?? SUPPOSED);
    return found;
  });

  readonly first = $derived.by(() => this.#placeAt(this.top - BEYOND));
  readonly last = $derived.by(() => Math.min(this.keys().length, this.#placeAt(this.top + this.height + BEYOND) + 1));
  readonly above = $derived(this.offsets[this.first] ?? 0);
  readonly below = $derived.by(() => (this.offsets[this.keys().length] ?? 0) - (this.offsets[this.last] ?? 0));

  #placeAt(height: number): number {
    const offsets = this.offsets;
    let [low, high] = [0, Math.max(0, offsets.length - 2)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (offsets[middle]! <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Note how high some entries are; gives by how much what lies above the upper edge has grown. */
  measure(found: Iterable<[number, number]>): number {
    const places = new Map(this.keys().slice(this.first, this.last).map((key, place) => [key, place + this.first]));
    let [grown, changed] = [0, false];
    for (const [key, height] of found) {
      const known = this.#heights.get(key) ?? SUPPOSED;
      if (height === 0 || Math.abs(known - height) < 0.5) continue;
      this.#heights.set(key, height);
      changed = true;
      const place = places.get(key);
      if (place !== undefined && (this.offsets[place] ?? 0) + known <= this.top) grown += height - known;
    }
    if (changed) this.#measured += 1;
    return grown;
  }

  /** How high entries that were put before the others are supposed to be. */
  heightOf(count: number): number {
    return this.offsets[count] ?? 0;
  }
}
