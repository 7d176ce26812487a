// What somebody means who writes a name where the rules want an id.
import type { Json, Parameter } from "../../api/types";
import { wanted } from "../../lib/schemas";
import { plainWords } from "../../lib/format";

export interface Known {
  id: string;
  name: string;
}

type Values = Record<string, Json>;

const plurals = (word: string): string[] => [`${word}s`, word.replace(/y$/, "ies"), word];

/** What a text is about: the parameter's own name, or what another parameter says that it is. */
const subjectOf = (parameter: Parameter, values: Values): string => (parameter.name === "name" ? String(values["what"] ?? values["kind"] ?? "") : parameter.name);

/** The kind of content that a text names an entry of, if it does. */
export function kindOf(parameter: Parameter, values: Values, kinds: string[]): string | undefined {
  if (wanted(parameter).kind !== "text") return undefined;
  return plurals(subjectOf(parameter, values)).find((one) => kinds.includes(one));
}

/** What stands on somebody's own sheet: under that very heading, or else whatever has a number there. */
export function ownOf(hero: Values, parameter: Parameter, values: Values): Known[] {
  const plain = (one: Json | undefined): one is Values => one !== null && typeof one === "object" && !Array.isArray(one);
  const under = plurals(subjectOf(parameter, values)).map((one) => hero[one]).find(plain);
  const keys = under ? Object.keys(under) : Object.values(hero).filter(plain).flatMap(Object.keys);
  return [...new Set(keys)].map((id) => ({ id, name: /^[A-Z]+$/.test(id) ? id : plainWords(id) }));
}

const bare = (text: string): string => text.trim().toLowerCase().replaceAll(/[\s_-]+/g, " ");

/** Values as the rules want them: where a text is the name of something known, its id. */
export function meant(parameters: Parameter[], values: Values, known: (parameter: Parameter) => Known[]): Values {
  const found = { ...values };
  for (const one of parameters) {
    const text = found[one.name];
    if (typeof text !== "string" || wanted(one).kind !== "text") continue;
    const match = known(one).find((other) => bare(other.id) === bare(text) || bare(other.name) === bare(text));
    if (match) found[one.name] = match.id;
  }
  return found;
}
