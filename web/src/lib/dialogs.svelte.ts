// What lies over the page: the text of a rule, and what somebody is told when something was refused.
import { Problem } from "../api/client";

export const overlay = $state<{ rule: string | null; said: string; saidRule: string | null; grave: boolean }>({
  rule: null,
  said: "",
  saidRule: null,
  grave: false,
});

let forget: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, rule: string | null = null, grave = false): void {
  overlay.said = text;
  overlay.saidRule = rule;
  overlay.grave = grave;
  clearTimeout(forget);
  forget = setTimeout(() => (overlay.said = ""), grave ? 12_000 : 5_000);
}

export function sayProblem(problem: unknown): void {
  if (problem instanceof Problem) say(problem.message, problem.rule ?? null, true);
  else if (!(problem instanceof DOMException && problem.name === "AbortError")) {
    say(problem instanceof Error ? problem.message : String(problem), null, true);
  }
}
