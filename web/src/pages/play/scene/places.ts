// Where people stand, in cells, and where they may go.
import type { LiveTable } from "../../../api/table.svelte";
import type { TableState } from "../../../api/types";
import { play } from "../../../strings/play";
import type { Asked, Offer } from "../options";
import type { Person } from "../people";
import { CELL } from "./viewport.svelte";

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

/** Several may stand on one cell: they are drawn in rows and columns within it, by as much smaller. */
export function apart(cells: Map<string, Cell>): Map<string, { x: number; y: number; size: number }> {
  const groups = new Map<string, string[]>();
  for (const [id, cell] of cells) groups.set(cell.join(), [...(groups.get(cell.join()) ?? []), id]);
  return new Map(
    [...cells].map(([id, cell]) => {
      const group = groups.get(cell.join()) ?? [id];
      const columns = Math.ceil(Math.sqrt(group.length));
      const rows = Math.ceil(group.length / columns);
      const step = CELL / columns;
      const place = group.indexOf(id);
      const size = group.length === 1 ? 48 : Math.max(20, step);
      return [id, { x: cell[0] * CELL + ((place % columns) - (columns - 1) / 2) * step, y: cell[1] * CELL + (Math.floor(place / columns) - (rows - 1) / 2) * step, size }];
    }),
  );
}

/** Somebody on the map with a name: in pixels of the ground before it is zoomed. */
export interface Named {
  id: string;
  name: string;
  x: number;
  y: number;
  size: number;
  /** The health stands below the name. */
  lines: 1 | 2;
  /** A chance stands at the right. */
  chance: boolean;
}

export type NamePlace = "below" | "above" | "none";
const places = ["below", "above"] as const;

/** Where each name has room beside the names before it; one without room is shown when it is pointed at. */
export function namePlaces(all: Named[], zoom: number): Map<string, NamePlace> {
  const font = Math.max(11 / zoom, 9.5);
  const chance = Math.max(11 / zoom, 10);
  const taken: { left: number; right: number; top: number; bottom: number }[] = all.filter((one) => one.chance).map((one) => ({ left: one.x + 26 + one.size / 2, right: one.x + 26 + one.size / 2 + 3 * chance, top: one.y + 3, bottom: one.y + 3 + 1.6 * chance }));
  return new Map(
    all.map((one) => {
      const half = (Math.min(15, one.name.length) * 0.55 + 1) * font * 0.5;
      const tall = (one.lines + 0.56) * font;
      const middle = one.x + CELL / 2;
      const centre = one.y + CELL / 2 - 3;
      // A name lies over the edge of its own portrait; over another's only where there is no other room.
      const faces = all.filter((other) => other !== one).map((other) => ({ left: other.x + CELL / 2 - other.size / 2 + 2, right: other.x + CELL / 2 + other.size / 2 - 2, top: other.y + CELL / 2 - 3 - other.size / 2 + 6, bottom: other.y + CELL / 2 - 3 + other.size / 2 - 8 }));
      const found = [...places.map((place) => ({ place, over: false })), ...places.map((place) => ({ place, over: true }))].find(({ place, over }) => {
        const top = place === "below" ? centre + one.size / 2 - 7 : centre - one.size / 2 - tall + 6;
        const box = { left: middle - half, right: middle + half, top, bottom: top + tall };
        if ([...taken, ...(over ? [] : faces)].some((other) => other.left < box.right && box.left < other.right && other.top < box.bottom && box.top < other.bottom)) return false;
        taken.push(box);
        return true;
      });
      return [one.id, found?.place ?? "none"];
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
