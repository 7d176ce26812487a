// How people of a scene are told apart where several are called the same.
import type { Participant } from "../../api/types";

/** Everybody by a name of their own: where several are called the same, their ids stand beside it. */
export function called<T extends Pick<Participant, "id" | "name">>(people: T[]): { id: string; name: string }[] {
  return people.map((one) => ({ id: one.id, name: nameIn(people, one) }));
}

export function nameIn(people: Pick<Participant, "id" | "name">[], one: Pick<Participant, "id" | "name">): string {
  return people.some((other) => other.id !== one.id && other.name === one.name) ? `${one.name} (${one.id})` : one.name;
}

const initials = (name: string): string => name.split(/\s+/).map((part) => part.charAt(0)).join("").slice(0, 2);

/** Two signs for everybody's token, no two alike: initials, or else the name's first letters, or else a number. */
export function marksOf(people: Pick<Participant, "id" | "name">[]): Map<string, string> {
  const ways = [initials, (name: string): string => name.slice(0, 2)];
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const one of people) {
    const alone = ways.map((way) => way(one.name)).find((mark) => people.every((other) => other.id === one.id || !ways.some((way) => way(other.name) === mark)));
    if (alone) found.set(one.id, alone);
    if (alone) taken.add(alone);
  }
  for (const one of people) {
    if (found.has(one.id)) continue;
    let number = 1;
    while (taken.has(`${one.name.charAt(0)}${number}`)) number += 1;
    found.set(one.id, `${one.name.charAt(0)}${number}`);
    taken.add(`${one.name.charAt(0)}${number}`);
  }
  return found;
}

/** Texts that stand there several times are numbered. */
export function numbered<T extends { id: string; label: string }>(offers: T[]): Map<string, string> {
  const seen = new Map<string, number>();
  return new Map(
    offers.map((one) => {
      if (offers.filter((other) => other.label === one.label).length < 2) return [one.id, one.label];
      const number = (seen.get(one.label) ?? 0) + 1;
      seen.set(one.label, number);
      return [one.id, `${one.label} (${number})`];
    }),
  );
}
