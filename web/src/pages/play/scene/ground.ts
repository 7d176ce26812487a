// The ground of a scene, painted once: earth with patches, walls as blocks of stone, rough ground with rubble.
import type { Ground } from "../../../api/types";
import { CELL } from "./viewport.svelte";

/** The part of the ground that is painted, in cells. */
export interface Extent {
  left: number;
  top: number;
  wide: number;
  tall: number;
}

const AROUND = 14;

export function extentOf(ground: Ground | undefined, places: [number, number][]): Extent {
  const size = ground?.size;
  const xs = [...places.map((one) => one[0]), ...(size && size.length >= 2 ? [0, size[0]! - 1] : [])];
  const ys = [...places.map((one) => one[1]), ...(size && size.length >= 2 ? [0, size[1]! - 1] : [])];
  if (xs.length === 0) return { left: -AROUND, top: -AROUND, wide: 2 * AROUND, tall: 2 * AROUND };
  const [left, top] = [Math.min(...xs) - AROUND, Math.min(...ys) - AROUND];
  return { left, top, wide: Math.max(...xs) - left + AROUND + 1, tall: Math.max(...ys) - top + AROUND + 1 };
}

const cellOf = (text: string): [number, number] | null => {
  const found = /^(-?\d+),(-?\d+)/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : null;
};

function random(seed: string): () => number {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507);
    state = Math.imul(state ^ (state >>> 13), 3266489909);
    state ^= state >>> 16;
    return (state >>> 0) / 4294967296;
  };
}

const GRASS = 128;
const EARTH = 78;
const WATER = 232;
const WET = /bridge|river|ford|lake|shore|harbou?r|coast|brook/i;
const PAVED = /bridge|yard|keep|castle|hall|street|square|market|temple|mill|court/i;
const DRY = /pass|road|desert|hill|mountain|mine|cave|ruin/i;

type Paper = CanvasRenderingContext2D;
type Next = () => number;

/** Water that crosses the field from top to bottom. */
function paintRiver(paper: Paper, next: Next, x: number, y: number, w: number, h: number, wide: number, tall: number): void {
  const [left, right] = [x + w * 0.3, x + w * 0.72];
  const bank = (by: number): void => {
    paper.beginPath();
    paper.moveTo(left - by + 40, 0);
    paper.bezierCurveTo(left - by - 30, tall * 0.35, left - by + 30, tall * 0.65, left - by - 70, tall);
    paper.lineTo(right + by + 60, tall);
    paper.bezierCurveTo(right + by - 20, tall * 0.65, right + by + 40, tall * 0.35, right + by - 30, 0);
    paper.closePath();
  };
  paper.fillStyle = `oklch(0.68 0.05 ${EARTH})`;
  bank(34);
  paper.fill();
  const deep = paper.createLinearGradient(left, 0, right, 0);
  deep.addColorStop(0, `oklch(0.55 0.06 ${WATER})`);
  deep.addColorStop(0.5, `oklch(0.46 0.065 ${WATER})`);
  deep.addColorStop(1, `oklch(0.55 0.06 ${WATER})`);
  paper.fillStyle = deep;
  bank(0);
  paper.fill();
  paper.strokeStyle = `oklch(0.8 0.03 ${WATER} / 0.4)`;
  paper.lineWidth = 3;
  paper.lineCap = "round";
  for (let count = 0; count < (w * tall) / 26_000; count += 1) {
    const [at, down, long] = [left + 30 + next() * Math.max(1, right - left - 60), next() * tall, 30 + next() * 80];
    paper.beginPath();
    paper.moveTo(at, down);
    paper.quadraticCurveTo(at + 12, down + long / 2, at - 4, down + long);
    paper.stroke();
  }
  void wide;
}

/** Flagstones under the whole field. */
function paintPaving(paper: Paper, next: Next, x: number, y: number, w: number, h: number): void {
  paper.fillStyle = `oklch(0.42 0.012 ${EARTH} / 0.55)`;
  paper.fillRect(x - 10, y - 6, w + 20, h + 18);
  paper.fillStyle = `oklch(0.56 0.014 ${EARTH})`;
  paper.fillRect(x - 6, y - 8, w + 12, h + 14);
  const tall = CELL / 2;
  for (let row = 0; row * tall < h; row += 1) {
    let at = x - (row % 2) * CELL * 0.6;
    while (at < x + w) {
      const long = CELL * (0.8 + next() * 0.9);
      const [from, to] = [Math.max(x, at), Math.min(x + w, at + long)];
      if (to - from > 8) {
        paper.fillStyle = `oklch(${0.6 + next() * 0.1} ${0.01 + next() * 0.012} ${EARTH - 10 + next() * 30})`;
        paper.beginPath();
        paper.roundRect(from + 1.5, y + row * tall + 1.5, to - from - 3, tall - 3, 5);
        paper.fill();
      }
      at += long;
    }
  }
  paper.strokeStyle = `oklch(0.36 0.012 ${EARTH} / 0.7)`;
  paper.lineWidth = 5;
  paper.strokeRect(x - 4, y - 4, w + 8, h + 8);
}

