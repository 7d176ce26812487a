// Text in pieces, so that words can be marked or linked without building markup.

export interface Piece {
  text: string;
  hit: boolean;
}

const flat = (text: string): string => Array.from(text, (letter) => letter.normalize("NFKD").charAt(0).toLowerCase() || letter).join("");

/** Split text at words that begin with a search word. */
export function markWords(text: string, searched: string): Piece[] {
  const words = flat(searched).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  if (words.length === 0) return [{ text, hit: false }];
  // Match stems too: "parry" marks "parries".
  const stems = words.map((word) => (word.length > 4 ? word.replace(/(ies|es|s|y)$/, "") : word));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${stems.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})[\\p{L}\\p{N}]*`, "gu");
  return cut(text, [...flat(text).matchAll(pattern)].map((found) => [found.index, found.index + found[0].length]));
}

function cut(text: string, places: number[][]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from = 0, to = 0] of places) {
    if (from > at) pieces.push({ text: text.slice(at, from), hit: false });
    pieces.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** Split text at the first occurrence of each term. */
export function markTerms(text: string, terms: string[]): Piece[] {
  const places: number[][] = [];
  for (const term of terms) {
    let from = text.indexOf(term);
    while (from >= 0 && places.some(([a = 0, b = 0]) => from < b && from + term.length > a)) from = text.indexOf(term, from + 1);
    if (from >= 0) places.push([from, from + term.length]);
  }
  return cut(text, places.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)));
}
