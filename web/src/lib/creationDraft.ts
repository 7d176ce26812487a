// Draft of a character, kept in this tab until it is added or restarted.
import type { Json, Made } from "../api/types";

/** A step of creation: its name and subject. */
export interface Taken {
  id: string;
  title: string;
  keys: string[];
}

/** Ways to create a character. */
export type How = "steps" | "random" | "ready" | "file";

/** State that the server needs to resume creation; a character that was not made by answers is stored whole. */
export interface Kept {
  name: string;
  seed: number;
  answers: (string | number[])[];
  steps: Taken[];
  made: Made | null;
  how?: How;
  /** Settings of the creation, and the rule options of its table. */
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
    // without storage, a reload starts over
  }
}

export function forgetMaking(system: string): void {
  try {
    sessionStorage.removeItem(keyOf(system));
  } catch {
    // nothing stored
  }
}
