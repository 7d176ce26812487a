// Overlays of the page: the text of a rule, toasts, and confirmations.
import { Problem } from "../api/client";

export interface Doubt {
  question: string;
  about: string;
  yes: string;
  answer: (agreed: boolean) => void;
}

export const overlay = $state<{ rule: string | null; said: string; saidRule: string | null; grave: boolean; doubt: Doubt | null }>({
  rule: null,
  said: "",
  saidRule: null,
  grave: false,
  doubt: null,
});

let forget: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, rule: string | null = null, grave = false): void {
  overlay.said = text;
  overlay.saidRule = rule;
  overlay.grave = grave;
  clearTimeout(forget);
  forget = setTimeout(() => (overlay.said = ""), grave ? 12_000 : 5_000);
}

/** Dismiss an outdated refusal. */
export function hush(): void {
  if (overlay.grave) overlay.said = "";
}

/** Ask for confirmation before something is lost. */
export function agreed(question: string, about: string, yes: string): Promise<boolean> {
  return new Promise((answer) => (overlay.doubt = { question, about, yes, answer }));
}

export function decide(yes: boolean): void {
  overlay.doubt?.answer(yes);
  overlay.doubt = null;
}

export function sayProblem(problem: unknown): void {
  if (problem instanceof Problem) say(problem.message, problem.rule ?? null, true);
  else if (!(problem instanceof DOMException && problem.name === "AbortError")) {
    say(problem instanceof Error ? problem.message : String(problem), null, true);
  }
}
