// Icons by words of a name: "Orc Raider" has the head of an orc, "Heavy Strike" a slash.
import { iconWords, sheets } from "virtual:icons";

/** Address of a game's sprite; games without their own list share the common one. */
export const sheetOf = (game: string | null): string => (game === null ? undefined : sheets[game]) ?? sheets.common ?? "";

/** Hash of a text. */
const scatter = (text: string): number => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

const PEOPLE = /^(soldier|knight|fighter|archer|hunter|ranger|rogue)$/;

/** Portrait icon of a name: by its last known word, then by the description, then a fixed choice for the name. */
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

/** Icon for a name, by its longest known word; earlier names take precedence. */
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
