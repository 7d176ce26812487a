// What is prepared, and what the server tells of it.
import type { Json, Entry } from "../../api/types";

export interface Entrant {
  id: string;
  side: string;
  character: Json;
  position?: string;
  policy?: string;
  seat?: string;
  [more: string]: Json | undefined;
}

export interface Scenario {
  title: string;
  system?: string;
  participants: Entrant[];
  ground?: { kind: string; size?: number[] };
  [more: string]: Json | Entrant[] | undefined;
}

export interface Figure {
  value: number;
  low: number | null;
  high: number | null;
}

export interface Result {
  fights: number;
  seed: number;
  won: Record<string, Figure>;
  rounds: { mean: Figure; tenth: Figure; median: Figure; ninetieth: Figure };
  people: Record<string, { falls: Figure; dies: Figure; dealt: Figure; taken: Figure }>;
  examples: Record<string, number[]>;
}

export interface Job {
  id: string;
  state: string;
  runs: number;
  seconds: number;
  result?: Result;
  before?: Result;
  difference?: { won: Record<string, Figure>; falls: Record<string, Figure> };
  problem?: { detail: string };
}

export interface Meeting {
  who: string;
  side: string;
  hits: number;
  harm: number;
  by_target: Record<string, { label: string; hits: number; harm: number; exact: { hits: string } }>;
}

export interface Fought {
  number: number;
  winner: string | null;
  rounds: number;
  entries: Entry[];
}

export interface ScenarioShort {
  name: string;
  title: string;
  about: string;
  sides: { side: string; count: number }[];
}
