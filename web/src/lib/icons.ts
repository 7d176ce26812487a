// Drawings by the words of a name: "Orc Raider" has the head of an orc, "Heavy Strike" the slash of a blade.
import { iconWords, sheets } from "virtual:icons";

/** The address of a game's sprite; a game without a list of its own has the common one. */
export const sheetOf = (game: string | null): string => (game === null ? undefined : sheets[game]) ?? sheets.common ?? "";

/** A number that is always the same for a text. */
const scatter = (text: string): number => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

const PEOPLE = /^(soldier|knight|fighter|archer|hunter|ranger|rogue)$/;

/** The head of somebody: by the last known word of the name, else of what is said about them, else always the same one. */
export function headFor(game: string | null, name: string, about = ""): string {
  const list = ((game === null ? undefined : iconWords[game]) ?? iconWords.common)?.heads ?? {};
  for (const said of [name, about]) {
    const text = ` ${said.toLowerCase()}`;
    const known = Object.keys(list).filter((word) => word && text.includes(` ${word}`));
    const [last] = known.sort((a, b) => text.lastIndexOf(` ${b}`) - text.lastIndexOf(` ${a}`) || b.length - a.length);
    if (last) return list[last] ?? "";
  }
  const people = [...new Set(Object.keys(list).filter((word) => PEOPLE.test(word)).map((word) => list[word]!))];
  return people[scatter(name) % Math.max(1, people.length)] ?? list[""] ?? "";
}

/** The drawing for a name, by its longest known word; earlier names count before later ones. */
export function iconFor(kind: "heads" | "verbs", game: string | null, ...names: (string | null | undefined)[]): string {
  const list = ((game === null ? undefined : iconWords[game]) ?? iconWords.common)?.[kind] ?? {};
  const known = Object.keys(list).filter(Boolean).sort((a, b) => b.length - a.length);
  for (const name of names) {
    const text = ` ${(name ?? "").toLowerCase()}`;
    const found = known.find((word) => text.includes(` ${word}`));
    if (found) return list[found] ?? "";
  }
  return list[""] ?? "";
}
