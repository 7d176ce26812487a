// The tables this browser sat at: their ids and titles, so that they are found again. No secret is kept here.
const KEY = "tablewright-tables";

export interface Known {
  id: string;
  title: string;
  role: string;
}

export function knownTables(): Known[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Known[];
  } catch {
    return [];
  }
}

export function remember(table: Known): void {
  try {
    const others = knownTables().filter((one) => one.id !== table.id);
    localStorage.setItem(KEY, JSON.stringify([table, ...others].slice(0, 30)));
  } catch {
    // then it is not found again
  }
}

export function forget(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(knownTables().filter((one) => one.id !== id)));
  } catch {
    // nothing was kept
  }
}
