// Outcomes as curves: labels in their order, chances exact or added up from the top.
import type { Json, Odds } from "../api/types";
import { show } from "./showing";

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

/** The chance of every value of the outcome, or of one of its parts. */
export function curveOf(odds: Odds, field: string, view: "exactly" | "at_least"): Curve {
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
  let points = entries.map((one) => ({ label: show(one.value), chance: one.chance }));
  if (view === "at_least") {
    let sum: Fraction = { top: 0n, below: 1n };
    points = points
      .reverse()
      .map((one) => ({ label: one.label, chance: (sum = plus(sum, one.chance)) }))
      .reverse();
  }
  return { points: points.map((one) => ({ label: one.label, chance: about(one.chance), exact: written(one.chance) })), numeric };
}

/** Two curves over the same labels. */
export function together(curves: Curve[]): { labels: string[]; rows: (Point | null)[][] } {
  const numeric = curves.every((one) => one.numeric || one.points.length === 0);
  let labels = [...new Set(curves.flatMap((one) => one.points.map((point) => point.label)))];
  if (numeric) labels = labels.sort((a, b) => Number(a) - Number(b));
  return { labels, rows: labels.map((label) => curves.map((one) => one.points.find((point) => point.label === label) ?? null)) };
}
