// Whose fight it is: the characters of a table in the place of the party that comes with a scenario.
import type { Hero } from "../../api/types";
import type { Entrant, Scenario } from "./types";

/** The nearest square to somebody on which nobody stands. */
export function beside(people: Entrant[], size: number[] | undefined, at: string | undefined): string | undefined {
  const found = /^(-?\d+),(-?\d+)$/.exec(at ?? "");
  if (!found) return at;
  const taken = new Set(people.map((one) => one.position));
  const [width, height] = size ?? [Infinity, Infinity];
  for (let far = 1; far < 40; far += 1) {
    for (let x = -far; x <= far; x += 1) {
      for (let y = -far; y <= far; y += 1) {
        const [column, row] = [Number(found[1]) + x, Number(found[2]) + y];
        if (column < 0 || row < 0 || column >= (width ?? Infinity) || row >= (height ?? Infinity)) continue;
        if (!taken.has(`${column},${row}`)) return `${column},${row}`;
      }
    }
  }
  return at;
}

/** Whether the party of a scenario is not the table's own. */
export function isStrange(scenario: Scenario, heroes: Hero[]): boolean {
  const party = scenario.participants.filter((one) => one.side === scenario.participants[0]?.side).map((one) => one.id);
  return heroes.length > 0 && JSON.stringify([...party].sort()) !== JSON.stringify(heroes.map((one) => one.id).sort());
}

/** A scenario with the table's characters as its first side: each stands where somebody of the party stood, or beside. */
export function cast(scenario: Scenario, heroes: Hero[]): Scenario {
  const side = scenario.participants[0]?.side;
  const party = scenario.participants.filter((one) => one.side === side);
  const stays = party.filter((one) => heroes.some((hero) => hero.id === one.id));
  const free = party.filter((one) => !stays.includes(one));
  const people = [...stays, ...scenario.participants.filter((one) => one.side !== side)];
  for (const hero of heroes) {
    if (side === undefined || !hero.character || people.some((one) => one.id === hero.id)) continue;
    const before = free.shift();
    const at = before ? before.position : beside(people, scenario.ground?.size, party.at(-1)?.position);
    people.push({ id: hero.id, name: hero.name, side, character: hero.character, ...(at ? { position: at } : {}), policy: before?.policy ?? "careful" });
  }
  const order = (one: Entrant): number => (one.side === side ? 0 : 1);
  return { ...scenario, participants: [...people].sort((a, b) => order(a) - order(b)) };
}
