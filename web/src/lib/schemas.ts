// Form fields from declared parameters.
import type { Json, Parameter, Schema } from "../api/types";

export interface Wanted {
  kind: "switch" | "menu" | "number" | "list" | "text";
  nullable: boolean;
  choices: Json[];
  minimum: number | undefined;
  maximum: number | undefined;
  items: Schema | undefined;
  maxLength: number | undefined;
}

export function wanted(schema: Schema | Parameter): Wanted {
  let inner: Schema = schema as Schema;
  let nullable = false;
  if (schema.anyOf) {
    nullable = schema.anyOf.some((one) => one.type === "null");
    const others = schema.anyOf.filter((one) => one.type !== "null");
    inner = others.find((one) => one.enum) ?? (others.length === 1 ? others[0] : others.find((one) => one.type === "string")) ?? {};
  }
  const kind = inner.enum
    ? "menu"
    : inner.type === "boolean"
      ? "switch"
      : inner.type === "integer" || inner.type === "number"
        ? "number"
        : inner.type === "array"
          ? "list"
          : "text";
  return {
    kind,
    nullable,
    choices: inner.enum ?? [],
    minimum: inner.minimum,
    maximum: inner.maximum,
    items: inner.items,
    maxLength: inner.maxLength,
  };
}

export function parametersOf(schema: Schema): Parameter[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const { required: _, ...rest } = one;
    return { ...rest, name, required: required.includes(name) };
  });
}

/** Initial values of a form: defaults, or a plausible value. */
export function beginning(parameter: Parameter): Json {
  if (parameter.default !== undefined) return parameter.default;
  const found = wanted(parameter);
  if (found.nullable) return null;
  if (found.kind === "menu") return found.choices[0] ?? null;
  if (found.kind === "switch") return false;
  if (found.kind === "number") {
    const low = found.minimum ?? 0;
    const high = found.maximum ?? 20;
    return Math.max(low, Math.min(high, low <= 10 && high >= 10 ? 10 : Math.round((low + high) / 2)));
  }
  // Start with the example of the description, if it has one.
  const example = /such as ([^\s,;]+)/.exec(`${parameter.description ?? ""} ${found.items?.description ?? ""}`)?.[1]?.replace(/[.:)]+$/, "");
  if (found.kind === "list") return parameter.required ? (example ? [example] : found.items?.type === "integer" ? [Math.max(found.items.minimum ?? 0, 0)] : []) : [];
  return parameter.required ? (example ?? "") : "";
}

export function beginnings(parameters: Parameter[]): Record<string, Json> {
  return Object.fromEntries(parameters.map((one) => [one.name, beginning(one)]));
}

/** Values that differ from their defaults. */
export function said(parameters: Parameter[], values: Record<string, Json>): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const one of parameters) {
    const value = values[one.name];
    if (value === undefined || value === null || (value === "" && !one.required)) continue;
    if (one.default !== undefined && JSON.stringify(one.default) === JSON.stringify(value)) continue;
    found[one.name] = value;
  }
  return found;
}

/** Words of a situation, as a check takes them. */
export function situationWords(parameters: Parameter[], values: Record<string, Json>): string[] {
  return Object.entries(said(parameters, values)).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(",") : value === true ? "yes" : value === false ? "no" : String(value);
    return `${name}=${text}`;
  });
}
