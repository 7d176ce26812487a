// The question of the moment as the page handles it: what may be done, at whom, with what chances, and what was clicked.
import { get, post, Problem } from "../../api/client";
import type { LiveTable } from "../../api/table.svelte";
import type { Json, SystemInfo } from "../../api/types";
import { chanceParts, chanceText, distinct, inSight, offerFor, targetsOf, verbsOf, type Asked, type Offer, type Verb, type Weighed } from "./options";
import { minus } from "../../lib/format";
import { play } from "../../strings/play";
import { kindNames, peopleOf, turnOrder, type Person } from "./people";

interface Planned {
  question: string;
  option: string;
}

/** What an option promises: a number that is large, and what it is the number of. */
export interface Promise_ {
  percent: number | null;
  of: string;
  damage: number;
  fells: number;
  risk: number;
  exact: string;
  /** The promise as the rules tell it: "hits 94%, brings down 51%". */
  words: string;
}

/** What an answer promises: a chance, or where none is left to the dice, a figure. */
export interface Answered {
  percent: number | null;
  figure?: string;
  of: string;
  rest: string;
}

const LOOK_AHEAD = 8;

export class Turn {
  readonly live: LiveTable;
  /** Whom the reader aims at; null where the page chooses. */
  chosen = $state<string | null>(null);
  /** The verb that is pointed at: the chances on the map are its chances. */
  pointed = $state<string | null>(null);
  weighed = $state.raw<Record<string, Weighed>>({});
  weighing = $state(false);
  leftOut = $state(0);
  /** Follow-up questions of options, and what is chosen in them. */
  ahead = $state.raw<Record<string, Asked[]>>({});
  answers = $state<Record<string, string>>({});
  /** A question before the turn, such as how many actions, and the turn that follows it. */
  before = $state.raw<{ question: string; option: string; turn: Asked } | null>(null);
  declared = $state("");
  slow = $state(false);
  refused = $state.raw<{ key: string; text: string; rule: string | null } | null>(null);
  failed = $state.raw<{ what: string; again: () => void } | null>(null);
  /** The question that the game master answers though a player is here. */
  instead = $state("");
  /** Whether verbs of this game have choices of their own: their place is kept free, so that nothing moves. */
  stepped = $state(false);
  /** What is answered without a further click, because it was chosen together with the action. */
  #plan = $state.raw<Planned[]>([]);
  /** The answer that is under way, and the question that it answers. */
  #sent = $state.raw<{ question: string; key: string; planned: boolean } | null>(null);
  /** The question behind which the page has looked for a turn. */
  #looked = $state("");

  /** Names of kinds, in small letters: "goblin". */
  readonly #kinds: Set<string>;

  constructor(live: LiveTable, system: SystemInfo) {
    this.live = live;
    this.#kinds = kindNames(system);
    this.stepped = wasStepped(live.table?.campaign.system ?? "");
  }