/** A road that crosses the field from left to right, with ruts and pebbles. */
function paintRoad(paper: Paper, next: Next, x: number, y: number, w: number, h: number, wide: number): void {
  const [middle, half] = [y + h / 2, Math.min(CELL * 2.2, h * 0.22)];
  const along = (off: number): void => {
    paper.beginPath();
    paper.moveTo(0, middle + off + 30);
    paper.bezierCurveTo(x, middle + off - 50, x + w / 2, middle + off + 50, x + w, middle + off);
    paper.lineTo(wide, middle + off - 20);
  };
  paper.lineCap = "butt";
  paper.lineWidth = half * 2;
  paper.strokeStyle = `oklch(0.76 0.065 ${EARTH} / 0.75)`;
  along(0);
  paper.stroke();
  paper.lineWidth = 7;
  paper.strokeStyle = `oklch(0.58 0.055 ${EARTH - 8} / 0.5)`;
  for (const off of [-half * 0.45, half * 0.45]) {
    along(off);
    paper.stroke();
  }
  for (let count = 0; count < w / 9; count += 1) {
    paper.fillStyle = `oklch(${0.55 + next() * 0.22} 0.02 ${EARTH} / 0.8)`;
    paper.beginPath();
    paper.ellipse(x + next() * w, middle + (next() - 0.5) * half * 2.4, 2 + next() * 5, 2 + next() * 3, next() * 3, 0, Math.PI * 2);
    paper.fill();
  }
}

/** Trees and rocks where nobody fights. */
function paintTrees(paper: Paper, next: Next, x: number, y: number, w: number, h: number, wide: number, tall: number, wet: boolean): void {
  for (let count = 0; count < 90; count += 1) {
    const [at, down] = [next() * wide, next() * tall];
    const size = 26 + next() * 46;
    if (at > x - size * 1.4 && at < x + w + size * 1.4 && down > y - size * 1.4 && down < y + h + size * 1.4) continue;
    if (wet && at > x + w * 0.2 && at < x + w * 0.84) continue;
    const stone = next() < 0.25;
    paper.fillStyle = "oklch(0.2 0.03 130 / 0.35)";
    paper.beginPath();
    paper.ellipse(at + 6, down + 10, stone ? size * 0.5 : size, stone ? size * 0.35 : size * 0.92, 0, 0, Math.PI * 2);
    paper.fill();
    for (let leaf = 0; leaf < (stone ? 1 : 5); leaf += 1) {
      const [dx, dy, r] = stone ? [0, 0, size * 0.45] : [(next() - 0.5) * size, (next() - 0.5) * size, size * (0.45 + next() * 0.3)];
      paper.fillStyle = stone ? `oklch(${0.55 + next() * 0.1} 0.012 ${EARTH})` : `oklch(${0.4 + next() * 0.14} 0.075 ${GRASS + next() * 18})`;
      paper.beginPath();
      paper.arc(at + dx, down + dy, r, 0, Math.PI * 2);
      paper.fill();
    }
  }
}

