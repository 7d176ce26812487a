// Whose question it is.
import type { Live } from "../../api/live.svelte";
import { nameIn } from "./naming";

/** The player who is here and is asked, as the game master sees it; nobody where the game master answers instead. */
export function whoIsAsked(live: Live, instead: string): string | null {
  const table = live.table;
  const question = table?.question;
  if (!table || table.you.role !== "gm" || !question?.id || question.id === instead) return null;
  const seat = table.seats.find((one) => one.id === question.seat && one.id !== table.you.seat);
  return seat && live.presence.includes(seat.id) ? nameIn(table.seats, seat) : null;
}
