// Where somebody is put on the map: by an option of the question, or because the game master says so.
import type { Command } from "../../api/live.svelte";
import type { Line, Option, TableState } from "../../api/types";
import { words } from "../../words";

export type Act = (command: Command) => Promise<Line[] | null>;

/** Options that name a place can be taken on the map, by whoever is asked. */
export function goalsOf(table: TableState, place: RegExp): Map<string, Option> {
  const found = new Map<string, Option>();
  if (!table.question?.id) return found;
  for (const option of table.question.options ?? []) {
    const named = place.exec(option.id)?.[1];
    if (named !== undefined && !found.has(named)) found.set(named, option);
  }
  return found;
}

export function actorOf(table: TableState): string | null {
  const who = table.question?.about?.["who"];
  return typeof who === "string" ? who : (table.scene?.turn ?? null);
}

export async function put(table: TableState, act: Act, who: string, where: string, goal: Option | undefined): Promise<void> {
  if (table.scene?.participants.find((one) => one.id === who)?.position === where) return;
  if (goal && who === actorOf(table)) await act({ do: "answer", option: goal.id, ...(table.question?.id ? { question: table.question.id } : {}) });
  else if (table.you.role === "gm") await act({ do: "start", process: "table.rule", with: { who, field: "position", value: where, reason: words.play.moved } });
}
