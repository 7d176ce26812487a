// Which dice a notation means: "d10+d6+2" is a ten-sided and a six-sided one.

const MOST = 60;

/** The lowest and highest face of each die of a notation. */
export function rangesOf(notation: string): [number, number][] {
  const found: [number, number][] = [];
  for (const [, many, kind = "6"] of notation.matchAll(/(\d*)\s*(?:d(\d+\.\.\d+|\d+|%)|D(?![a-z]))/g)) {
    const [low, high] = kind === "%" ? [1, 100] : kind.includes("..") ? kind.split("..").map(Number) : [1, Number(kind)];
    for (let die = 0; die < Math.min(MOST, Number(many || 1)); die += 1) found.push([low ?? 1, high ?? 6]);
  }
  return found;
}

/** The sides of each die of a notation, for as many faces as were thrown. */
export function sidesOf(notation: string, count: number): number[] {
  const found = rangesOf(notation).map(([, high]) => (high === 99 ? 100 : high));
  const last = found.at(-1) ?? 6;
  while (found.length < count) found.push(last);
  return found.slice(0, count);
}
