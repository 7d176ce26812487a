// What is played for the eye: dice that fall, one card after the other, and numbers that rise from those who are hit.
import type { Card } from "./cards";

const RISES = 1_700;
const MOST_QUEUED = 6;

export class Playback {
  queue = $state.raw<Card[]>([]);
  flashes = $state.raw(new Map<string, { key: number; text: string; sort: string }>());
  #seen = new Set<number>();
  #told = new Map<number, number>();
  #begun: number;

  constructor(begun: number) {
    this.#begun = begun;
  }

  readonly now = $derived.by(() => this.queue[0] ?? null);
  /** The last card that the log shows while dice are in the air. */
  readonly upTo = $derived.by(() => (this.queue[0] ? this.queue[0].key - 1 : Infinity));

  /** Take notice of what is new. Nothing that was there when the page was opened is played, and nothing twice. */
  hear(cards: Card[], moves: boolean): void {
    const fresh: Card[] = [];
    for (const card of cards) {
      if (card.key <= this.#begun || card.gone) continue;
      this.#rise(card);
      if (this.#seen.has(card.key) || card.throws.length === 0 || card.kind === "order") continue;
      this.#seen.add(card.key);
      if (moves) fresh.push(card);
    }
    // An action that goes on is told as it is now.
    const queue = this.queue.map((one) => cards.find((card) => card.key === one.key) ?? one);
    if (fresh.length > 0) this.queue = [...queue, ...fresh].slice(-MOST_QUEUED);
  }

  #rise(card: Card): void {
    const known = this.#told.get(card.key) ?? 0;
    const more = card.after.slice(known);
    this.#told.set(card.key, card.after.length);
    if (known === 0 && more.length === 0) return;
    for (const one of more) {
      if (!["harm", "heal", "out"].includes(one.sort)) continue;
      const text = one.sort === "harm" ? `−${one.amount ?? ""}` : one.sort === "heal" ? `+${one.amount ?? ""}` : "✕";
      const flash = { key: Math.random(), text, sort: one.sort };
      this.flashes = new Map(this.flashes).set(one.who, flash);
      setTimeout(() => {
        if (this.flashes.get(one.who) !== flash) return;
        const rest = new Map(this.flashes);
        rest.delete(one.who);
        this.flashes = rest;
      }, RISES);
    }
  }

  done(card: Card): void {
    this.queue = this.queue.filter((one) => one.key !== card.key);
  }

  /** Play the rest at once. */
  skip(): void {
    this.queue = [];
  }
}
