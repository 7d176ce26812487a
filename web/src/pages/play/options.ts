// What can be done in a turn, as verbs and targets. An option's id is `action`, `action:target` or `action:target:means`;
// everything else comes from its words.
import type { Option, Question } from "../../api/types";
import type { OutcomePart } from "../../components/OutcomeBar.svelte";
import { play } from "../../strings/play";
import type { Person } from "./people";

/** An option as the server tells it, with the texts for people where it has them. */
export interface Offer extends Option {
  gives?: string;
  costs?: string;
  chance?: string;
  group?: string;
}

export interface Asked extends Omit<Question, "options" | "closed"> {
  options?: Offer[];
  closed?: { id: string; reason: string; rule: string | null; label: string; title?: string; sentence?: string }[];
  heading?: { text: string; id?: string }[];
  stakes?: string;
  purpose?: string;
  /** The option that ends the turn. */
  pass?: string;
  best?: string;
  advice?: Weighed[];
}

export interface Weighed {
  id: string;
  value: string;
  best: boolean;
  change?: number;
  chance?: string;
  odds?: { hits: number; harm: number; fells: number; risk: number; exact: Record<string, string> };
}

/** Something that can be done: at one of several, or without anybody. */
export interface Verb {
  key: string;
  action: string;
  name: string;
  means: string;
  /** By the id of whoever it is done to; the empty text where it needs nobody. */
  ways: Map<string, Offer>;
  first: Offer;
}

const ORDER = ["", "", "second", "third", "fourth"];

/** Options with words of their own: of two daggers the second is called so. */
export function distinct(question: Asked | null): Asked | null {
  const options = question?.options;
  if (!question || !options || new Set(options.map((one) => one.label)).size === options.length) return question;
  const seen = new Map<string, number>();
  return {
    ...question,
    options: options.map((one) => {
      const number = (seen.get(one.label) ?? 0) + 1;
      seen.set(one.label, number);
      return number === 1 ? one : { ...one, label: `${one.label} (${ORDER[number] ?? number})` };
    }),
  };
}

interface Read {
  action: string;
  target: string;
  means: string;
}

export function readId(id: string, people: Map<string, Person>): Read {
  const parts = id.split(":");
  const target = parts[1] !== undefined && people.has(parts[1]) ? parts[1] : "";
  return { action: parts[0] ?? id, target, means: parts.slice(target ? 2 : 1).join(":") };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** The damage that a promise speaks of; nothing where it speaks of none. */
export const damageIn = (text: string | undefined): number => Number(/([\d.]+) damage/.exec(text ?? "")?.[1] ?? 0);

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/\b(next to|at|against|on|towards?|the|to|of|near) *(?=$|[:,])/gi, "")
    .replace(/\b(at|against|on|towards?) (with)\b/gi, "$2")
    .replace(/\s+([:,.])/g, "$1")
    .replace(/^[\s:,]+|[\s:,]+$/g, "")
    .trim();

/** A label without the name of whoever it is done to. */
export function withoutName(label: string, person: Person | undefined): string {
  if (!person) return label;
  const names = [`${person.bare} (${person.id})`, person.name, person.bare, person.id].sort((a, b) => b.length - a.length);
  const found = names.find((name) => label.toLowerCase().includes(name.toLowerCase()));
  return found ? tidy(label.replace(new RegExp(`${escaped(found)}('s)?`, "i"), " ")) : label;
}

