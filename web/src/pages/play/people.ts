// Who takes part in a scene, as the page draws them: side, name, health in quarters.
import type { Participant, SystemInfo, TableState } from "../../api/types";
import { quarters } from "../../lib/health";
import { play } from "../../strings/play";

export type Side = "us" | "foe" | "neutral";

/** Somebody in the scene, ready to be drawn. */
export interface Person {
  id: string;
  /** As it is written on the page: numbered where several are called alike. */
  name: string;
  bare: string;
  side: Side;
  own: boolean;
  seat: string;
  /** Health in quarters of a hundred; the word is all that others may know. */
  ring: number;
  health: string;
  down: boolean;
  /** Gone from the fight on their own feet, or given up. */
  left: boolean;
  present: boolean;
  hidden: boolean;
  position: string | null;
  words: string;
  status: Participant["status"];
  /** Whether the name is that of a kind, "Goblin", which has an article in a sentence. */
  common: boolean;
}

/** Names with a number where several are called alike, in the order of the scene. */
export function numberedNames(people: Pick<Participant, "id" | "name">[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const one of people) counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
  const seen = new Map<string, number>();
  return new Map(
    people.map((one) => {
      if ((counts.get(one.name) ?? 0) < 2 || /\d$/.test(one.name)) return [one.id, one.name];
      const number = (seen.get(one.name) ?? 0) + 1;
      seen.set(one.name, number);
      return [one.id, `${one.name} ${number}`];
    }),
  );
}

/** A name for a narrow place: of a long one the last word, with its number. */
export function shortName(name: string, most = 14): string {
  const found = name.length > most ? /(\S+(?: \d+)?)$/.exec(name)?.[1] : undefined;
  return found ? found.charAt(0).toUpperCase() + found.slice(1) : name;
}

/** The side that the reader is on: that of their own characters, else that of the party. */
export function ourSide(table: TableState): string | null {
  const people = table.scene?.participants ?? [];
  const own = new Set(table.you.characters);
  const party = new Set(table.characters.map((one) => one.id));
  return (people.find((one) => own.has(one.id)) ?? people.find((one) => party.has(one.id)) ?? people[0])?.side ?? null;
}

/** A sentence with display names; a participant named after its kind has an article. */
export function told(parts: { text: string; id?: string }[], people: Person[]): { text: string; id?: string }[] {
  return parts.map((part, at) => {
    const person = part.id === undefined ? undefined : people.find((one) => one.id === part.id);
    if (!person || ![person.bare, person.name].some((name) => name.toLowerCase() === part.text.toLowerCase())) return part;
    const before = parts.slice(0, at).map((one) => one.text).join("");
    const first = before === "" || /[.?!:…]\s*$/.test(before);
    return { ...part, text: person.common ? `${first ? "The" : "the"} ${person.name}` : person.name };
  });
}

/** Names of creatures and the like, in small letters; ready-made characters have names of their own. */
export const kindNames = (system: SystemInfo): Set<string> => new Set(system.templates.filter((one) => one.kind !== "templates").map((one) => one.name.toLowerCase()));

export function peopleOf(table: TableState, kinds: Set<string> = new Set()): Person[] {
  const found = table.scene?.participants ?? [];
  const names = numberedNames(found);
  const ours = ourSide(table);
  return found.map((one) => {
    const health = typeof one.health === "string" ? one.health : "";
    const standing = (one as { standing?: boolean }).standing;
    const left = !one.present && quarters(health) > 0;
    return {
      id: one.id,
      name: names.get(one.id) ?? one.name,
      bare: one.name,
      side: one.side === ours ? "us" : "foe",
      own: one.seat === table.you.seat,
      seat: one.seat,
      ring: quarters(health),
      health: left ? play.strip.left(health) : health,
      down: !left && (standing === undefined ? quarters(health) === 0 || /dying/i.test(health) : !standing),
      left,
      present: one.present,
      hidden: one.hidden ?? false,
      position: one.position,
      words: one.words ?? "",
      status: one.status,
      common: kinds.has(one.name.toLowerCase()) && !/\d$/.test(names.get(one.id) ?? one.name),
    };
  });
}

/** Somebody in the order of turns; alike ones that follow each other and are not concerned stand as one. */
export interface Turner {
  people: Person[];
  now: boolean;
  acted: boolean;
}

export function turnOrder(table: TableState, people: Person[], apart: (string | null)[]): Turner[] {
  const scene = table.scene;
  if (!scene) return [];
  const byId = new Map(people.map((one) => [one.id, one]));
  const ordered = [...scene.order, ...people.filter((one) => !scene.order.includes(one.id)).map((one) => one.id)];
  const listed = ordered.flatMap((id) => byId.get(id) ?? []).filter((one) => one.present || scene.order.includes(one.id));
  const found: Turner[] = [];
  for (const one of listed) {
    const now = scene.turn === one.id;
    const acted = scene.acted.includes(one.id);
    const last = found.at(-1);
    const alike = last && listed.length > 10 && !now && !last.now && last.acted === acted && last.people[0]!.bare.replace(/\s*\d+$/, "") === one.bare.replace(/\s*\d+$/, "");
    const free = ![one.id, ...(last?.people.map((other) => other.id) ?? [])].some((id) => apart.includes(id));
    if (alike && free && !one.down && !last.people[0]!.down && last.people[0]!.side === one.side) last.people.push(one);
    else found.push({ people: [one], now, acted });
  }
  return found;
}
