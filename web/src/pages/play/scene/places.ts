// Where people stand, in cells, and where they may go.
import type { LiveTable } from "../../../api/table.svelte";
import type { TableState } from "../../../api/types";
import { play } from "../../../strings/play";
import type { Asked, Offer } from "../options";
import type { Person } from "../people";

export type Cell = [number, number];

export const cellAt = (text: string | null | undefined): Cell | null => {
  const found = /^(-?\d+),(-?\d+)/.exec(text ?? "");
  return found ? [Number(found[1]), Number(found[2])] : null;
};

/** Everybody's cell; where a scene has no places, the two sides face each other. */
export function spread(people: Person[]): Map<string, Cell> {
  const here = people.filter((one) => one.present);
  const placed = here.flatMap((one): [string, Cell][] => {
    const cell = cellAt(one.position);
    return cell ? [[one.id, cell]] : [];
  });
  const found = new Map(placed);
  const rest = here.filter((one) => !found.has(one.id));
  if (placed.length > 0 && rest.length === 0) return found;
  for (const side of ["us", "foe", "neutral"] as const) {
    const some = rest.filter((one) => one.side === side);
    const rows = Math.min(5, Math.max(1, Math.ceil(Math.sqrt(some.length * 1.6))));
    some.forEach((one, at) => {
      const column = Math.floor(at / rows);
      const row = at % rows;
      const x = side === "us" ? 3 - column * 1.5 : 7 + column * 1.5;
      found.set(one.id, [x, row * 1.5 + (5 - Math.min(rows, some.length)) * 0.75 + (column % 2) * 0.5]);
    });
  }
  return found;
}

export interface Area {
  left: number;
  top: number;
  wide: number;
  tall: number;
}

const ACROSS = 18;

/** The area of a picture, in cells, with the shape of the picture. */
export const areaOf = (picture: { width: number; height: number }): Area => ({ left: 0, top: 0, wide: ACROSS, tall: (ACROSS * picture.height) / picture.width });

/** Cells on a picture: where each was put, else the usual place, around the middle. */
export function onMap(cells: Map<string, Cell>, area: Area, tokens: Record<string, number[]>): Map<string, Cell> {
  const some = [...cells.values()];
  const middle = (axis: 0 | 1): number => (some.length > 0 ? (Math.min(...some.map((one) => one[axis])) + Math.max(...some.map((one) => one[axis]))) / 2 : 0);
  const [x, y] = [area.wide / 2 - 0.5 - middle(0), area.tall / 2 - 0.5 - middle(1)];
  return new Map(
    [...cells].map(([id, cell]): [string, Cell] => {
      const put = tokens[id];
      return [id, put ? [((put[0] ?? 0) / 1000) * area.wide - 0.5, ((put[1] ?? 0) / 1000) * area.tall - 0.5] : [cell[0] + x, cell[1] + y]];
    }),
  );
}

/** The middle of a cell, in thousandths of a picture. */
export function thousandths(cell: Cell, area: Area): { x: number; y: number } {
  const part = (at: number, whole: number): number => Math.max(0, Math.min(1000, Math.round(((at + 0.5) / whole) * 1000)));
  return { x: part(cell[0], area.wide), y: part(cell[1], area.tall) };
}

/** Several may stand on one cell: they are drawn side by side. */
export function apart(cells: Map<string, Cell>): Map<string, { cell: Cell; of: number; place: number }> {
  const counts = new Map<string, number>();
  for (const cell of cells.values()) counts.set(cell.join(), (counts.get(cell.join()) ?? 0) + 1);
  const seen = new Map<string, number>();
  return new Map(
    [...cells].map(([id, cell]) => {
      const key = cell.join();
      const place = seen.get(key) ?? 0;
      seen.set(key, place + 1);
      return [id, { cell, of: counts.get(key) ?? 1, place }];
    }),
  );
}

/** Options that name a cell can be taken on the map. */
export function goalsOf(question: Asked | null, place: RegExp): Map<string, Offer> {
  const found = new Map<string, Offer>();
  for (const option of question?.options ?? []) {
    const named = place.exec(option.id)?.[1];
    if (named !== undefined && !found.has(named)) found.set(named, option);
  }
  return found;
}

export const CELLS = /(?:^|:)(-?\d+,-?\d+)(?:,-?\d+)?$/;
export const ZONES = /(?:^|:)(?:zone|spot):([^:]+)$/;

/** Put somebody somewhere because the game master says so. */
export async function ruleTo(live: LiveTable, table: TableState, who: string, where: string): Promise<void> {
  if (table.scene?.participants.find((one) => one.id === who)?.position === where) return;
  await live.act({ do: "start", process: "table.rule", with: { who, field: "position", value: where, reason: play.scene.moved } });
}
