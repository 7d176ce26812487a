// Recent tables of this browser, by id and title. No secret is stored here.
const KEY = "tablewright-tables";

export interface Known {
  id: string;
  title: string;
  role: string;
  system?: string;
}

const LAST = "tablewright-last-table";
const last = $state<{ id: string }>({ id: read() });

function read(): string {
  try {
    return sessionStorage.getItem(LAST) ?? "";
  } catch {
    return "";
  }
}

/** Last table of this tab, for the way back from other pages. */
export function lastTable(): Known | null {
  return last.id === "" ? null : (knownTables().find((one) => one.id === last.id) ?? null);
}

export function sitAt(table: Known): void {
  remember(table);
  last.id = table.id;
  try {
    sessionStorage.setItem(LAST, table.id);
  } catch {
    // without storage, a reload forgets it
  }
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
    // without storage, the list stays empty
  }
}

export function forget(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(knownTables().filter((one) => one.id !== id)));
  } catch {
    // nothing stored
  }
}
