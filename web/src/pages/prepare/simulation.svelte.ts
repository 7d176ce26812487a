// Fights in the background: one simulation, watched while it runs. The server takes two of everybody at once, so a new one
// waits until no more than one other is left.
import { get, post, remove } from "../../api/client";
import { sayProblem } from "../../lib/dialogs.svelte";
import type { Job, Scenario } from "./types";

const MOST_OTHERS = 1;
/** Milliseconds between two looks: until there is a first figure, in the first seconds, and later. */
const [SOON, EARLY, LATER] = [25, 90, 400];
const running = new Set<string>();
const ending = new Set<string>();
let ended: (() => void)[] = [];

const wasEnded = (id: string): void => {
  running.delete(id);
  ending.delete(id);
  for (const go of ended) go();
  ended = [];
};

// Whoever closes the page does not leave the server fighting.
addEventListener("pagehide", () => {
  for (const id of running) void fetch(`/v1/jobs/${id}`, { method: "DELETE", keepalive: true, headers: { "Idempotency-Key": id } });
});

async function room(): Promise<void> {
  while (running.size > MOST_OTHERS) await new Promise<void>((go) => ended.push(go));
}

export class Simulation {
  job = $state.raw<Job | null>(null);
  /** The figures belong to something that was changed since. */
  stale = $state(false);
  starting = $state(false);
  #turn = 0;
  /** The simulation that runs for this turn; `job` may still show an earlier one. */
  #id = "";
  #later: ReturnType<typeof setTimeout> | undefined;

  get isRunning(): boolean {
    return this.starting || (this.job?.state === "running" && !this.stale);
  }

  /** Fight a scenario, or a change of one in pairs with the same dice. Whatever ran before is ended. */
  async start(body: { scenario: Scenario; runs: number; until: number; before?: Scenario }): Promise<void> {
    const turn = (this.#turn += 1);
    this.#end();
    this.starting = true;
    try {
      await room();
      if (turn !== this.#turn) return;
      const { id } = await post<{ id: string }>("/jobs", body);
      running.add(id);
      if (turn === this.#turn) {
        this.#id = id;
        await this.#watch(id, turn, body.runs);
      } else void this.#cancel(id);
    } catch (problem) {
      if (turn === this.#turn) sayProblem(problem);
    } finally {
      if (turn === this.#turn) this.starting = false;
    }
  }

  async #watch(id: string, turn: number, runs: number): Promise<void> {
    const now = await get<Job>(`/jobs/${id}`).catch((problem: unknown) => {
      this.#ended(id);
      throw problem;
    });
    if (now.state !== "running") this.#ended(id);
    if (turn !== this.#turn) return now.state === "running" ? this.#cancel(id) : undefined;
    if (now.result?.fights || now.state !== "running") {
      this.starting = this.stale = false;
      this.job = now;
    } else if (this.job === null || this.job.id !== id) {
      if (this.job === null) this.job = { id, state: "running", runs, seconds: 0 };
    }
    if (now.state === "running") this.#later = setTimeout(() => void this.#watch(id, turn, runs).catch(sayProblem), now.seconds > 2 ? LATER : now.result?.fights ? EARLY : SOON);
  }

  /** What it is about has changed: its figures are greyed, and it makes room for the next one. */
  outdate(): void {
    this.#turn += 1;
    this.#end();
    this.starting = false;
    this.stale = this.job !== null;
  }

  /** End it and keep its figures. */
  async stop(): Promise<void> {
    const id = this.job?.id;
    if (id && this.job?.state === "running") {
      await remove(`/jobs/${id}`).catch(sayProblem);
      clearTimeout(this.#later);
      await this.#watch(id, this.#turn, this.job.runs).catch(sayProblem);
    }
  }

  /** Nobody looks at it any more. */
  leave(): void {
    this.#turn += 1;
    this.#end();
    this.job = null;
    this.stale = this.starting = false;
  }

  #end(): void {
    clearTimeout(this.#later);
    if (this.#id) void this.#cancel(this.#id);
    this.#id = "";
  }

  #ended(id: string): void {
    if (this.#id === id) this.#id = "";
    wasEnded(id);
  }

  /** The server answers when it has ended. */
  async #cancel(id: string): Promise<void> {
    if (ending.has(id)) return;
    ending.add(id);
    await remove(`/jobs/${id}`).catch(() => undefined); // it is gone already
    this.#ended(id);
  }
}
