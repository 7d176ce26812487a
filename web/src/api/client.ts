// Requests to the server, as JSON both ways. A refusal is a Problem in the server's words.

export interface ProblemDetails {
  title: string;
  status: number;
  detail: string;
  field?: string;
  rule?: string;
  cursor?: number;
  problems?: string[];
  after?: number;
}

export class Problem extends Error {
  readonly details: ProblemDetails;

  constructor(details: ProblemDetails) {
    super(details.detail || details.title);
    this.details = details;
  }

  get status(): number {
    return this.details.status;
  }

  /** True if the server is overloaded. Nothing was done, and the request may be retried. */
  get busy(): boolean {
    return this.status === 503 && this.details.after !== undefined;
  }

  get rule(): string | undefined {
    return this.details.rule;
  }
}

/** Idempotency key: the server acts once, however often the request arrives. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function answered<T>(request: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await request;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem({ title: "unreachable", status: 0, detail: "The server does not answer." });
  }
  let body: unknown = null;
  try {
    const text = await response.text();
    if (text !== "") body = JSON.parse(text);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (response.ok) throw new Problem({ title: "unreadable", status: 0, detail: "The server's answer cannot be read." });
  }
  // Prefetches (`quiet=1`) get refusals in the body, because failed requests appear on the browser's console.
  const quiet = (body as { problem?: ProblemDetails } | null)?.problem;
  if (response.ok && quiet && typeof quiet.status === "number") throw new Problem(quiet);
  if (response.ok) return body as T;
  const told = (body ?? {}) as Partial<ProblemDetails>;
  throw new Problem({ ...told, title: told.title ?? response.statusText, status: response.status, detail: told.detail ?? "" });
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const send = (): Promise<T> =>
    patiently(() => answered<T>(fetch(`/v1${path}`, { credentials: "same-origin", ...(signal ? { signal } : {}) })), signal);
  return ADVICE.test(path) ? inTurn(send, signal) : send();
}

export function post<T>(path: string, body: unknown, signal?: AbortSignal, key: string = newKey()): Promise<T> {
  const send = (): Promise<T> => patiently(() => sent<T>(path, body, signal, key), signal);
  return WORK.test(path) ? inTurn(send, signal) : send();
}

function sent<T>(path: string, body: unknown, signal: AbortSignal | undefined, key: string): Promise<T> {
  return answered<T>(
    fetch(`/v1${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    }),
  );
}

/** Delay before a retry at a busy server, in milliseconds; random, so that clients spread out. */
export const pause = (after: number): number => 1000 * after * (0.5 + Math.random());

/** Retry requests that a busy server refused, under the same key. */
async function patiently<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (problem) {
      if (!(problem instanceof Problem && problem.busy) || attempt >= TRIES) throw problem;
      await new Promise((go) => setTimeout(go, pause(problem.details.after ?? 1)));
    }
  }
}

const WORK = /^\/(odds|advice|checks|characters|meetings|packs|jobs|campaigns\/[^/]+\/(odds|ahead))/;
const ADVICE = /^\/campaigns\/[^/]+\/(advice|growth)\b/;
const AT_ONCE = 2;
const TRIES = 12; // together longer than the questions that were asked before may take
let working = 0;
const queue: (() => void)[] = [];

/** Ask a question that takes work. The server accepts two at a time, so further ones queue here. */
async function inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (working >= AT_ONCE) await new Promise<void>((go) => queue.push(go));
  working += 1;
  try {
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return await work();
      } catch (problem) {
        if (!(problem instanceof Problem && problem.status === 429) || attempt >= TRIES) throw problem;
        await new Promise((go) => setTimeout(go, 150 * attempt));
      }
    }
  } finally {
    working -= 1;
    queue.shift()?.();
  }
}

export function postText<T>(path: string, text: string, key: string = newKey()): Promise<T> {
  return answered<T>(
    fetch(`/v1${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/x-ndjson", "Idempotency-Key": key },
      body: text,
    }),
  );
}

/** Upload a file unchanged, such as a picture. */
export function postBytes<T>(path: string, bytes: Blob): Promise<T> {
  const key = newKey();
  return patiently(() =>
    answered<T>(fetch(`/v1${path}`, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/octet-stream", "Idempotency-Key": key }, body: bytes })),
  );
}

export function remove<T>(path: string): Promise<T> {
  return answered<T>(fetch(`/v1${path}`, { method: "DELETE", credentials: "same-origin", headers: { "Idempotency-Key": newKey() } }));
}

const remembered = new Map<string, Promise<unknown>>();

/** Fetch once and cache: systems, mechanics and rules never change while the server runs. */
export function lookUp<T>(path: string): Promise<T> {
  let known = remembered.get(path);
  if (!known) {
    known = get<T>(path);
    remembered.set(path, known);
    known.catch(() => remembered.delete(path));
  }
  return known as Promise<T>;
}
