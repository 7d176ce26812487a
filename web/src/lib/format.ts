// JSON values as text for people; never markup.
import type { Json, Outcome } from "../api/types";
import { strings } from "../strings";

export function plainWords(name: string): string {
  const bare = name.replaceAll("_", " ");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

/** Rule text with words in place of option and field names. */
export function readable(text: string): string {
  return text.replace(/`(?:[a-z0-9_]+\.)*([^`]+)`/g, "$1").replace(/(?<=[a-z0-9])_(?=[a-z0-9])/g, " ").replaceAll("->", "→").replace(/(?<=\s)>=(?=\s)/g, "≥").replace(/(?<=\s)<=(?=\s)/g, "≤").replace(/(?<![\p{L}\p{N}])-(?=\d)|(?<=[\p{L}\p{N})] )-(?= [\p{L}\p{N}(])/gu, "−");
}

/** Replace a hyphen before a negative number by a minus sign. */
export const minus = (text: string): string => text.replace(/(?<![\p{L}\p{N}])-(?=\d)|(?<=\b(?:r|\d+[dD])\d*)-(?=\d)/gu, "−");

export function show(value: Json | undefined): string {
  if (value === null || value === undefined) return strings.none;
  if (value === true) return strings.yes;
  if (value === false) return strings.no;
  if (Array.isArray(value)) return value.map(show).join(", ") || strings.none;
  if (typeof value === "object") {
    return Object.entries(value)
      .filter(([, part]) => part !== null && part !== "" && !(Array.isArray(part) && part.length === 0))
      .map(([name, part]) => `${name.replaceAll("_", " ")} ${show(part)}`)
      .join(", ");
  }
  return minus(typeof value === "string" ? value.replaceAll("_", " ") : String(value));
}

/** A typed check such as "system.check roll_value=r15 difficulty=12" in words. */
export function checkWords(line: string): string {
  const [name = "", ...rest] = line.replace(/\s+--\S+(\s+[^\s=]+)?/g, "").split(/\s+/);
  const given = rest.map((one) => one.replaceAll("_", " ").replace("=", " ").replaceAll(",", " and "));
  return [plainWords(name.split(".").at(-1) ?? name), given.join(", ")].filter(Boolean).join(": ");
}

/** Title of a table without the name of its system. */
export function bareTitle(title: string, system: string): string {
  return title.replace(` (${system})`, "") || title;
}

/** A chance in whole percent; 0% and 100% only if certain. */
export function percent(chance: number): string {
  if (chance <= 0) return "0%";
  if (chance >= 1) return "100%";
  if (chance < 0.01) return strings.underOne;
  if (chance > 0.99) return strings.overNinetyNine;
  return `${Math.round(chance * 100)}%`;
}

/** Chances in whole percent that add up to 100. */
export function percents(chances: number[]): string[] {
  const sum = chances.reduce((total, one) => total + one, 0);
  if (Math.abs(sum - 1) > 1e-6) return chances.map(percent);
  const whole = chances.map((one) => Math.floor(one * 100));
  const order = chances.map((one, at) => ({ at, rest: one * 100 - Math.floor(one * 100) })).sort((a, b) => b.rest - a.rest);
  for (let left = 100 - whole.reduce((total, one) => total + one, 0), next = 0; left > 0; left -= 1, next += 1) whole[order[next % order.length]?.at ?? 0]! += 1;
  return chances.map((one, at) => (one > 0 && one < 0.01 ? strings.underOne : one < 1 && one > 0.99 ? strings.overNinetyNine : `${whole[at]}%`));
}

/** A chance for comparisons: one decimal, more if it is nearly certain. */
export function finePercent(chance: number): string {
  if (chance === 0 || chance === 1) return `${chance * 100}%`;
  return `${(chance * 100).toFixed(chance < 0.001 || chance > 0.999 ? 3 : 1)}%`;
}

export function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}

/** Chance of success, for outcomes that know one. */
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
