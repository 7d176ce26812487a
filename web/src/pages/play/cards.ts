// The log as cards: one for each action, with what was taken back folded.
import type { DiceThrow, Entry, Line, Trace } from "../../api/types";
import { sidesOf } from "../../lib/dice/notation";
import { play } from "../../strings/play";
import type { Person, Side } from "./people";

export interface Card {
  key: number;
  kind: string;
  /** The lines of the log that it stands for. */
  lines: [number, number];
  scene: string;
  who: string;
  text: string;
  parts: { text: string; id?: string }[];
  throws: DiceThrow[];
  after: Entry["after"];
  costs: Entry["costs"];
  why: Entry["why"];
  trace: Trace | null;
  cause: string;
  gone: boolean;
  by: string;
  /** The line that a player asks to undo, as the game master counts. */
  asks: number | null;
  /** The line where something was answered that can be answered otherwise; null where nothing was. */
  answers: number | null;
  played: boolean;
  /** Only its reader, its sender and the game master see it. */
  whisper: boolean;
  /** What somebody said, apart from who said it to whom. */
  said: { by: string; who: string; head: string; words: string; emote: boolean } | null;
}

export type Tone = "miss" | "graze" | "hit" | "crit" | "plain";

/** Lines that were undone do not count any more; those that were redone count again. */
export function undoneLines(lines: Line[]): Map<number, string> {
  const gone = new Map<number, string>();
  for (const line of lines) {
    if (line.kind !== "undone" && line.kind !== "redone") continue;
    const fact = line.fact as Record<string, unknown>;
    const by = typeof fact["by"] === "string" ? fact["by"] : typeof fact["seat"] === "string" ? fact["seat"] : "";
    for (const [from, to] of (fact["lines"] ?? []) as [number, number][]) {
      for (let number = from; number <= to; number += 1) {
        if (line.kind === "undone") gone.set(number, by);
        else gone.delete(number);
      }
    }
  }
  return gone;
}

const isTrace = (line: Line): boolean => (line.kind === "rule" || line.kind === "proposed") && typeof (line.fact as Trace).mechanic === "string" && Array.isArray((line.fact as Trace).steps);

const isAnswer = (line: Line): boolean => line.kind === "choice" || line.kind === "rule" || (line.kind === "entry" && Boolean((line.fact as Record<string, unknown>)["asked"]));

const isWhisper = (line: Line): boolean => {
  const fact = line.fact as Record<string, unknown>;
  return fact["event"] === "Said" && Boolean(fact["seat"]);
};

function saidIn(lines: Line[], text: string): Card["said"] {
  const fact = lines.map((line) => line.fact as Record<string, unknown>).find((one) => one["event"] === "Said");
  const words = String(fact?.["text"] ?? "");
  if (!fact || !text.endsWith(words)) return null;
  return { by: String(fact["by"]), who: String(fact["who"] ?? ""), head: text.slice(0, text.length - words.length).trim(), words, emote: fact["emote"] === true };
}

function throwsIn(trace: Trace): DiceThrow[] {
  const found: DiceThrow[] = [];
  const walk = (one: Trace): void => {
    for (const step of one.steps) {
      if ("steps" in step) walk(step as Trace);
      else if (step.faces && step.roll !== undefined) found.push({ whose: "", what: "", dice: step.roll, faces: step.faces.map((value) => ({ value })), plus: 0, total: typeof step.outcome === "number" ? step.outcome : null, against: "", came: "" });
    }
  };
  walk(trace);
  return found;
}

function cardOf(entry: Entry, byNumber: Map<number, Line>, gone: Map<number, string>): Card {
  const [from, to] = entry.lines;
  const lines: Line[] = [];
  for (let number = from; number <= to; number += 1) {
    const line = byNumber.get(number);
    if (line) lines.push(line);
  }
  const trace = lines.find(isTrace);
  const text = entry.headline.map((part) => part.text).join("");
  const asked = lines.map((line) => line.fact as Record<string, unknown>).find((fact) => fact["event"] === "UndoAsked");
  return {
    key: from,
    kind: entry.kind,
    lines: entry.lines,
    scene: entry.scene,
    who: entry.who,
    text,
    parts: entry.headline,
    throws: entry.dice,
    after: entry.after,
    costs: entry.costs,
    why: entry.why,
    trace: trace ? (trace.fact as Trace) : null,
    cause: "",
    gone: gone.has(from),
    by: gone.get(from) ?? "",
    asks: typeof asked?.["line"] === "number" && asked["line"] > 0 ? asked["line"] : null,
    answers: lines.find(isAnswer)?.number ?? null,
    played: lines.some((line) => line.played === true),
    whisper: lines.some((line) => isWhisper(line)),
    said: saidIn(lines, text),
  };
}

