// Types of server responses, as far as pages read them. Request types are in schema.d.ts, generated from OpenAPI.
import type { components } from "./schema";

export type Sent = components["schemas"];
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Schema {
  type?: string;
  enum?: Json[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[] | boolean;
  description?: string;
  default?: Json;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  title?: string;
}

export interface Parameter extends Omit<Schema, "required"> {
  name: string;
  required?: boolean;
}

export interface SystemShort {
  id: string;
  title: string;
  summary?: string;
  version: string;
  finished: boolean;
  rules: number;
  mechanics: string[];
  scenarios: string[];
}

export interface CheckInfo {
  id: string;
  title: string;
  rules: string[];
  situation: Parameter[];
}

export interface ProcessInfo {
  name: string;
  about: string;
  rules: string[];
  parameters: Parameter[];
}

export interface SystemInfo extends SystemShort {
  creation: Parameter[];
  checks: CheckInfo[];
  processes: ProcessInfo[];
  kinds: string[];
  policies: Record<string, string>;
  templates: { kind: string; id: string; name: string }[];
  rolls: { name: string; title: string; about: string }[];
}

export interface MechanicInfo {
  name: string;
  documentation: string;
  rules: string[];
  parameters: Schema;
  result: Schema;
  objectives: string[];
  /** Initial arguments of a form. */
  typical: Record<string, Json>;
}

export interface Outcome {
  outcome: Json;
  probability: number;
  exact: string;
}

export interface Odds {
  mechanic?: string;
  notation?: string;
  arguments?: Record<string, Json>;
  outcomes: Outcome[];
  fields?: { field: string; probability?: number; mean?: number; exact?: string; mean_exact?: string }[];
  objective?: string;
  expected?: number;
  expected_exact?: string;
  /** True if outcomes were cut. */
  page?: { after: number; of: number };
  /** The chance that the rule starts over, and the chance of outcomes beyond the listed ones. */
  again?: { probability: number; exact: string };
  remainder?: { probability: number; exact: string };
}

export interface Advice {
  objective: string;
  value: number;
  exact: string;
  choices: {
    question: string;
    seat: string;
    given: Json[];
    probability: number;
    options: { option: Json; value: number; exact: string; best: boolean }[];
  }[];
}

export interface TallyPart {
  label: string;
  changed: number;
  rule: string | null;
  counts: boolean;
  note: string;
}

export interface Tally {
  label: string;
  base: number;
  rule: string | null;
  parts: TallyPart[];
  total?: number;
  reads?: string;
}

export interface PlannedCheck {
  check: string;
  title: string;
  rules: string[];
  tallies: Record<string, Tally>;
  odds: Odds;
  hint: string;
}

export interface SheetEntry {
  label: string;
  value: Json;
  tally: Tally | null;
  note: string;
  rule: string | null;
}

export interface Cell {
  value: Json;
  tally?: Tally | null;
}

export interface SheetSection {
  title: string;
  entries: SheetEntry[];
  columns: string[];
  rows: Cell[][];
  text: string;
}

export interface Sheet {
  title: string;
  subtitle: string;
  sections: SheetSection[];
}

export interface Legality {
  ok: boolean;
  violations: { rule: string; where: string; message: string }[];
}

export interface Made {
  system: string;
  character: Record<string, Json>;
  legality: Legality;
  messages: string[];
  sheet: Sheet;
  markdown: string;
}

export interface Offer {
  id: string;
  label: string;
  cost: number;
  note: string;
  rule: string | null;
  /** Description and effect of a content entry. */
  about?: string;
  gives?: string[];
}

/** An item in this character's hands: its rows on the sheet, and other figures that it changes. */
export interface Thing {
  title: string;
  columns: string[];
  rows: string[][];
  changes: string[];
}

/** A figure of a character under construction, in words; `before` is set where an option would change it. */
export interface MakingFigure {
  group: string;
  name: string;
  value: string;
}

export interface MakingChange extends MakingFigure {
  before: string;
  /** The change in words; for a row with several cells, only the cells that differ. */
  said?: string;
}

/** Sheet changes of each purchase of an advancement, by option id. */
export interface Growth {
  id: string;
  figures: MakingFigure[];
  options: Record<string, { changes: MakingChange[]; then: string; about?: string; gives?: string[] }>;
  closed: Record<string, string>;
  complete: boolean;
}

export interface Making {
  answers: number;
  done: boolean;
  roll?: string;
  question?: string;
  step?: { id: string; title: string } | null;
  budget?: { label: string; total: number; spent: number; left: number; rule: string | null } | null;
  note?: string;
  shown?: Record<string, Json>;
  options?: Offer[];
  closed?: { id: string; label?: string; reason: string; sentence?: string; rule: string | null }[];
  /** Answers so far, in words. */
  taken?: { step: string; question: string; id: string | number[]; label: string }[];
  own_words?: boolean;
  figures?: MakingFigure[];
  /** Sheet changes of each open option, by id. */
  previews?: Record<string, MakingChange[]>;
  /** Effects of each item in this character's hands, by id, including items that are too expensive. */
  things?: Record<string, Thing>;
  /** Unusual choices, and the options that fix them. */
  warnings?: { id: string; text: string; remedies: string[] }[];
  made?: Made;
}

export interface RuleShort {
  id: string;
  title: string;
  system: string;
  citation: string;
  section: string;
  kind: string;
  snippet: string;
}

export interface RuleInfo extends RuleShort {
  rule: string;
  book: string;
  terms: { text: string; rule: string; title: string; about: string }[];
  ruling?: string;
  data?: Json;
  examples?: Json[];
  origin?: string;
  users: Record<string, Json>[];
}

interface OptionDeclared {
  name: string;
  default: Json;
  choices?: Json[];
  low?: number | null;
  high?: number | null;
  none?: boolean;
  rule: string;
  about: string;
}

export interface OptionInfo extends OptionDeclared {
  typical: { value: Json; check?: string; objective?: string; expected?: number; expected_exact?: string; chance?: boolean; refused?: string }[];
}

/** A rule option for one mechanic: the parameter it sets, and a typical check that it changes. */
export interface HouseRule extends OptionDeclared {
  parameter: string | null;
  typical: { value: Json; mechanic: string; arguments?: Record<string, Json>; objective?: string | null; refused?: string }[];
}

// ---------------------------------------------------------------- a table

export interface Step {
  roll?: string;
  faces?: number[];
  outcome?: Json;
  choice?: string;
  seat?: string;
  option?: Json;
  set?: string;
  reason?: string;
  again?: Json;
  on?: string;
  mechanic?: string;
}

export interface Trace extends Step {
  mechanic: string;
  arguments: Record<string, Json>;
  rules: string[];
  steps: (Step | Trace)[];
  result?: Json;
  actor?: string;
  tallies?: Record<string, Tally>;
}

export interface Line {
  number: number;
  at: string;
  scene?: string;
  kind: string;
  fact: Record<string, Json> | Trace;
  text?: string;
  /** True if undo covers the line although it belongs to no scene. */
  played?: boolean;
}

export interface Reason {
  text: string;
  amount: string;
  rule: string | null;
  title: string;
  parts: Reason[];
}

export interface DiceThrow {
  whose: string;
  what: string;
  dice: string;
  faces: { value: number; dropped?: boolean; again?: boolean; wild?: boolean; was?: number }[];
  plus: number;
  total: number | null;
  against: string;
  came: string;
}

/** One action with everything that belongs to it, in sentences. */
export interface Entry {
  kind: string;
  lines: [number, number];
  scene: string;
  who: string;
  headline: { text: string; id?: string }[];
  dice: DiceThrow[];
  after: { who: string; name: string; sort: string; amount: number | null; text: string }[];
  costs: { who: string; name: string; text: string }[];
  quiet: string;
  why: Reason | null;
}

export interface Participant {
  id: string;
  name: string;
  side: string;
  seat: string;
  position: string | null;
  present: boolean;
  health: Json;
  status: Record<string, Json>;
  words?: string;
  hidden?: boolean;
  /** True while the participant is in the fight. */
  standing?: boolean;
  /** Remaining resources, for seats that may see them. */
  left?: Record<string, { now: number; most: number }>;
}

export interface Ground {
  kind: string;
  size?: number[];
  blocked?: string[];
  difficult?: Record<string, Json>;
  zones?: string[];
  links?: { between: [string, string]; passable?: boolean }[];
}

export interface Scene {
  id: string;
  form: string;
  title: string;
  round: number;
  turn: string | null;
  order: string[];
  acted: string[];
  ended: string | null;
  participants: Participant[];
  ground?: Ground;
  modifiers: Record<string, Json>[];
  options: Record<string, Json>;
  lying: Record<string, Json>[];
}

export interface Option {
  id: string;
  label: string;
  cost: string;
  odds?: Json;
}

export interface Question {
  waiting?: string;
  id?: string;
  kind?: "roll" | "choice";
  seat?: string;
  dice?: string;
  question?: string;
  about?: Record<string, Json>;
  options?: Option[];
  closed?: { id: string; reason: string; rule: string | null; label: string }[];
  default?: string;
  so_far?: Trace;
}

export interface Hero {
  id: string;
  name: string;
  seat: string | null;
  character?: Record<string, Json>;
  known?: boolean;
}

export interface SeatInfo {
  id: string;
  name: string;
  role: string;
  approved?: boolean;
  dice?: string;
}

export interface Note {
  id: string;
  by: string;
  text: string;
}

/** A handout; only the game master sees its readers. */
export interface Handout {
  id: string;
  title: string;
  text: string;
  picture: string | null;
  seats?: string[] | "everyone";
}

export interface TableState {
  campaign: { id: string; title: string; system: string };
  you: { seat: string; name: string; role: "gm" | "player" | "spectator"; dice: "auto" | "ask"; characters: string[] };
  clock: { now: number; words: string };
  options: Record<string, Json>;
  settings: { players_start: string[]; players_add: boolean; players_legal?: boolean; odds: boolean; harm: string };
  packs: { id: string; title: string; version: string; known?: boolean }[];
  characters: Hero[];
  seats: SeatInfo[];
  notes: Note[];
  older_notes: number;
  portraits?: Record<string, string>;
  map?: { picture: string; width: number; height: number; tokens?: Record<string, number[]> } | null;
  handouts?: Handout[];
  scenes: { id: string; form: string; title: string; ended: boolean; outcome: string }[];
  scene: Scene | null;
  question: Question | null;
  proposal: { by: string; entry: Json } | null;
  encounters: { id: string; title: string }[];
  can: { redo: boolean; take_back: boolean };
}

export interface View extends TableState {
  cursor: number;
  last: number;
  lines: Line[];
}

export interface Preview {
  do: string;
  lines: { number: number; fate: "stays" | "changes" | "drops" | "comes"; text: string; becomes: string[] }[];
  left_out: number;
  confirm: string;
}
