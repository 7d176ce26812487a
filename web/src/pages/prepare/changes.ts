// One change of an encounter: what it is called, who it is about, and what it makes of the encounter.
import { strings } from "../../strings";
import { beside } from "./partySlots";
import type { Entrant, Scenario } from "./types";

export interface Change {
  id: string;
  /** What it says, with the name in the middle printed strongly. */
  text: [string, string, string];
  who: Entrant | null;
  side: string;
  apply: (scenario: Scenario) => Scenario;
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** An id that nobody has. */
export function freeId(people: Entrant[], id: string): string {
  const taken = new Set(people.map((one) => one.id));
  const bare = id.replace(/-\d+$/, "");
  let number = 2;
  while (taken.has(`${bare}-${number}`)) number += 1;
  return taken.has(bare) ? `${bare}-${number}` : bare;
}

/** The encounter with one more like somebody, beside them. */
export function withAnother(scenario: Scenario, id: string): Scenario {
  const next = plain(scenario);
  const one = next.participants.find((other) => other.id === id);
  if (!one) return next;
  const { seat: _, ...rest } = one;
  const at = beside(next.participants, next.ground?.size, one.position);
  const place = next.participants.lastIndexOf(one) + 1;
  next.participants.splice(place, 0, { ...rest, id: freeId(next.participants, one.id), ...(at ? { position: at } : {}) } as Entrant);
  return next;
}

export function without(scenario: Scenario, id: string): Scenario {
  const next = plain(scenario);
  next.participants = next.participants.filter((one) => one.id !== id);
  return next;
}

export function playedBy(scenario: Scenario, side: string, policy: string): Scenario {
  const next = plain(scenario);
  for (const one of next.participants) if (one.side === side) one.policy = policy;
  return next;
}

/** Everything that one change can be: those that say most come first. */
export function possibleChanges(scenario: Scenario, nameOf: (one: Entrant) => string, policies: string[]): Change[] {
  const people = scenario.participants;
  const sides = [...new Set(people.map((one) => one.side))];
  const [first] = sides;
  const counts = new Map(sides.map((side) => [side, people.filter((one) => one.side === side).length]));
  const leave = (one: Entrant): Change => ({ id: `leave ${one.id}`, text: strings.prepare.leave(nameOf(one)), who: one, side: one.side, apply: (now) => without(now, one.id) });
  const more = (one: Entrant): Change => ({ id: `more ${one.id}`, text: strings.prepare.more(nameOf(one)), who: one, side: one.side, apply: (now) => withAnother(now, one.id) });
  const theirs = people.filter((one) => one.side !== first);
  const ours = people.filter((one) => one.side === first);
  const kinds = [...new Map(theirs.map((one) => [nameOf(one).replace(/ \d+$/, ""), one])).values()];
  const leaving = theirs.filter((one) => (counts.get(one.side) ?? 0) > 1);
  const played = sides.flatMap((side) => policies.filter((policy) => people.some((one) => one.side === side && (one.policy ?? "careful") !== policy)).map((policy): Change => ({ id: `play ${side} ${policy}`, text: strings.prepare.playAs(strings.sides(side), strings.policies[policy] ?? policy), who: null, side, apply: (now) => playedBy(now, side, policy) })));
  return [
    ...leaving.slice(-1).map(leave),
    ...kinds.slice(0, 1).map(more),
    ...played.filter((one) => one.id === `play ${first} aggressive`),
    ...kinds.slice(1).map(more),
    ...leaving.slice(0, -1).map(leave),
    ...ours.filter(() => ours.length > 1).map(leave),
    ...ours.map(more),
    ...played.filter((one) => one.id !== `play ${first} aggressive`),
  ];
}
