// A windowed list: only visible entries are in the page. Heights are measured when entries are shown and estimated
// from measured ones before, so a log of ten thousand lines costs as much as one of fifty.

const FIRST_GUESS = 34;
/** Tolerated deviation of the mean measured height from the estimate, as a share. */
const TOLERANCE = 0.2;
const BEYOND = 300;

export class Windowed {
  readonly keys: () => readonly number[];
  top = $state(0);
  height = $state(400);
  #heights = new Map<number, number>();
  #measured = $state(0);
  #supposed = FIRST_GUESS;
  #sum = 0;

  constructor(keys: () => readonly number[]) {
    this.keys = keys;
  }

  /** Offset of each entry, and the end of the last one. */
  readonly offsets = $derived.by(() => {
    void this.#measured;
    const keys = this.keys();
    const supposed = this.#supposed;
    const found = new Float64Array(keys.length + 1);
    for (let place = 0; place < keys.length; place += 1) found[place + 1] = found[place]! + (this.#heights.get(keys[place]!) ?? supposed);
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

  /** Record measured heights; returns the growth above the first visible entry. */
  measure(found: Iterable<[number, number]>): number {
    const uppermost = this.#placeAt(this.top);
    const before = this.offsets[uppermost] ?? 0;
    let changed = false;
    for (const [key, height] of found) {
      const known = this.#heights.get(key);
      if (height === 0 || Math.abs((known ?? Infinity) - height) < 0.5) continue;
      this.#heights.set(key, height);
      this.#sum += height - (known ?? 0);
      changed = true;
    }
    if (!changed) return 0;
    const mean = this.#sum / this.#heights.size;
    if (Math.abs(mean - this.#supposed) > this.#supposed * TOLERANCE) this.#supposed = mean;
    this.#measured += 1;
    return (this.offsets[uppermost] ?? 0) - before;
  }

  /** Estimated height of prepended entries. */
  heightOf(count: number): number {
    return this.offsets[count] ?? 0;
  }
}
