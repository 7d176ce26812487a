// Where one looks at the scene: moved and zoomed by wheel, drag, pinch and keys, and brought back by itself.

export interface Free {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const CELL = 60;
const LEAST = 0.28;
const MOST = 2.2;
const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

export class Viewport {
  x = $state(0);
  y = $state(0);
  zoom = $state(1);
  wide = $state(0);
  tall = $state(0);
  /** What floats over the scene and covers it. */
  free = $state<Free>({ top: 92, bottom: 190, left: 24, right: 24 });
  /** Whether somebody moved it; then it is brought back only where something would not be seen. */
  moved = $state(false);
  #pointers = new Map<number, { x: number; y: number }>();
  #apart = 0;

  /** Show places, given in cells, in the free part. */
  fit(places: [number, number][], largest = 1.35, least = LEAST): void {
    if (places.length === 0 || this.wide === 0) return;
    const xs = places.map((one) => one[0]);
    const ys = places.map((one) => one[1]);
    // beside the last one stands a chance, which does not shrink with the scene
    const phone = this.wide < 700;
    const [left, right] = [Math.min(...xs) - (phone ? 0.2 : 0.7), Math.max(...xs) + (phone ? 1.75 : 1.7)];
    const [top, bottom] = [Math.min(...ys) - 0.4, Math.max(...ys) + 1.5];
    const [wide, tall] = [Math.max(120, this.wide - this.free.left - this.free.right), Math.max(120, this.tall - this.free.top - this.free.bottom)];
    this.zoom = clamp(Math.min(wide / ((right - left) * CELL), tall / ((bottom - top) * CELL)), least, largest);
    this.x = this.free.left + wide / 2 - ((left + right) / 2) * CELL * this.zoom;
    this.y = this.free.top + tall / 2 - ((top + bottom) / 2) * CELL * this.zoom;
  }

  /** Whether a place lies in the free part. */
  sees(place: [number, number]): boolean {
    const x = this.x + (place[0] + 0.5) * CELL * this.zoom;
    const y = this.y + (place[1] + 0.5) * CELL * this.zoom;
    const half = (CELL * this.zoom) / 2;
    return x - half >= this.free.left - 8 && x + half <= this.wide - this.free.right + 8 && y - half >= this.free.top - 8 && y + half <= this.tall - this.free.bottom + 8;
  }

  zoomBy(factor: number, x = this.wide / 2, y = (this.free.top + this.tall - this.free.bottom) / 2): void {
    const zoom = clamp(this.zoom * factor, LEAST, MOST);
    this.x = x - ((x - this.x) * zoom) / this.zoom;
    this.y = y - ((y - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.moved = true;
  }

  down(event: PointerEvent): void {
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#apart = 0;
  }

  move(event: PointerEvent): boolean {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return false;
    const now = { x: event.clientX, y: event.clientY };
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size === 1) {
      this.x += now.x - last.x;
      this.y += now.y - last.y;
    } else {
      const [a, b] = [...this.#pointers.values()];
      const apart = Math.hypot(a!.x - b!.x, a!.y - b!.y);
      if (this.#apart > 0) this.zoomBy(apart / this.#apart, (a!.x + b!.x) / 2, (a!.y + b!.y) / 2);
      this.#apart = apart;
    }
    this.moved = true;
    return true;
  }

  up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    this.#apart = 0;
  }
}
