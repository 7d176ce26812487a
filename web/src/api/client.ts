// Requests to the server: JSON in and out; what is refused is a Problem with the server's own words.

export interface ProblemDetails {
  title: string;
  status: number;
  detail: string;
  field?: string;
  rule?: string;
  cursor?: number;
  problems?: string[];
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

  get rule(): string | undefined {
    return this.details.rule;
  }
}

/** A key under which the server does something once, however often it is sent. */
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
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const told = (body ?? {}) as Partial<ProblemDetails>;
  throw new Problem({ ...told, title: told.title ?? response.statusText, status: response.status, detail: told.detail ?? "" });
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answered<T>(fetch(`/v1${path}`, { credentials: "same-origin", ...(signal ? { signal } : {}) }));
}

export function post<T>(path: string, body: unknown, signal?: AbortSignal, key: string = newKey()): Promise<T> {
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

export function postText<T>(path: string, text: string): Promise<T> {
  return answered<T>(
    fetch(`/v1${path}`, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/x-ndjson", "Idempotency-Key": newKey() },
      body: text,
    }),
  );
}

const remembered = new Map<string, Promise<unknown>>();

/** What never changes while the server runs: systems, mechanics, rules. */
export function lookUp<T>(path: string): Promise<T> {
  let known = remembered.get(path);
  if (!known) {
    known = get<T>(path);
    remembered.set(path, known);
    known.catch(() => remembered.delete(path));
  }
  return known as Promise<T>;
}
