import type { Stack } from '../../../local/stack.ts';
import type { Facts, Read, Secrets, TokenName } from './facts.ts';
import { ask, type Asked, type Place } from './stack.ts';

/** A stack that is being recorded, and what is known of it so far. */
export type Recording = {
  /** No card pays in it. */
  stack: Omit<Stack, 'stripe'>;
  /** Of the command line. */
  cli: string;
  keyFile: string;
  setBackMs: number;
  tokens: Partial<Record<TokenName, string>>;
  facts: Partial<Facts>;
  secrets: Partial<Secrets>;
  /** Requests whose answers are recorded at the end. */
  reads: Omit<Read, 'answer'>[];
};

export type Json = Record<string, unknown>;

/** A request that must succeed. @returns its JSON */
export async function made(asked: Asked): Promise<Json> {
  const answer = await ask(asked);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${asked.call} answers ${answer.status}: ${text.slice(0, 600)}`);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

/** What a token of this name makes and reads at a Worker. */
export function at(recording: Recording, place: Place, token: TokenName) {
  return {
    make: (call: string, body?: unknown): Promise<Json> =>
      made({ at: place, call, body, token: recording.tokens[token] }),
    read: (name: string, call: string, body?: unknown): void =>
      void recording.reads.push({ name, at: place, call, token, ...(body === undefined ? {} : { body }) }),
  };
}

/** Asks until the answer is as wanted. */
export async function until<T>(what: string, look: () => Promise<T>, good: (seen: T) => boolean): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (good(seen)) return seen;
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
