import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { vi } from 'vitest';
import { SECOND_MS } from '../../../src/lib/time.ts';
import { parseTelemetryMessage, type TelemetryQueue } from '../../../src/telemetry/messages.ts';
import type { TelemetryBatch } from '../../../src/telemetry/wire.ts';

/** The share of its time that a wait takes in tests. */
const WAIT_SHARE = 0.02;

/** Lets telemetry wait a fraction of a second for further lines, until mocks are restored. */
export function shortenWaits(): void {
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, 'wait').mockImplementation((ms) => wait(ms * WAIT_SHARE));
}

type App<Env> = { fetch: (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response> };

/** A queue whose messages are read at once: `write` gets the batches that are in them. */
export const readQueue = (write: (batch: TelemetryBatch) => unknown): TelemetryQueue => ({
  sendBatch: async (messages) => {
    for (const { body } of messages) {
      const message = parseTelemetryMessage(body);
      if (message === undefined) throw new Error(`not a message: ${body}`);
      await write(message.batch);
    }
  },
});

/** Sends requests to an app whose telemetry goes to the test, and tells what was written once all is said. */
export function telling<Env extends object>(app: App<Env>, env: Env) {
  const batches: TelemetryBatch[] = [];
  const write = async (batch: TelemetryBatch): Promise<void> => void batches.push(structuredClone(batch));
  const told = { ...env, TELEMETRY: 'control', TELEMETRY_QUEUE: readQueue(write) };
  return {
    batches,
    env: told,
    /** The answer, when everything that it left to be done is done. */
    send: async (request: Request): Promise<Response> => {
      const context = createExecutionContext();
      const answer = await app.fetch(request, told, context);
      const body = await answer.arrayBuffer();
      await waitOnExecutionContext(context);
      return new Response(answer.status === 304 || answer.status === 204 ? null : body, answer);
    },
    lines: () => batches.flatMap(({ lines }) => lines),
    spans: () => batches.flatMap(({ spans }) => spans),
  };
}

/**
 * Takes out of the isolate's buffer what tests of other files left in it: where no place is free, the entry of a request
 * is left out. What comes then is of another second: an isolate keeps few traces of each.
 */
export async function emptyBuffer<Env extends object>(app: App<Env>, env: Env): Promise<void> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - SECOND_MS);
  await telling(app, env).send(new Request(`${bindings.BASE_URL}/health`));
  clock.mockRestore();
}
