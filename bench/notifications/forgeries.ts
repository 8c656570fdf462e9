import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Side } from './side.ts';

/** Times of forged messages in milliseconds, known channel less unknown one. `error`: standard error of the difference. */
export type Forgeries = { pairs: number; knownMs: number; unknownMs: number; differenceMs: number; errorMs: number };

const PAIRS = 4_000;
const WARM_UP_PAIRS = 200;
const FORGED = 401;

/**
 * Sends forged messages one after the other on one connection: of a channel that is open, and of one that nobody opened,
 * in pairs whose order is random. The tokens are as long as real ones and made of the same letters.
 */
export async function timeForgeries({ url, headers, channel }: Side): Promise<Forgeries> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (id: string): Promise<number> => {
    const token = `v1.${randomBytes(32).toString('base64url')}`;
    return timed(url, agent, { ...headers, 'x-goog-channel-id': id, 'x-goog-channel-token': token });
  };
  const pair = async (): Promise<readonly [number, number]> => {
    if (randomInt(2) === 0) return [await send(channel), await send(randomUUID())];
    const unknownMs = await send(randomUUID());
    return [await send(channel), unknownMs];
  };
  try {
    for (let done = 0; done < WARM_UP_PAIRS; done += 1) await pair();
    const pairs: (readonly [number, number])[] = [];
    while (pairs.length < PAIRS) pairs.push(await pair());
    return summed(pairs);
  } finally {
    agent.destroy();
  }
}

function summed(pairs: readonly (readonly [number, number])[]): Forgeries {
  const differences = pairs.map(([known, unknown]) => known - unknown);
  const differenceMs = mean(differences);
  const variance = mean(differences.map((each) => (each - differenceMs) ** 2));
  return {
    pairs: pairs.length,
    knownMs: mean(pairs.map(([known]) => known)),
    unknownMs: mean(pairs.map(([, unknown]) => unknown)),
    differenceMs,
    errorMs: Math.sqrt(variance / pairs.length),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function timed(url: string, agent: Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': '0' } }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === FORGED) resolve(performance.now() - startedMs);
        else reject(new Error(`a forged message is answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject).end();
  });
}
