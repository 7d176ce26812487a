// A character in the making, kept in this tab until it is added or started over.
import type { Json, Made } from "../api/types";

/** A step of the making: its name, and what it was about. */
export interface Taken {
  id: string;
  title: string;
  keys: string[];
}

/** How a character came about. */
export type How = "steps" | "random" | "ready" | "file";

/** Everything that the server needs to come to the same place again; what was not made by answers is kept as it is. */
export interface Kept {
  name: string;
  seed: number;
  answers: (string | number[])[];
  steps: Taken[];
  made: Made | null;
  how?: How;
  /** What creation was told beforehand, and the options of the table that it is for. */
  given?: Record<string, Json>;
  options?: Record<string, Json>;
}

const keyOf = (system: string): string => `tablewright-making-${system}`;

export function keptMaking(system: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(system)) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

export function keepMaking(system: string, kept: Kept): void {
  try {
    sessionStorage.setItem(keyOf(system), JSON.stringify(kept));
  } catch {
    // without storage a reload begins anew
  }
}

export function forgetMaking(system: string): void {
  try {
    sessionStorage.removeItem(keyOf(system));
  } catch {
    // nothing was kept
  }
}
