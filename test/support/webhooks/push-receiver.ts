import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../../../local/ports.ts';

/** A notification as it came: header names in lower case. */
export type Received = { headers: Readonly<Record<string, string | undefined>>; body: string };

export type PushReceiver = {
  /** `http://127.0.0.1:<port>/push` */
  url: string;
  received: Received[];
  /** Statuses of the next answers, in order; 200 after them. */
  answerWith: (...statuses: number[]) => void;
  /** The notification with this state (sync, add ...) of a channel, once it is there. @throws Error after 20 s */
  waitFor: (channelId: string, state: string) => Promise<Received>;
  stop: () => Promise<void>;
};

const WAIT_MS = 20_000;
const POLL_MS = 20;

/** Somebody's own URL that receives push notifications, on loopback. */
export async function startPushReceiver(): Promise<PushReceiver> {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ headers, body });
      response.writeHead(statuses.shift() ?? 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://${LOOPBACK}:${port}/push`,
    received,
    answerWith: (...next) => statuses.push(...next),
    waitFor: async (channelId, state) => {
      for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
        const found = received.find(
          ({ headers }) => headers['x-goog-channel-id'] === channelId && headers['x-goog-resource-state'] === state,
        );
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`no ${state} for ${channelId} within ${WAIT_MS} ms`);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
