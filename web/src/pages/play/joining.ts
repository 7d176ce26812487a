// Who comes into a scene: on which side, and under which id.
import type { Hero, TableState } from "../../api/types";
import { strings } from "../../strings";

const isPerson = (one: Hero): boolean => one.seat !== null || (one.known !== false && one.character?.["kind"] === "character");

/** The characters that are played at a table: what a fight is about, unless somebody says otherwise. */
export const party = (table: TableState): Hero[] => table.characters.filter(isPerson);

/** Characters of the campaign join their party, everybody else is against it. */
export function sideOf(table: TableState, who: string): string {
  const people = table.scene?.participants ?? [];
  const own = table.characters.filter(isPerson).map((one) => one.id);
  const party = people.find((one) => own.includes(one.id))?.side ?? people[0]?.side ?? strings.play.party;
  if (own.includes(who)) return party;
  return people.map((one) => one.side).filter((side) => side !== party).at(-1) ?? strings.play.foes;
}

/** An id of its own for a name; none where the name has no letter for it. */
export function freeId(table: TableState, name: string): string {
  const bare = name.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const taken = new Set([...(table.scene?.participants ?? []).map((one) => one.id), ...table.characters.map((one) => one.id)]);
  let id = bare;
  for (let number = 2; taken.has(id); number += 1) id = `${bare}-${number}`;
  return id;
}

/** Characters that players have and that do not take part in the open scene. */
export function leftOut(table: TableState): Hero[] {
  const people = table.scene?.participants ?? [];
  return table.scene ? table.characters.filter((one) => one.seat !== null && !people.some((other) => other.id === one.id)) : [];
}