/** A line that no entry tells of, as it is: on a server that tells no entries, all of them. */
function bareCard(line: Line, gone: Map<number, string>): Card {
  const trace = isTrace(line) ? (line.fact as Trace) : null;
  const fact = line.fact as Record<string, unknown>;
  const cause = typeof fact["cause"] === "string" && fact["cause"].split(".").length > 2 ? fact["cause"] : "";
  const came = (line.text ?? "").lastIndexOf("-> ");
  const text = trace && came >= 0 ? `${trace.mechanic.split(".").at(-1)!.replaceAll("_", " ")}: ${line.text!.slice(came + 3).replaceAll("_", " ")}` : (line.text ?? "");
  return {
    key: line.number, kind: line.kind, lines: [line.number, line.number], scene: line.scene ?? "", who: "", text, parts: [{ text }], throws: trace ? throwsIn(trace) : [], after: [], costs: [], why: null, trace, cause,
    gone: gone.has(line.number), by: gone.get(line.number) ?? "", asks: fact["event"] === "UndoAsked" && typeof fact["line"] === "number" && fact["line"] > 0 ? fact["line"] : null,
    answers: isAnswer(line) ? line.number : null, played: line.played === true, whisper: isWhisper(line), said: saidIn([line], text),
  };
}

/** People whose names are alike are called in the log as everywhere else on the page. */
function renamed(card: Card, names: Map<string, string>): Card {
  let all = card;
  for (const [told, shown] of names) {
    if (all.text.includes(told)) all = { ...all, text: all.text.replaceAll(told, shown), said: all.said && { ...all.said, head: all.said.head.replaceAll(told, shown) }, parts: all.parts.map((part) => ({ ...part, text: part.text.replaceAll(told, shown) })) };
  }
  return all;
}

export function cardsOf(lines: Line[], entries: Entry[], names: Map<string, string> = new Map()): Card[] {
  const gone = undoneLines(lines);
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  const cards = entries.length === 0 ? lines.filter((line) => line.text).map((line) => bareCard(line, gone)) : entries.filter((one) => one.headline.length > 0).map((one) => cardOf(one, byNumber, gone));
  return names.size === 0 ? cards : cards.map((one) => renamed(one, names));
}

/** Whether all the harm of an action fell on whoever acted: the other side struck back. */
export function isStruckBack(card: Card): boolean {
  const harmed = card.after.filter((one) => one.sort === "harm").map((one) => one.who);
  return harmed.length > 0 && card.throws.some((one) => one.whose !== "") && harmed.every((who) => who === card.who);
}

/** How an action came out, in a word, and the colour of it; nothing while it goes on. */
export function outcomeOf(card: Card): { word: string; tone: Tone } | null {
  if (card.throws.length === 0 || card.kind === "order" || /(…|\.\.\.)$/.test(card.text)) return null;
  const came = [...card.throws.map((one) => one.came), card.text].join(" ");
  const attack = card.throws.some((one) => /hit|attack|strike|blow|clash|damage/i.test(one.what)) || card.after.some((one) => one.sort === "harm");
  // Where damage is not counted in points, whoever falls or is worse off was hit.
  const harm = attack && !isStruckBack(card) && card.after.some((one) => (one.sort === "harm" && (one.amount ?? 1) > 0) || one.sort === "out");
  if (/critical fail|fumble|botch|catastroph/i.test(came)) return { word: attack ? play.log.miss : play.log.failure, tone: "miss" };
  if (/critical|exceptional|serendip/i.test(came) && (!attack || harm)) return { word: play.log.critical, tone: "crit" };
  if (harm) return /\bgraze/i.test(came) ? { word: play.log.graze, tone: "graze" } : { word: play.log.hit, tone: "hit" };
  if (attack) return /\b(block|glance|armour (turns|stops)|no (\w+ )?(damage|harm))/i.test(card.text) ? { word: play.log.stopped, tone: "miss" } : { word: play.log.miss, tone: "miss" };
  if (/fail/i.test(came)) return { word: play.log.failure, tone: "miss" };
  return /success|succeed/i.test(came) ? { word: play.log.success, tone: "hit" } : null;
}

/** A throw with the side that made it and the kinds of its dice. */
export interface Thrown {
  throw: DiceThrow;
  side: Side;
  dice: { sides: number; face: number; dropped: boolean; wild: boolean }[];
}

/** Whoever throws dice: no more is needed of them here. */
export type Thrower = Pick<Person, "id" | "name" | "bare" | "side">;

export function thrownBy(card: Card, people: Thrower[]): Thrown[] {
  const byName = new Map(people.flatMap((one): [string, Thrower][] => [[one.name, one], [one.bare, one]]));
  const actor = people.find((one) => one.id === card.who);
  const other = isStruckBack(card) ? card.throws.find((one) => one.whose !== "")?.whose : undefined;
  const back = other === undefined ? undefined : byName.get(other);
  return card.throws.map((one) => {
    const whose = one.whose !== "" ? byName.get(one.whose) : back && one.what === "damage" ? back : actor;
    const sides = sidesOf(one.dice, one.faces.length);
    return { throw: one, side: whose?.side ?? "neutral", dice: one.faces.map((face, at) => ({ sides: sides[at] ?? 6, face: face.value, dropped: face.dropped ?? false, wild: face.wild ?? false })) };
  });
}

/** Throws that stand against each other are told in one row: to hit against the parry. */
export function rowsOf(thrown: Thrown[]): Thrown[][] {
  const rows: Thrown[][] = [];
  for (const one of thrown) {
    const last = rows.at(-1);
    if (last?.length === 1 && last[0]!.side !== one.side && !/damage/i.test(one.throw.what)) last.push(one);
    else rows.push([one]);
  }
  return rows;
}
