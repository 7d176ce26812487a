// JSON values as people read them. Everything is text: nothing here makes markup.
import type { Json, Outcome } from "../api/types";
import { words } from "../words";

export function plainWords(name: string): string {
  const bare = name.replaceAll("_", " ");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

export function show(value: Json | undefined): string {
  if (value === null || value === undefined) return words.none;
  if (value === true) return words.yes;
  if (value === false) return words.no;
  if (Array.isArray(value)) return value.map(show).join(", ") || words.none;
  if (typeof value === "object") {
    return Object.entries(value)
      .filter(([, part]) => part !== null && part !== "" && !(Array.isArray(part) && part.length === 0))
      .map(([name, part]) => `${name.replaceAll("_", " ")} ${show(part)}`)
      .join(", ");
  }
  return typeof value === "string" ? value.replaceAll("_", " ") : String(value);
}

/** A table's title without the system, where that is said beside it. */
export function bareTitle(title: string, system: string): string {
  return title.replace(` (${system})`, "") || title;
}

export function percent(chance: number): string {
  if (chance === 0 || chance === 1) return `${chance * 100} %`;
  const text = (chance * 100).toFixed(chance < 0.001 || chance > 0.999 ? 3 : 1);
  return `${text} %`;
}

export function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}

/** The chance that something like "success" is the outcome, where the outcome says so at all. */
export function chances(outcomes: Outcome[]): { label: string; chance: number; exact: string }[] {
  return outcomes.map((one) => ({ label: show(one.outcome), chance: one.probability, exact: one.exact }));
}

export function download(name: string, type: string, text: string | Blob): void {
  const address = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

export function fileName(title: string, ending: string): string {
  const plain = title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${plain || "tablewright"}.${ending}`;
}
