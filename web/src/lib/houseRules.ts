// Rule options beside a roll: the effect of a house rule on the question.
import type { HouseRule, Json, OptionInfo, Parameter } from "../api/types";

type Values = Record<string, Json>;

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** A rule option as a form field. */
export function asParameter(option: HouseRule | OptionInfo): Parameter {
  const bounds = { ...(typeof option.low === "number" ? { minimum: option.low } : {}), ...(typeof option.high === "number" ? { maximum: option.high } : {}) };
  const schema = option.choices ? { enum: option.choices } : { type: "integer", ...bounds };
  return { name: option.name.replaceAll(".", " "), default: option.default, ...(option.none ? { anyOf: [schema, { type: "null" }] } : schema) };
}

/** First value other than the default. */
export function otherValue(option: HouseRule): Json {
  const known = option.typical.map((one) => one.value).find((value) => !same(value, option.default));
  if (known !== undefined) return known;
  const other = (option.choices ?? [option.low ?? 0, option.high ?? 0]).find((value) => !same(value, option.default));
  return other ?? option.default;
}

export type Reach = "here" | "elsewhere" | "nowhere";

/** Whether an option changes this roll, another one, or none. */
export function reachOf(option: HouseRule, rule: string): Reach {
  if (option.parameter !== null || (usualOf(option)?.mechanic === rule && asElsewhere(option))) return "here";
  return option.typical.some((one) => one.arguments) ? "elsewhere" : "nowhere";
}

// An option without a parameter has a typical check that shows the roll under each value.
const asElsewhere = (option: HouseRule): boolean => option.parameter === null && option.typical.some((one, place) => place > 0 && one.arguments);
export const usualOf = (option: HouseRule): HouseRule["typical"][number] | undefined => option.typical.find((one) => same(one.value, option.default));

/** The same question under a house rule. */
export function under(option: HouseRule, value: Json, rule: string, given: Values): { mechanic: string; arguments: Values } | null {
  if (option.parameter !== null) return { mechanic: rule, arguments: { ...given, [option.parameter]: value } };
  const usual = usualOf(option);
  const other = option.typical.find((one) => same(one.value, value));
  if (!usual?.arguments || !other?.arguments || usual.mechanic !== rule) return null;
  const changed = Object.entries(other.arguments).filter(([name, set]) => !same(set, usual.arguments?.[name]));
  const kept = Object.entries(given).filter(([name]) => other.mechanic === rule || name in (other.arguments ?? {}));
  return { mechanic: other.mechanic, arguments: { ...Object.fromEntries(kept), ...Object.fromEntries(changed) } };
}
