// Curves of outcomes: labels in order, with exact or cumulative chances.
import type { Json, Odds } from "../api/types";
import { show } from "./format";

export interface Point {
  label: string;
  chance: number;
  exact: string;
}

export interface Curve {
  points: Point[];
  numeric: boolean;
}

interface Fraction {
  top: bigint;
  below: bigint;
}

function fraction(text: string): Fraction {
  const [top, below] = text.split("/");
  return { top: BigInt(top ?? "0"), below: BigInt(below ?? "1") };
}

function reduced(value: Fraction): Fraction {
  let a = value.top < 0n ? -value.top : value.top;
  let b = value.below;
  while (b) [a, b] = [b, a % b];
  return a === 0n ? { top: 0n, below: 1n } : { top: value.top / a, below: value.below / a };
}

function plus(a: Fraction, b: Fraction): Fraction {
  return reduced({ top: a.top * b.below + b.top * a.below, below: a.below * b.below });
}

const written = (value: Fraction): string => (value.below === 1n ? `${value.top}` : `${value.top}/${value.below}`);
const about = (value: Fraction): number => Number((value.top * 1_000_000_000_000n) / value.below) / 1e12;

export function fieldsOf(odds: Odds): string[] {
  const first = odds.outcomes[0]?.outcome;
  return first !== null && typeof first === "object" && !Array.isArray(first) ? Object.keys(first as Record<string, Json>) : [];
}

/** Chances of every value of an outcome, or of one of its fields. */
export function curveOf(odds: Odds, field: string): Curve {
  const found = new Map<string, { value: Json; chance: Fraction }>();
  for (const one of odds.outcomes) {
    const value = field && one.outcome !== null && typeof one.outcome === "object" && !Array.isArray(one.outcome) ? ((one.outcome as Record<string, Json>)[field] ?? null) : one.outcome;
    const key = JSON.stringify(value);
    const known = found.get(key);
    found.set(key, { value, chance: known ? plus(known.chance, fraction(one.exact)) : fraction(one.exact) });
  }
  const entries = [...found.values()];
  const numeric = entries.length > 0 && entries.every((one) => typeof one.value === "number");
  if (numeric) entries.sort((a, b) => (a.value as number) - (b.value as number));
  return { points: entries.map((one) => point(show(one.value), one.chance)), numeric };
}

const point = (label: string, chance: Fraction): Point => ({ label, chance: about(chance), exact: written(chance) });

/** Curves over common labels, exact or cumulative from the best down. */
export function together(curves: Curve[], view: "exactly" | "at_least", order: Json[] = []): { labels: string[]; rows: Point[][] } {
  const numeric = curves.every((one) => one.numeric || one.points.length === 0);
  const ranks = new Map(order.map((value, place) => [show(value), place]));
  const rank = (label: string): number => (numeric ? Number(label.replace("−", "-")) : (ranks.get(label) ?? ranks.size));
  const labels = [...new Set(curves.flatMap((one) => one.points.map((entry) => entry.label)))];
  labels.sort((a, b) => rank(a) - rank(b));
  const none: Fraction = { top: 0n, below: 1n };
  const columns = curves.map((curve) => {
    const chances = new Map(curve.points.map((entry) => [entry.label, fraction(entry.exact)]));
    let above = none;
    const found = [...labels].reverse().map((label) => {
      const here = chances.get(label) ?? none;
      above = plus(above, here);
      return point(label, view === "at_least" ? above : here);
    });
    return found.reverse();
  });
  return { labels, rows: labels.map((_label, place) => columns.flatMap((column) => column[place] ?? [])) };
}
