// The reader's own figures for the pop-over of a rule term.
import { get } from "../api/client";
import type { Sheet, TableState } from "../api/types";
import { show } from "./format";
import { lastTable } from "./recentTables.svelte";

export interface OwnFigure {
  name: string;
  value: string;
}

let read: { table: string; at: number; sheets: Promise<Sheet[]> } | null = null;
const FRESH = 20_000;

async function sheetsAt(table: string): Promise<Sheet[]> {
  const now = await get<TableState>(`/campaigns/${table}?after=${Number.MAX_SAFE_INTEGER}&most=1`);
  const own = now.you.characters.length > 0 ? now.you.characters : now.you.role === "gm" ? now.characters.slice(0, 6).map((one) => one.id) : [];
  return Promise.all(own.map(async (who) => (await get<{ sheet: Sheet }>(`/campaigns/${table}/sheets/${encodeURIComponent(who)}`)).sheet));
}

/** Figures of the reader's characters by name, from their last table if it plays this game. */
export async function ownFigures(game: string, term: string, rule: string): Promise<OwnFigure[]> {
  const table = lastTable();
  if (!table || table.system !== game || table.role === "spectator") return [];
  if (read?.table !== table.id || Date.now() - read.at > FRESH) read = { table: table.id, at: Date.now(), sheets: sheetsAt(table.id) };
  const sheets = await read.sheets.catch(() => []);
  const wanted = term.toLowerCase();
  return sheets.flatMap((sheet) => {
    const entry = sheet.sections.flatMap((section) => section.entries).find((one) => one.label.toLowerCase() === wanted || one.rule === rule);
    const row = sheet.sections.flatMap((section) => section.rows).find((cells) => show(cells[0]?.value).toLowerCase() === wanted);
    const value = entry ? show(entry.value) : row ? show(row.at(-1)?.value) : "";
    return value ? [{ name: sheet.title, value }] : [];
  });
}
