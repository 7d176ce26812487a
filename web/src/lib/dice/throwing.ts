// Dice whose faces are known before they fall, drawn on one canvas. A convex body needs no depth: faces that look away
// are left out, and the others never cover each other.
import { about, after, cross, dot, facing, foremost, solidFor, turned, unit, type Solid, type Turn, type Vector } from "./solids";

export interface Die {
  sides: number;
  face: number;
  /** Dice of the same group lie together. */
  group: number;
  colour: string;
}

export interface Thrown {
  /** End the flight: the dice lie as they fell, from this frame on. */
  finish: () => void;
  /** Where the middle of each group lies, in pixels of the page. */
  middles: number[];
  /** Below the dice, in pixels of the page. */
  below: number;
}

interface Body {
  solid: Solid;
  labels: string[];
  rest: Turn;
  axis: Vector;
  yaw: number;
  colour: [number, number, number];
  x: number;
  y: number;
  from: number;
  delay: number;
}

export const FLIGHT = 1150;
const STAGGER = 55;
const LIGHT = unit([-0.45, 0.75, 0.85]);
const HALF = unit([LIGHT[0], LIGHT[1], LIGHT[2] + 1]);
const DEPTH = 0.16;
const SPIN = 12;
const NUMERAL: Record<number, number> = { 4: 0.52, 6: 0.82, 8: 0.56, 10: 0.5, 12: 0.5, 20: 0.38 };

/** What stands on the faces of a die: its numbers, with the one that fell on the given face. */
function labelsFor(die: { sides: number; face: number }, faces: number, front: number, tens: boolean): string[] {
  const text = (value: number): string => (tens ? String(value).padStart(2, "0") : String(value));
  const numbers = tens ? Array.from({ length: 10 }, (_one, at) => at * 10) : Array.from({ length: faces }, (_one, at) => (at % Math.max(1, die.sides)) + 1);
  const labels = numbers.map(text);
  const fallen = text(die.face);
  const there = labels.indexOf(fallen);
  if (there < 0) labels[front] = fallen;
  else [labels[front], labels[there]] = [fallen, labels[front]!];
  return labels;
}

/** Percentile dice are thrown as two: tens and units. */
export function bodiesOf(die: Die): { sides: number; face: number; tens: boolean }[] {
  if (die.sides !== 100) return [{ sides: die.sides, face: die.face, tens: false }];
  const face = die.face % 100;
  return [
    { sides: 10, face: face - (face % 10), tens: true },
    { sides: 10, face: face % 10, tens: false },
  ];
}

function colourOf(text: string): [number, number, number] {
  const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!dot) return [90, 120, 160];
  dot.fillStyle = text;
  dot.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = dot.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

const shade = (colour: [number, number, number], by: number): string =>
  `rgb(${colour.map((one) => Math.round(Math.max(0, Math.min(255, by >= 0 ? one + (255 - one) * by : one * (1 + by))))).join(" ")})`;

/** A number between 0 and 1 that is the same for the same throw. */
const scatter = (seed: number): number => {
  const wave = Math.sin(seed * 12.9898) * 43758.5453;
  return wave - Math.floor(wave);
};

function draw(paper: CanvasRenderingContext2D, body: Body, radius: number, x: number, y: number, lift: number, turn: Turn): void {
  const size = radius * body.solid.scale;
  const shadow = size * 1.15;
  paper.save();
  paper.translate(x + size * 0.1, y + size * 0.92 + lift * 0.9);
  paper.scale(1, 0.36);
  const dark = paper.createRadialGradient(0, 0, shadow * 0.3, 0, 0, shadow);
  dark.addColorStop(0, `rgb(0 0 0 / ${Math.max(0.1, 0.5 - lift * 0.004)})`);
  dark.addColorStop(1, "rgb(0 0 0 / 0)");
  paper.fillStyle = dark;
  paper.fillRect(-shadow, -shadow, shadow * 2, shadow * 2);
  paper.restore();

  paper.save();
  paper.translate(x, y - lift);
  paper.lineJoin = "round";
  const at = body.solid.points.map((point): [number, number] => {
    const now = turned(turn, point);
    const near = size / (1 - now[2] * DEPTH);
    return [now[0] * near, -now[1] * near];
  });
  body.solid.faces.forEach((face, place) => {
    const normal = turned(turn, face.normal);
    const centre = turned(turn, face.centre);
    if (normal[2] - dot(normal, centre) * DEPTH <= 0.02) return;
    const lit = Math.max(0, dot(normal, LIGHT));
    const gloss = Math.max(0, dot(HALF, normal)) ** 22;
    paper.beginPath();
    face.corners.forEach((corner, index) => (index === 0 ? paper.moveTo(...at[corner]!) : paper.lineTo(...at[corner]!)));
    paper.closePath();
    paper.fillStyle = shade(body.colour, -0.5 + lit * 0.6 + gloss * 0.22);
    paper.fill();
    paper.strokeStyle = shade(body.colour, -0.05 + lit * 0.4);
    paper.lineWidth = Math.max(1, size * 0.028);
    paper.stroke();
    if (normal[2] < 0.28) return;
    const near = 1 / (1 - centre[2] * DEPTH);
    const up = turned(turn, face.up);
    const right = cross(up, normal);
    const label = body.labels[place] ?? "";
    const tall = size * (NUMERAL[body.solid.faces.length] ?? 0.5) * (label.length > 1 ? 0.84 : 1);
    paper.save();
    paper.transform(right[0] * near, -right[1] * near, -up[0] * near, up[1] * near, centre[0] * size * near, -centre[1] * size * near);
    paper.globalAlpha = Math.min(1, (normal[2] - 0.28) * 2.4);
    paper.font = `800 ${tall}px Figtree, system-ui, sans-serif`;
    paper.textAlign = "center";
    paper.textBaseline = "middle";
    paper.fillStyle = "#fff";
    paper.fillText(label, 0, tall * 0.05);
    if ((label === "6" || label === "9") && body.solid.faces.length > 6) paper.fillRect(-tall * 0.2, tall * 0.42, tall * 0.4, tall * 0.07);
    paper.restore();
  });
  paper.restore();
}

