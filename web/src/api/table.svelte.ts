// Live state of a table over one WebSocket. A lost connection resumes from the cursor; unanswered commands are sent
// again under the same key, so that each happens once.
import { get, newKey, pause, Problem, type ProblemDetails } from "./client";
import type { Entry, Json, Line, TableState, View } from "./types";

export type Command = { do: string; [name: string]: Json | undefined };
export type Connection = "connecting" | "open" | "lost" | "gone";

interface Waiting {
  key: string;
  command: Command;
  expected: number | null;
  done?: (lines: Line[]) => void;
  refused?: (problem: Problem) => void;
}

const FIRST_LINES = 200;
const MOST_WAIT = 10_000;
/** How long a seat counts as typing, and how often that is sent, in milliseconds. */
const WRITING = 6_000;
const WRITES_AGAIN = 2_500;

/** An empty turn, or an action that a later proposal replaces: the server sends these entries only for a while. */
const isMoot = (one: Entry, next: Entry | undefined): boolean =>
  next !== undefined && ((one.kind === "turn" && ["turn", "round", "end"].includes(next.kind)) || (one.kind === "action" && next.kind === "proposed" && (one.headline.at(-1)?.text ?? "").endsWith("...")));

export class LiveTable {
  readonly campaign: string;
  connection = $state<Connection>("connecting");
  table = $state.raw<TableState | null>(null);
  lines = $state.raw<Line[]>([]);
  /** Entries by their first line. */
  entries = $state.raw<Entry[]>([]);
  /** Last line at page load: nothing before it is animated. */
  begun = 0;
  presence = $state.raw<string[]>([]);
  /** Seats that are typing. */
  writing = $state.raw<string[]>([]);
  waiting = $state(0);
  problem = $state.raw<Problem | null>(null);
  /** True while the server is overloaded and commands are retried. */
  busy = $state(false);
  cursor = 0;
  /** Called with a refusal of a command that an earlier page sent. */
  late: (problem: Problem) => void = () => undefined;
  #socket: WebSocket | null = null;
  #queue = new Map<string, Waiting>();
  /** Commands that are done but not shown yet: the line to wait for, and the callback. */
  #unseen: { line: number; tell: () => void }[] = [];
  #tries = 0;
  #closed = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #wrote = 0;
  #writers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(campaign: string) {
    this.campaign = campaign;
    this.#restore();
  }

  open(): void {
    addEventListener("online", this.#now);
    document.addEventListener("visibilitychange", this.#now);
    this.connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#again);
    clearInterval(this.#beat);
    for (const one of this.#writers.values()) clearTimeout(one);
    removeEventListener("online", this.#now);
    document.removeEventListener("visibilitychange", this.#now);
    this.#socket?.close();
  }

  connect(): void {
    if (this.#closed) return;
    clearTimeout(this.#again);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const from = this.table ? `after=${this.cursor}` : `latest=${FIRST_LINES}`;
    const socket = new WebSocket(`${scheme}://${location.host}/v1/campaigns/${this.campaign}/live?${from}&changes=1`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#heard = Date.now();
      this.connection = "open";
      for (const one of this.#queue.values()) this.#send(one);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      this.#heard = Date.now();
      this.#hear(JSON.parse(event.data) as Record<string, unknown>);
    };
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (event.code >= 4400) this.problem = new Problem({ title: "closed", status: event.code - 4000, detail: event.reason });
      if (event.code === 4404 || event.code === 4403) this.connection = "gone";
      else {
        this.#retry();
        if (!this.table) void this.#read();
      }
    };
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#check(socket), 15_000);
  }

  /** Show the table while its live feed cannot be opened. */
  async #read(): Promise<void> {
    const first = await get<View>(`/campaigns/${this.campaign}?after=${Number.MAX_SAFE_INTEGER}&most=1`).catch(() => null);
    if (!first || this.table) return;
    this.begun = first.last;
    this.cursor = Math.max(0, first.last - FIRST_LINES);
    this.table = first;
  }

  #check(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > 40_000) socket.close();
    else socket.send(JSON.stringify({ type: "ping" }));
  }

  #retry(): void {
    if (this.#closed) return;
    this.connection = "lost";
    const wait = Math.min(MOST_WAIT, 300 * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#tries += 1;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.connect(), wait);
  }

  readonly #now = (): void => {
    if (this.connection === "lost" && document.visibilityState !== "hidden") {
      this.#tries = 0;
      this.connect();
    }
  };

  #hear(message: Record<string, unknown>): void {
    switch (message["type"]) {
      case "view":
      case "changes": {
        const view = { ...this.table, ...message } as unknown as View;
        if (!this.table) this.begun = view.last;
        this.problem = null;
        const known = this.lines.at(-1)?.number ?? 0;
        const fresh = view.lines.filter((line) => line.number > known);
        if (fresh.length > 0) this.lines = [...this.lines, ...fresh];
        for (const { fact } of fresh) if ("by" in fact && typeof fact["by"] === "string") this.#writes(fact["by"], false);
        this.#tell((message["entries"] ?? []) as Entry[]);
        this.cursor = Math.max(this.cursor, view.cursor);
        this.table = view;
        this.#see();
        break;
      }
      case "presence":
        this.presence = message["seats"] as string[];
        break;
      case "writing":
        this.#writes(message["seat"] as string, true);
        break;
      case "answer":
        this.#settle(message["id"] as string, (one) => {
          this.#unseen.push({ line: message["cursor"] as number, tell: () => one.done?.(this.#retold(message["lines"] as Line[])) });
          this.#see();
        });
        break;
      case "problem": {
        const problem = new Problem(message["problem"] as ProblemDetails);
        const one = this.#queue.get(message["id"] as string);
        if (one && problem.details.after !== undefined) {
          this.busy = true;
          setTimeout(() => this.#queue.has(one.key) && this.#send(one), pause(problem.details.after ?? 1));
        } else this.#settle(message["id"] as string, (sent) => (sent.refused ?? this.late)(problem));
        break;
      }
    }
  }

  /** An entry that returns with more lines replaces the entries of those lines. */
  #tell(told: Entry[]): void {
    if (told.length === 0) return;
    const found = new Map(this.entries.map((one) => [one.lines[0], one]));
    for (const one of told) {
      for (const first of found.keys()) if (first > one.lines[0] && first <= one.lines[1]) found.delete(first);
      found.set(one.lines[0], one);
    }
    const all = [...found.values()].sort((a, b) => a.lines[0] - b.lines[0]);
    this.entries = all.filter((one, at) => !isMoot(one, all[at + 1]));
  }

  /** Resolve commands whose effect the page shows now; until then it still shows the old question. */
  #see(): void {
    const seen = this.#unseen.filter((one) => one.line <= this.cursor);
    this.#unseen = this.#unseen.filter((one) => one.line > this.cursor);
    for (const one of seen) one.tell();
  }

  /** Lines with their log sentences. The first line of an action carries the sentence, the others none. */
  #retold(lines: Line[]): Line[] {
    return lines.map((line) => {
      const entry = this.entries.find((one) => one.lines[0] <= line.number && line.number <= one.lines[1]);
      if (!entry || entry.headline.length === 0) return line;
      const isFirst = line.number === Math.max(entry.lines[0], lines[0]!.number);
      return { ...line, text: isFirst ? entry.headline.map((part) => part.text).join("") : "" };
    });
  }

  #settle(id: string, tell: (one: Waiting) => void): void {
    const one = this.#queue.get(id);
    if (!one) return;
    this.#queue.delete(id);
    this.busy = false;
    this.#keep();
    tell(one);
  }

  #send(one: Waiting): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const expected = one.expected === null ? {} : { expected: one.expected };
    this.#socket.send(JSON.stringify({ type: "act", id: one.key, key: one.key, command: one.command, ...expected }));
  }

  /** Tell the other seats that a message is being typed, once every few seconds. */
  write(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN || Date.now() - this.#wrote < WRITES_AGAIN) return;
    this.#wrote = Date.now();
    this.#socket.send(JSON.stringify({ type: "writing" }));
  }

  #writes(seat: string, now: boolean): void {
    clearTimeout(this.#writers.get(seat));
    if (now) this.#writers.set(seat, setTimeout(() => this.#writes(seat, false), WRITING));
    else if (!this.#writers.delete(seat)) return;
    this.writing = [...this.#writers.keys()];
  }

  /** Send a command. Resolves once the page shows its effect, rejects with the reason of a refusal. */
  act(command: Command): Promise<Line[]> {
    return new Promise((done, refused) => {
      const one: Waiting = { key: newKey(), command, expected: null, done, refused };
      this.#queue.set(one.key, one);
      this.#keep();
      this.#send(one);
    });
  }

  // Unanswered commands survive a reload.

  get #store(): string {
    return `tablewright-waiting-${this.campaign}`;
  }

  #keep(): void {
    this.waiting = this.#queue.size;
    try {
      const plain = [...this.#queue.values()].map(({ key, command, expected }) => ({ key, command, expected }));
      if (plain.length > 0) sessionStorage.setItem(this.#store, JSON.stringify(plain));
      else sessionStorage.removeItem(this.#store);
    } catch {
      // without storage, a reload loses unsent commands
    }
  }

  #restore(): void {
    try {
      const plain = JSON.parse(sessionStorage.getItem(this.#store) ?? "[]") as Waiting[];
      for (const one of plain) this.#queue.set(one.key, one);
      this.waiting = this.#queue.size;
    } catch {
      // nothing stored
    }
  }

  /** Load earlier lines and return their number. */
  async earlier(most = FIRST_LINES): Promise<number> {
    const first = this.lines[0]?.number ?? 1;
    if (first <= 1) return 0;
    const after = Math.max(0, first - 1 - most);
    const found = await get<{ lines: Line[]; entries?: Entry[] }>(`/campaigns/${this.campaign}/lines?after=${after}&most=${first - 1 - after}`);
    const older = found.lines.filter((line) => line.number < (this.lines[0]?.number ?? Infinity));
    this.lines = [...older, ...this.lines];
    this.#tell(found.entries ?? []);
    return older.length;
  }
}
