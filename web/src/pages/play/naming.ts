// How people are told apart where several are called the same: by a number.
import { numberedNames } from "./people";

interface Named {
  id: string;
  name: string;
}

/** Everybody by a name of their own. */
export function called<T extends Named>(people: T[]): Named[] {
  const names = numberedNames(people);
  return people.map((one) => ({ id: one.id, name: names.get(one.id) ?? one.name }));
}

export function nameIn(people: Named[], one: Named): string {
  return numberedNames(people).get(one.id) ?? one.name;
}

/** What the log calls people whose names are alike, and what they are called on the page. */
export function namesakes(...groups: Named[][]): Map<string, string> {
  const bare = groups.flatMap((people) => called(people).map((one, at): [string, string, string] => [one.id, people[at]!.name, one.name]));
  return new Map(bare.filter(([, name, shown]) => name !== shown).map(([id, name, shown]) => [`${name} (${id})`, shown]));
}