  readonly table = $derived.by(() => this.live.table!);
  readonly people = $derived.by(() => peopleOf(this.table, this.#kinds));
  readonly byId = $derived.by(() => new Map(this.people.map((one) => [one.id, one])));
  readonly question = $derived.by(() => distinct(this.table.question as Asked | null));
  readonly gm = $derived.by(() => this.table.you.role === "gm");

  /** The player who is here and is asked, as the game master sees it; null where the game master answers instead. */
  readonly theirs = $derived.by((): string | null => {
    const { you, seats } = this.table;
    const question = this.question;
    if (you.role !== "gm" || !question?.id || question.id === this.instead) return null;
    const seat = seats.find((one) => one.id === question.seat && one.id !== you.seat);
    return seat && this.live.presence.includes(seat.id) ? seat.name : null;
  });

  /** Whether the reader has to answer now. */
  readonly mine = $derived.by(() => this.question?.id !== undefined && this.table.you.role !== "spectator" && this.theirs === null && !(this.gm && this.table.proposal));
  readonly isTurn = $derived.by(() => this.question?.kind === "choice" && (this.question.pass !== undefined || this.question.about?.["left"] !== undefined));

  /** The turn that is played now, or that follows the question before it. */
  readonly acting = $derived.by((): Asked | null => {
    const [question, before] = [this.question, this.before];
    if (!this.mine || !question) return null;
    if (this.isTurn) return question;
    return before && before.question === question.id ? before.turn : null;
  });
  readonly actor = $derived.by((): Person | null => {
    const who = this.question?.about?.["who"];
    if (typeof who === "string") return this.byId.get(who) ?? null;
    // Where nobody is asked by name, it is the last of the reader's own whom the question names.
    const named = this.mine ? (this.question?.heading ?? []).flatMap((part) => this.byId.get(part.id ?? "") ?? []).filter((one) => one.own) : [];
    return named.at(-1) ?? this.byId.get(this.table.scene?.turn ?? "") ?? null;
  });

  /** The key of what is being sent. An answer belongs to its question: the next one is open as soon as it is here. */
  readonly sending = $derived.by((): string | null => (this.#sent !== null && this.#sent.question === (this.question?.id ?? "") ? this.#sent.key : null));
  readonly planning = $derived.by(() => this.#plan.length > 0 || (this.sending !== null && this.#sent!.planned));
  /** Whether the turn that follows the open question is not known yet. */
  readonly looking = $derived.by(() => this.precedes && this.#looked !== this.question?.id && this.before?.question !== this.question?.id);
  /** Whether nothing on the card can be answered for the moment. */
  readonly busy = $derived.by(() => this.sending !== null || this.planning || this.looking);

  readonly verbs = $derived.by(() => (this.acting ? verbsOf(this.acting, this.people) : []));
  readonly targets = $derived.by(() => {
    const ids = new Set(targetsOf(this.verbs));
    const foes = this.people.filter((one) => ids.has(one.id) && one.side !== this.actor?.side);
    return [...foes, ...this.people.filter((one) => ids.has(one.id) && one.side === this.actor?.side)];
  });

  /** Whom the page aims at by itself: where the best option points, else the last one that was aimed at, else the nearest. */
  readonly preset = $derived.by((): string | null => {
    const best = Object.values(this.weighed).find((one) => one.best)?.id;
    const target = best === undefined ? undefined : [...this.verbs].find((verb) => [...verb.ways.values()].some((offer) => offer.id === best));
    const aimed = target && [...target.ways].find(([, offer]) => offer.id === best)?.[0];
    if (aimed && this.byId.get(aimed)?.side !== this.actor?.side) return aimed;
    const best_ = this.#bestTarget();
    return best_ ?? this.#nearest();
  });

  /** Whom the reader aims at. */
  readonly aim = $derived.by((): string | null => (this.chosen !== null && this.targets.some((one) => one.id === this.chosen) ? this.chosen : this.preset));
  readonly shown = $derived.by(() => inSight(this.verbs, this.aim, new Map((this.acting?.options ?? []).map((one, at) => [one.id, at]))));
  readonly best = $derived.by((): string | null => {
    const all = Object.values(this.weighed);
    const found = all.filter((one) => one.best);
    const options = (this.acting ?? this.question)?.options ?? [];
    // Where only one of several was weighed, nothing is the best.
    if (found.length !== 1 || (all.length < 2 && (options.length > 1 || this.leftOut > 0))) return null;
    if (this.acting) return found[0]!.id;
    // Of what comes to the same, the likeliest.
    const likely = (id: string): number => {
      const offer = options.find((one) => one.id === id);
      return (offer && this.answered(offer)?.percent) ?? 0;
    };
    return all.filter((one) => one.value === found[0]!.value).reduce((most, one) => (likely(one.id) > likely(most.id) ? one : most), found[0]!).id;
  });
  /** Whether something in sight promises more than the best: then the star says that it is the best overall. */
  readonly beaten = $derived.by((): boolean => {
    const offers = this.shown.flatMap((verb) => offerFor(verb, this.aim) ?? []);
    const best = offers.find((one) => one.id === this.best);
    const told = best ? this.promise(best) : null;
    if (!told || told.percent === null) return false;
    return offers.some((one) => {
      const other = one === best ? null : this.promise(one);
      const likelier = (other?.percent ?? 0) - told.percent!;
      const harder = other === null ? 0 : other.damage - told.damage;
      return other !== null && likelier >= 0 && harder >= 0 && likelier + harder > 0;
    });
  });
  readonly showsOdds = $derived.by(() => this.gm || this.table.settings.odds);
  readonly order = $derived.by(() => turnOrder(this.table, this.people, [this.aim, this.table.scene?.turn ?? null]));

  #bestTarget(): string | null {
    let found: string | null = null;
    let most = -Infinity;
    for (const verb of this.verbs) {
      for (const [target, offer] of verb.ways) {
        const value = this.weighed[offer.id]?.change;
        if (target && value !== undefined && value > most && this.byId.get(target)?.side !== this.actor?.side) [found, most] = [target, value];
      }
    }
    return found;
  }

  #nearest(): string | null {
    const place = (text: string | null | undefined): number[] | null => (/^-?\d+,-?\d+/.test(text ?? "") ? text!.split(",").map(Number) : null);
    const here = place(this.actor?.position);
    const foes = this.targets.filter((one) => one.side !== this.actor?.side && !one.down);
    const far = (one: Person): number => {
      const there = place(one.position);
      return here && there ? Math.max(Math.abs(here[0]! - there[0]!), Math.abs(here[1]! - there[1]!)) : 0;
    };
    const possible = foes.length > 0 ? foes : this.targets.filter((one) => one.side !== this.actor?.side);
    return [...possible].sort((a, b) => far(a) - far(b))[0]?.id ?? null;
  }

  aimAt(id: string): void {
    if (this.targets.some((one) => one.id === id)) this.chosen = id;
  }

  /** Aim at the next one, or at the one before. */
  aimBy(step: number): void {
    const all = this.targets;
    if (all.length === 0) return;
    const at = all.findIndex((one) => one.id === this.aim);
    this.chosen = all[(at + step + all.length) % all.length]!.id;
  }

  promise(offer: Offer | undefined): Promise_ | null {
    if (!offer) return null;
    const weighed = this.weighed[offer.id];
    const odds = weighed?.odds;
    const words = chanceText(offer, weighed);
    const told = chanceParts(words);
    if (!odds && !told) return null;
    // What an attack does in the end counts; of everything else, that it works.
    const hurts = odds !== undefined && odds.hits > 0;
    return {
      percent: hurts ? Math.round(odds.hits * 100) : (told?.percent ?? null),
      of: hurts ? play.bar.hurt : (told?.of ?? ""),
      words,
      damage: odds?.harm ?? 0,
      fells: odds?.fells ?? 0,
      risk: odds?.risk ?? 0,
      exact: odds?.exact["hits"] ?? "",
    };
  }

  /** Whether the question is how to meet something: then the chance is that it does nothing. */
  readonly defends = $derived.by((): boolean => {
    const about = this.question?.about ?? {};
    return ["attacker", "by", "against"].some((name) => typeof about[name] === "string" && this.byId.has(about[name])) || /defen[cd]|deflect|block/i.test(this.question?.question ?? "");
  });

  /** What an answer promises; the chance is always that it goes well for whoever chooses. */
  answered(offer: Offer): Answered | null {
    const weighed = this.weighed[offer.id];
    const text = chanceText(offer, weighed);
    const told = chanceParts(text);
    // Where it is certain that something comes, its size is the number.
    const sized = told ? null : /^((?:under )?[\d.,]+) (damage)$/.exec(text);
    if (sized) return { percent: null, figure: sized[1]!.replace("under ", "<"), of: sized[2]!, rest: "" };
    if (told && this.defends && told.of === play.bar.hit) {
      // what else the attack may do is no chance of the one who defends
      return { percent: 100 - told.percent, of: play.ask.notHit, rest: told.rest.split(", ").filter((one) => !one.includes("%")).join(", ") };
    }
    if (told) return told;
    const odds = weighed?.odds;
    if (this.defends && odds && Object.values(this.weighed).some((other) => (other.odds?.risk ?? 0) > 0)) return { percent: Math.round((1 - odds.risk) * 100), of: play.ask.unhurt, rest: "" };
    return odds && odds.hits > 0 ? { percent: Math.round(odds.hits * 100), of: play.bar.hurt, rest: "" } : null;
  }

  /** The chance on somebody's token: that of the verb that is pointed at, else of the first verb. */
  chanceAt(id: string): number | null {
    const verb = this.shown.find((one) => one.key === this.pointed) ?? this.shown.find((one) => one.ways.has(id) && !one.ways.has(""));
    const found = verb?.ways.has(id) ? this.promise(verb.ways.get(id)) : null;
    return found?.percent ?? null;
  }

  /** The chosen answer to a follow-up question: what the reader set, else the advised one where it is free. */
  answerTo(offer: Offer, step: Asked): string {
    const set = this.answers[`${offer.id.split(":")[0]} ${step.question}`];
    const ids = (step.options ?? []).map((one) => one.id);
    if (set !== undefined && ids.includes(set)) return set;
    const best = step.options?.find((one) => one.id === step.best);
    return best && isFree(best) ? best.id : (step.default ?? ids[0] ?? "");
  }

  setAnswer(offer: Offer, step: Asked, option: string): void {
    this.answers[`${offer.id.split(":")[0]} ${step.question}`] = option;
  }

  /** Do something of the turn, with everything that was chosen beside it. */
  async take(offer: Offer, key: string = offer.id): Promise<void> {
    const question = this.question;
    if (!question || this.sending !== null) return;
    const plan: Planned[] = (this.ahead[offer.id] ?? []).map((step) => ({ question: step.question ?? "", option: this.answerTo(offer, step) }));
    if (this.before && !this.isTurn) {
      const option = this.declared || this.before.option;
      this.#plan = [{ question: this.before.turn.question ?? "", option: offer.id }, ...plan];
      await this.send({ option }, key);
    } else {
      this.#plan = plan;
      await this.send({ option: offer.id }, key);
    }
  }

  /** Answer the open question. */
  async send(answer: Record<string, Json>, key: string, planned = false): Promise<boolean> {
    const question = this.question;
    if (!question || this.sending !== null) return false;
    const sent = { question: question.id ?? "", key, planned };
    this.#sent = sent;
    this.slow = false;
    this.refused = null;
    this.failed = null;
    const late = setTimeout(() => (this.slow = this.#sent === sent), 3_000);
    try {
      await this.live.act({ do: "answer", ...(question.id ? { question: question.id } : {}), ...answer });
      return true;
    } catch (problem) {
      this.#plan = [];
      if (problem instanceof Problem && problem.status >= 500) this.failed = { what: key, again: () => void this.send(answer, key) };
      else this.refused = { key, text: problem instanceof Error ? problem.message : String(problem), rule: problem instanceof Problem ? (problem.rule ?? null) : null };
      return false;
    } finally {
      clearTimeout(late);
      if (this.#sent === sent) this.#sent = null;
    }
  }

  /** What was chosen beforehand is answered when it is asked; anything else that is asked ends the plan. */
  goOn(): void {
    const next = this.#plan[0];
    const question = this.question;
    if (!next || this.sending !== null || !question) return;
    if (this.mine && question.question === next.question && question.options?.some((one) => one.id === next.option)) {
      this.#plan = this.#plan.slice(1);
      void this.send({ option: next.option }, next.option, true);
    } else if (this.mine) this.#plan = [];
  }

  /** What the options promise, worked out beside the table while one thinks. */
  async weigh(signal: AbortSignal): Promise<void> {
    this.weighing = true;
    try {
      for (const first of ["&first=1", ""]) {
        const found = await get<{ options: Weighed[]; left_out?: string[] }>(`/campaigns/${this.live.campaign}/advice?quiet=1${first}`, signal);
        this.weighed = Object.fromEntries(found.options.map((one) => [one.id, one]));
        this.leftOut = found.left_out?.length ?? 0;
        if (this.leftOut === 0) break; // else asked once more, with the usual time
      }
    } catch {
      // without advice the verbs stand as they are; it is asked for again when the scene changes
    }
    if (!signal.aborted) this.weighing = false;
  }

  /** Which choices the verbs in sight lead to. */
  async look(offers: Offer[], signal: AbortSignal): Promise<void> {
    const wanted = offers.map((one) => one.id).filter((id) => !(id in this.ahead)).slice(0, LOOK_AHEAD);
    if (wanted.length === 0) return;
    try {
      const found = await post<{ next: Record<string, Asked[]> }>(`/campaigns/${this.live.campaign}/ahead?quiet=1`, { options: wanted }, signal);
      this.ahead = { ...this.ahead, ...Object.fromEntries(wanted.map((id) => [id, found.next[id] ?? []])) };
      if (!this.stepped && Object.keys(found.next).length > 0) {
        this.stepped = true;
        keepStepped(this.table.campaign.system);
      }
    } catch {
      // the choice is asked for when the option is taken
    }
  }

  /** Whether a question comes before a turn, and what the turn would be. */
  async lookBeyond(option: string, signal: AbortSignal): Promise<void> {
    const id = this.question?.id;
    if (!id) return;
    try {
      const found = await post<{ next: Record<string, Asked[]> }>(`/campaigns/${this.live.campaign}/ahead?quiet=1`, { options: [option] }, signal);
      const turn = found.next[option]?.at(-1);
      if (turn?.advice && this.question?.id === id) {
        this.before = { question: id, option, turn };
        this.weighed = Object.fromEntries(turn.advice.map((one) => [one.id, one]));
      }
    } catch {
      // it is asked as any other question
    }
    if (!signal.aborted) this.#looked = id;
  }

  /** A question that stands before the reader's own turn, and may be answered together with it. */
  readonly precedes = $derived.by((): boolean => {
    const question = this.question;
    const about = question?.about ?? {};
    return this.mine && question?.kind === "choice" && !this.isTurn && about["who"] === this.table.scene?.turn && about["attacker"] === undefined && about["kind"] === undefined && about["target"] === undefined && !question.so_far && (question.options ?? []).every((one) => /^\d+$/.test(one.id) || one.id === question.default);
  });

  forget(): void {
    this.weighed = {};
    this.leftOut = 0;
    this.ahead = {};
    this.before = null;
    this.#looked = "";
    this.declared = "";
    this.refused = null;
  }

  offersInSight(): Offer[] {
    return this.shown.flatMap((verb) => offerFor(verb, this.aim) ?? []);
  }
}

const STEPPED = "tablewright-stepped";

function wasStepped(game: string): boolean {
  try {
    return (localStorage.getItem(STEPPED) ?? "").split(" ").includes(game);
  } catch {
    return false;
  }
}

function keepStepped(game: string): void {
  try {
    localStorage.setItem(STEPPED, [localStorage.getItem(STEPPED) ?? "", game].join(" ").trim());
  } catch {
    // then the cards grow once when the choices come
  }
}

export const isFree = (offer: Offer): boolean => {
  const cost = offer.costs ?? offer.cost;
  return !cost || cost === "nothing" || cost === "free" || cost === "no penalty";
};

export const costOf = (offer: Offer): string => {
  const cost = offer.costs || offer.cost;
  return !cost || cost === "nothing" ? "" : minus(cost);
};

export type { Verb };
