import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { LOOPBACK } from '../../../local/ports.ts';

const bodySchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.looseObject({
    customer: z.string(),
    user_id: z.string().optional(),
    stamp: z.number().optional(),
    causes: z.array(z.string()).optional(),
    org_unit_path: z.string().optional(),
    kind: z.string().optional(),
  }),
});

/** An outgoing webhook whose signature is good: `webhook-id`, the text that was signed, and what it says. */
export type Signed = { id: string; text: string; body: z.infer<typeof bodySchema> };

export type SignedReceiver = {
  /** A destination with this name, for DESTINATIONS. */
  destination: { name: string; url: string; secret: string };
  /** What came and was verified with the library of Standard Webhooks, in order. */
  received: Signed[];
  /** What was verified too, but answered with another status. */
  turnedAway: Signed[];
  /** Requests whose signature, age or shape was wrong: they are answered 400. */
  refused: string[];
  /** Statuses of the next answers, in order; 200 after them. */
  answerWith: (...statuses: number[]) => void;
  /** Answers what is about a user with this status, however often it comes, until the user is accepted. */
  refuseUsers: (status: number) => void;
  accept: (...users: string[]) => void;
  /** Keeps answers back until `release`. `came`: a webhook was taken whose answer waits. */
  hold: () => { came: Promise<void>; release: () => void };
  stop: () => Promise<void>;
};

/** Somebody's receiver of our outgoing webhooks, on loopback. */
export async function startSignedReceiver(name = 'audit'): Promise<SignedReceiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const verifier = new Webhook(secret);
  const received: Signed[] = [];
  const turnedAway: Signed[] = [];
  const refused: string[] = [];
  const statuses: number[] = [];
  const accepted = new Set<string>();
  let ofUsers: number | undefined;
  let holding: { came: () => void; released: Promise<void> } | undefined;
  const take = (text: string, headers: Record<string, string>): number => {
    try {
      const body = bodySchema.parse(verifier.verify(text, headers));
      const { user_id: user } = body.data;
      const isRefused = user !== undefined && !accepted.has(user);
      const status = (isRefused ? ofUsers : undefined) ?? statuses.shift() ?? 200;
      (status === 200 ? received : turnedAway).push({ id: headers['webhook-id'] ?? '', text, body });
      return status;
    } catch (error) {
      refused.push(String(error));
      return 400;
    }
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([header, value]) => [header, String(value)] as const);
      const status = take(text, Object.fromEntries(headers));
      holding?.came();
      void (holding?.released ?? Promise.resolve()).then(() => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    destination: { name, url: `http://${LOOPBACK}:${port}/hooks`, secret },
    received,
    turnedAway,
    refused,
    answerWith: (...next) => statuses.push(...next),
    refuseUsers: (status) => {
      ofUsers = status;
    },
    accept: (...users) => users.forEach((user) => accepted.add(user)),
    hold: () => {
      const [came, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holding = { came: came.resolve, released: released.promise };
      const release = (): void => {
        holding = undefined;
        released.resolve();
      };
      return { came: came.promise, release };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
