// What the server tells of the tables at home.

export interface SceneGlance {
  form: string;
  title: string;
  round?: number;
  turn?: string | null;
  ended?: string | null;
  participants?: { name: string; side: string; present: boolean; health: unknown }[];
}

export interface TableGlance {
  id: string;
  title: string;
  system: string;
  played: string;
  closed?: string | null;
  scene: SceneGlance | null;
}

export interface Lobby {
  host: boolean;
  campaigns: TableGlance[];
}

/** A link before it is opened. */
export interface LinkGlance {
  open: boolean;
  host?: boolean;
  asks_name?: boolean;
  campaign?: string;
  system?: string;
  role?: string;
  game_master?: string;
  name?: string | null;
  scene?: { form: string; title: string } | null;
  characters?: { id: string; name: string; about: string; player: string | null }[];
}

export interface Entered {
  host: boolean;
  id?: string;
  campaign?: string;
  system?: string;
  role?: string;
  approved?: boolean;
}

export const isFight = (table: TableGlance): boolean => table.scene?.form === "encounter" && !table.scene.ended && (table.scene.participants?.length ?? 0) > 0;
