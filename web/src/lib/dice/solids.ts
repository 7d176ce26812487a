// The bodies of dice: points, flat faces, and the turn that lays a given face towards the eye.

export type Vector = readonly [number, number, number];
/** A rotation as three rows: what becomes of x, y and z. */
export type Turn = readonly [Vector, Vector, Vector];

export interface Face {
  corners: number[];
  normal: Vector;
  centre: Vector;
  up: Vector;
}

export interface Solid {
  points: Vector[];
  faces: Face[];
  /** Drawn so much larger that all kinds look the same size. */
  scale: number;
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const FLAT = 1e-6;

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector, b: Vector): Vector => plus(a, times(b, -1));
export const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a: Vector): Vector => times(a, 1 / Math.hypot(...a));
const middle = (some: Vector[]): Vector => times(some.reduce(plus, [0, 0, 0]), 1 / some.length);

export const turned = (turn: Turn, a: Vector): Vector => [dot(turn[0], a), dot(turn[1], a), dot(turn[2], a)];

/** One turn after another. */
export function after(first: Turn, second: Turn): Turn {
  const columns = [0, 1, 2].map((at): Vector => [first[0][at]!, first[1][at]!, first[2][at]!]);
  const row = (of: Vector): Vector => [dot(of, columns[0]!), dot(of, columns[1]!), dot(of, columns[2]!)];
  return [row(second[0]), row(second[1]), row(second[2])];
}

/** A turn about an axis of length one. */
export function about(axis: Vector, angle: number): Turn {
  const [x, y, z] = axis;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
}

const signs = [-1, 1];
const cube = (): Vector[] => signs.flatMap((x) => signs.flatMap((y) => signs.map((z): Vector => [x, y, z])));
const axes = (): Vector[] => [0, 1, 2].flatMap((at) => signs.map((sign) => [0, 1, 2].map((other) => (other === at ? sign : 0)) as unknown as Vector));
const cyclic = (a: number, b: number): Vector[] => signs.flatMap((p) => signs.flatMap((q): Vector[] => [[0, p * a, q * b], [p * a, q * b, 0], [q * b, 0, p * a]]));
const twelve = (): Vector[] => cyclic(1, GOLDEN);
const twenty = (): Vector[] => [...cube(), ...cyclic(GOLDEN, 1 / GOLDEN)];
const tetrahedron = (): Vector[] => cube().filter((one) => one[0] * one[1] * one[2] > 0);

/** The face that looks along a direction: the points that lie farthest along it, in order around it. */
function faceAlong(points: Vector[], direction: Vector): Face {
  const far = Math.max(...points.map((one) => dot(one, direction)));
  return faceOf(points, points.map((_one, at) => at).filter((at) => far - dot(points[at]!, direction) < FLAT), direction);
}

function faceOf(points: Vector[], corners: number[], direction: Vector): Face {
  const normal = unit(direction);
  const centre = middle(corners.map((at) => points[at]!));
  const right = unit(minus(points[corners[0]!]!, centre));
  const angle = (at: number): number => {
    const from = minus(points[at]!, centre);
    return Math.atan2(dot(cross(normal, right), from), dot(right, from));
  };
  const ordered = [...corners].sort((a, b) => angle(a) - angle(b));
  const top = ordered.length === 4 ? middle([points[ordered[0]!]!, points[ordered[1]!]!]) : points[ordered[0]!]!;
  return { corners: ordered, normal, centre, up: unit(minus(top, centre)) };
}

/** Ten kites around an axis; the belt lies as far from the middle as keeps them flat. */
function tenSided(): { points: Vector[]; faces: Face[] } {
  const step = Math.PI / 5;
  const height = (1 - Math.cos(step)) / (1 + Math.cos(step));
  const points: Vector[] = Array.from({ length: 10 }, (_one, at): Vector => [Math.cos(at * step), (at % 2 === 0 ? -1 : 1) * height, Math.sin(at * step)]);
  points.push([0, 1, 0], [0, -1, 0]);
  const faces = Array.from({ length: 10 }, (_one, at) => {
    const pole = at % 2 === 0 ? 11 : 10;
    const corners = [(at + 9) % 10, at, (at + 1) % 10, pole];
    const across = cross(minus(points[corners[0]!]!, points[corners[2]!]!), minus(points[pole]!, points[at]!));
    const centre = middle(corners.map((one) => points[one]!));
    const face = faceOf(points, corners, dot(across, centre) < 0 ? times(across, -1) : across);
    return { ...face, up: unit(minus(points[pole]!, face.centre)) };
  });
  return { points, faces };
}

function build(sides: number): Solid {
  if (sides === 10) return { ...tenSided(), scale: 1 };
  const [points, directions, scale] =
    sides === 4
      ? ([tetrahedron(), tetrahedron().map((one) => times(one, -1)), 1.18] as const)
      : sides === 6
        ? ([cube(), axes(), 0.98] as const)
        : sides === 8
          ? ([axes(), cube(), 1.04] as const)
          : sides === 12
            ? ([twenty(), twelve(), 0.96] as const)
            : ([twelve(), twenty(), 1] as const);
  const size = Math.hypot(...points[0]!);
  const small = points.map((one) => times(one, 1 / size));
  return { points: small, faces: directions.map((one) => faceAlong(small, one)), scale };
}

const KINDS = [4, 6, 8, 10, 12, 20];
const built = new Map<number, Solid>();

/** The body of a die: its own where there is one, else the smallest with enough faces. */
export function solidFor(sides: number): Solid {
  const kind = KINDS.find((one) => one >= sides) ?? 20;
  const known = built.get(kind) ?? build(kind);
  built.set(kind, known);
  return known;
}

const TILT = about(unit([1, 0.35, 0]), 0.17);

/** The turn that brings a face towards the eye with its numeral upright, tipped a little so that the body shows. */
export function facing(face: Face): Turn {
  return after([unit(cross(face.up, face.normal)), face.up, face.normal], TILT);
}

/** Which face looks most towards the eye. */
export function foremost(solid: Solid, turn: Turn): number {
  const depths = solid.faces.map((one) => turned(turn, one.normal)[2]);
  return depths.indexOf(Math.max(...depths));
}