/** Throw dice onto a canvas. `still` lays them down at once; `landed` is told when they lie. */
export function throwDice(canvas: HTMLCanvasElement, dice: Die[], options: { still?: boolean; seed?: number; level?: number; landed?: () => void } = {}): Thrown {
  const wide = canvas.clientWidth;
  const tall = canvas.clientHeight;
  const sharp = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(wide * sharp);
  canvas.height = Math.round(tall * sharp);
  const paper = canvas.getContext("2d")!;
  const parts = dice.flatMap((die) => bodiesOf(die).map((one) => ({ ...one, group: die.group, colour: die.colour })));
  const groups = [...new Set(parts.map((one) => one.group))];
  const radius = Math.max(14, Math.min(56, (wide * 0.86) / (parts.length * 2.35 + (groups.length - 1) * 1.4)));
  const gap = radius * 2.35;
  const level = tall * (options.level ?? 0.42);
  let place = wide / 2 - ((parts.length - 1) * gap + (groups.length - 1) * radius * 1.4) / 2;
  let last = parts[0]?.group;
  const bodies = parts.map((part, at): Body => {
    if (part.group !== last) place += radius * 1.4;
    last = part.group;
    const solid = solidFor(part.sides);
    const front = Math.floor(scatter(at + (options.seed ?? 1) * 3.7) * solid.faces.length);
    const angle = scatter(at * 1.7 + (options.seed ?? 1)) * Math.PI * 2;
    const body: Body = {
      solid,
      labels: labelsFor(part, solid.faces.length, front, part.tens),
      rest: facing(solid.faces[front]!),
      axis: unit([Math.cos(angle), Math.sin(angle), 0.5]),
      yaw: (scatter(at * 5.3 + 2) - 0.5) * 0.22,
      colour: colourOf(part.colour),
      x: place,
      y: level,
      from: place + (groups.indexOf(part.group) === 0 ? -1 : 1) * wide * 0.6,
      delay: at * STAGGER,
    };
    place += gap;
    return body;
  });
  const began = performance.now();
  const flight = FLIGHT - Math.min(8, bodies.length) * STAGGER;
  let over = options.still ?? false;
  let done = false;

  function paint(elapsed: number): boolean {
    let flying = false;
    paper.setTransform(sharp, 0, 0, sharp, 0, 0);
    paper.clearRect(0, 0, wide, tall);
    for (const body of bodies) {
      const part = over ? 1 : Math.max(0, Math.min(1, (elapsed - Math.min(body.delay, 8 * STAGGER)) / flight));
      if (part < 1) flying = true;
      const eased = 1 - (1 - part) ** 2.6;
      const lift = Math.abs(Math.sin(part ** 0.72 * Math.PI * 3)) * (1 - part) ** 1.5 * tall * 0.3;
      const turn = after(after(body.rest, about(body.axis, (1 - eased) * SPIN)), about([0, 0, 1], body.yaw * eased));
      draw(paper, body, radius, body.from + (body.x - body.from) * eased, tall * 1.15 + (body.y - tall * 1.15) * Math.min(1, eased * 1.06), lift, turn);
    }
    return flying;
  }

  function land(): void {
    if (done) return;
    done = true;
    // What is said to lie there is read from the bodies as they are turned, not from what was wanted.
    canvas.dataset["shown"] = bodies.map((body) => body.labels[foremost(body.solid, after(body.rest, about([0, 0, 1], body.yaw)))]).join(" ");
    options.landed?.();
  }

  function frame(now: number): void {
    if (done) return;
    if (paint(now - began)) requestAnimationFrame(frame);
    else land();
  }

  if (over) {
    paint(FLIGHT);
    land();
  } else requestAnimationFrame(frame);
  return {
    finish: () => {
      if (done) return;
      over = true;
      paint(FLIGHT);
      land();
    },
    middles: groups.map((group) => {
      const xs = bodies.filter((_body, at) => parts[at]!.group === group).map((body) => body.x);
      return (Math.min(...xs) + Math.max(...xs)) / 2;
    }),
    below: level + radius * 1.35,
  };
}