/** Paint the ground. The same scene looks the same every time; words of its title say what it is like. */
export function paintGround(canvas: HTMLCanvasElement, extent: Extent, ground: Ground | undefined, seed: string): void {
  const sharp = Math.min(1, 2600 / (Math.max(extent.wide, extent.tall) * CELL));
  canvas.width = Math.round(extent.wide * CELL * sharp);
  canvas.height = Math.round(extent.tall * CELL * sharp);
  const paper = canvas.getContext("2d");
  if (!paper) return;
  const next = random(seed);
  const hue = DRY.test(seed) ? EARTH : GRASS;
  const earth = (light: number, chroma: number, turn = 0, alpha = 1): string => `oklch(${light} ${chroma} ${hue + turn} / ${alpha})`;
  paper.scale(sharp, sharp);
  const [wide, tall] = [extent.wide * CELL, extent.tall * CELL];
  paper.fillStyle = earth(0.62, 0.06);
  paper.fillRect(0, 0, wide, tall);
  // broad patches, then blades and pebbles
  for (let count = 0; count < (extent.wide * extent.tall) / 7; count += 1) {
    const [x, y, size] = [next() * wide, next() * tall, CELL * (0.8 + next() * 2.6)];
    const patch = paper.createRadialGradient(x, y, 0, x, y, size);
    const light = 0.54 + next() * 0.17;
    patch.addColorStop(0, earth(light, 0.06, next() * 36 - 18, 0.5));
    patch.addColorStop(1, earth(light, 0.06, 0, 0));
    paper.fillStyle = patch;
    paper.fillRect(x - size, y - size, size * 2, size * 2);
  }
  paper.lineWidth = 2;
  for (let count = 0; count < extent.wide * extent.tall * 0.55; count += 1) {
    const [x, y] = [next() * wide, next() * tall];
    paper.strokeStyle = earth(0.46 + next() * 0.3, 0.07, next() * 30 - 15, 0.4);
    paper.beginPath();
    paper.moveTo(x - 4, y + 3);
    paper.lineTo(x - 2, y - 5);
    paper.moveTo(x + 1, y + 3);
    paper.lineTo(x + 4, y - 3);
    paper.stroke();
  }
  const size = ground?.size && ground.size.length >= 2 ? ground.size : [extent.wide - 2 * AROUND, extent.tall - 2 * AROUND];
  const [x0, y0, w, h] = [(ground?.size ? -extent.left : AROUND) * CELL, (ground?.size ? -extent.top : AROUND) * CELL, size[0]! * CELL, size[1]! * CELL];
  if (WET.test(seed)) paintRiver(paper, next, x0, y0, w, h, wide, tall);
  if (PAVED.test(seed)) paintPaving(paper, next, x0, y0, w, h);
  else {
    // the field itself is trodden and lighter than what lies around it
    const worn = paper.createRadialGradient(x0 + w / 2, y0 + h / 2, Math.min(w, h) * 0.2, x0 + w / 2, y0 + h / 2, Math.max(w, h) * 0.62);
    worn.addColorStop(0, `oklch(0.74 0.06 ${EARTH} / 0.5)`);
    worn.addColorStop(1, `oklch(0.7 0.06 ${EARTH} / 0)`);
    paper.fillStyle = worn;
    paper.fillRect(x0 - CELL * 4, y0 - CELL * 4, w + CELL * 8, h + CELL * 8);
    if (DRY.test(seed)) paintRoad(paper, next, x0, y0, w, h, wide);
  }
  paintTrees(paper, next, x0, y0, w, h, wide, tall, WET.test(seed));
  const at = (cell: [number, number]): [number, number] => [(cell[0] - extent.left) * CELL, (cell[1] - extent.top) * CELL];
  for (const name of Object.keys(ground?.difficult ?? {})) {
    const cell = cellOf(name);
    if (!cell) continue;
    const [x, y] = at(cell);
    paper.fillStyle = `oklch(0.5 0.04 ${EARTH} / 0.45)`;
    paper.fillRect(x, y, CELL, CELL);
    for (let stone = 0; stone < 6; stone += 1) {
      paper.fillStyle = `oklch(${0.5 + next() * 0.2} 0.012 ${EARTH} / 0.9)`;
      paper.beginPath();
      paper.ellipse(x + 8 + next() * (CELL - 16), y + 8 + next() * (CELL - 16), 4 + next() * 6, 3 + next() * 4, next() * 3, 0, Math.PI * 2);
      paper.fill();
    }
  }
  for (const name of ground?.blocked ?? []) {
    const cell = cellOf(name);
    if (!cell) continue;
    const [x, y] = at(cell);
    paper.fillStyle = `oklch(${0.28} 0.015 ${EARTH} / 0.5)`;
    paper.beginPath();
    paper.roundRect(x + 1, y + 5, CELL, CELL, 8);
    paper.fill();
    const light = 0.52 + next() * 0.07;
    const stone = paper.createLinearGradient(x, y, x, y + CELL);
    stone.addColorStop(0, `oklch(${light + 0.09} 0.012 ${EARTH} / 1)`);
    stone.addColorStop(1, `oklch(${light - 0.07} 0.012 ${EARTH} / 1)`);
    paper.fillStyle = stone;
    paper.beginPath();
    paper.roundRect(x + 1, y + 1, CELL - 2, CELL - 2, 8);
    paper.fill();
    paper.strokeStyle = `oklch(${0.34} 0.015 ${EARTH} / 0.8)`;
    paper.lineWidth = 2;
    paper.stroke();
    paper.strokeStyle = `oklch(${0.38} 0.012 ${EARTH} / 0.45)`;
    paper.beginPath();
    paper.moveTo(x + 3, y + CELL * 0.5);
    paper.lineTo(x + CELL - 3, y + CELL * 0.5);
    const split = x + CELL * (0.3 + next() * 0.4);
    paper.moveTo(split, y + 3);
    paper.lineTo(split, y + CELL * 0.5);
    paper.stroke();
  }
}