/** How an action relates to a person, as its label says it: "toward Orc Raider". */
export function relation(label: string, person: Person): string {
  const found = new RegExp(`\\b(next to|towards?|to|past|over|with|from|on|at) (?:the )?(?:${escaped(person.name)}|${escaped(person.bare)})`, "i").exec(label);
  return found ? `${found[1]!.toLowerCase()} ${person.name}` : play.bar.against(person.name);
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A verb and what it is done with: "Attack: Short Sword" and "Strike with Bow" are both parted. */
function parted(label: string): [string, string] {
  const found = /^(.{2,30}?)(?:: |, | with (?:the |a |an )?)(.+)$/i.exec(label);
  return found ? [sentence(found[1]!.trim()), sentence(found[2]!.trim())] : [sentence(label), ""];
}

export function verbsOf(question: Asked, people: Person[]): Verb[] {
  const byId = new Map(people.map((one) => [one.id, one]));
  const found = new Map<string, Verb>();
  for (const offer of question.options ?? []) {
    if (offer.id === question.pass) continue;
    const { action, target, means } = readId(offer.id, byId);
    const label = withoutName(offer.label, byId.get(target));
    const key = `${action}:${means}:${label}:${target ? "at" : ""}`;
    const known = found.get(key);
    if (known) {
      known.ways.set(target, offer);
      continue;
    }
    const [name, with_] = parted(label);
    found.set(key, { key, action, name, means: with_, ways: new Map([[target, offer]]), first: offer });
  }
  return [...found.values()];
}

const MOST_IN_SIGHT = 5;

/** The verbs that stand in the bar, in the book's own order: every kind of action once, then further means. */
export function inSight(verbs: Verb[], target: string | null, places: Map<string, number>, most = MOST_IN_SIGHT): Verb[] {
  const place = (one: Verb): number => places.get(offerFor(one, target)?.id ?? "") ?? Infinity;
  const possible = verbs.filter((one) => one.ways.has("") || (target !== null && one.ways.has(target))).sort((a, b) => place(a) - place(b));
  const actions = new Set<string>();
  const first: Verb[] = [];
  const rest: Verb[] = [];
  for (const one of possible) {
    if (actions.has(one.action)) rest.push(one);
    else {
      actions.add(one.action);
      first.push(one);
    }
  }
  const rank = (one: Verb): number => (one.ways.has("") ? (/^(drop|stow|yield|surrender|delay)/.test(one.action) ? 2 : 1) : 0);
  const ordered = [...first].sort((a, b) => rank(a) - rank(b));
  // A second means of the first action is worth more than the tenth thing one never does.
  const second = rest.find((one) => one.action === ordered[0]?.action && !one.ways.has(""));
  if (second) ordered.splice(1, 0, second);
  return [...ordered, ...rest.filter((one) => one !== second)].slice(0, most);
}

export const offerFor = (verb: Verb, target: string | null): Offer | undefined => verb.ways.get(target ?? "") ?? verb.ways.get("");

/** Those at whom something can be done. */
export function targetsOf(verbs: Verb[]): string[] {
  const found = new Set<string>();
  for (const verb of verbs) for (const target of verb.ways.keys()) if (target) found.add(target);
  return [...found];
}

/** What an option promises, in words. Some rules tell it with what the option gives. */
export const chanceText = (offer: Offer, weighed: Weighed | undefined): string => offer.chance || weighed?.chance || (/\d\s?%/.test(offer.gives ?? "") ? offer.gives! : "");

/** A promise in words, "hits 63%, 4 damage": its first chance, what that is the chance of, and what else it says. */
export function chanceParts(text: string | undefined): { percent: number; of: string; rest: string } | null {
  const parts = (text ?? "").split(", ");
  const at = parts.findIndex((one) => /\d\s?%/.test(one));
  const found = /(under |over )?(\d+)\s?%/.exec(parts[at] ?? "");
  if (!found) return null;
  const of = parts[at]!.replace(found[0], "").trim();
  return { percent: Number(found[2]), of: play.bar.of[of] ?? of, rest: parts.filter((_one, place) => place !== at).join(", ") };
}

/**
 * The outcomes of an option, from the worst to the best for whoever chooses: of an attack that it misses, hits or takes
 * somebody down; of a defence that it leaves the chooser hurt or not. Nothing where no chance is known.
 */
export function outcomeParts(text: string | undefined, odds: Weighed["odds"], defends: boolean): OutcomePart[] {
  const told = chanceParts(text);
  const words = play.outcomes;
  if (!defends && odds && odds.hits > 0) {
    const fells = Math.min(odds.fells, odds.hits);
    return [
      { label: words.miss, chance: 1 - odds.hits, tone: "miss" },
      { label: words.hit, chance: odds.hits - fells, tone: "hit" },
      { label: words.down, chance: fells, tone: "crit" },
    ];
  }
  const isHit = told !== null && told.of === play.bar.hit;
  const well = told ? (defends && isHit ? 100 - told.percent : told.percent) / 100 : defends && odds ? 1 - odds.risk : null;
  if (well === null) return [];
  return [
    { label: defends ? words.hurt : words.fails, chance: 1 - well, tone: "miss" },
    { label: defends ? words.unhurt : words.works, chance: well, tone: defends ? "us" : "hit" },
  ];
}
