import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeJson } from '../../../src/payment/rails/mpp/encoding.ts';
import { BASE_SEPOLIA } from '../../../src/payment/terms/networks-data.ts';
import { encodeTextAsBase64 } from '../../../src/payment/terms/bytes.ts';

type Loose = Record<string, unknown>;
type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** Where a planted seller departs from a good one. Each member changes what the good seller would say. */
export type Plant = {
  /** Changes the PaymentRequired of the header, and of the body unless `body` does. */
  terms?: (terms: any) => void;
  body?: (body: any) => unknown;
  headers?: (headers: Record<string, string>) => void;
  challenge?: (params: Record<string, string>) => void;
  openapi?: (document: any) => void;
  listed?: (resources: string[]) => string[];
  /** How far the clock of the seller is off, in milliseconds. */
  skewMs?: number;
  /** Answers instead of the good seller. */
  answer?: (request: {
    method: string;
    path: string;
    body: string;
    /** PAYMENT-SIGNATURE, else Authorization. */
    credential: string | undefined;
  }) => Answer | undefined;
};

export const PAYEE = '0x2222222222222222222222222222222222222222';
const PATH = '/paid/report';

/** Starts a seller of x402 and MPP on this machine, without a chain: good in every row, but for what is planted. */
export async function startPlantedSeller(plant: Plant = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => void respond(request, response, plant));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, plant: Plant): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = request;
  const origin = `http://${headers.host ?? ''}`;
  const credential = (headers['payment-signature'] as string | undefined) ?? headers.authorization;
  const asked = { method, path: url, body: Buffer.concat(chunks).toString(), credential };
  const answer = plant.answer?.(asked) ?? answerWell(asked, origin, plant);
  if (plant.skewMs !== undefined) response.setHeader('date', new Date(Date.now() + plant.skewMs).toUTCString());
  response.writeHead(answer.status, answer.headers);
  response.end(method === 'HEAD' ? undefined : answer.body);
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, WWW-Authenticate, Payment-Receipt',
};

function answerWell(
  { method, path, credential }: { method: string; path: string; credential: string | undefined },
  origin: string,
  plant: Plant,
): Answer {
  const json = (body: unknown): Answer => ({
    status: 200,
    headers: { 'content-type': 'application/json', ...CORS },
    body: JSON.stringify(body),
  });
  if (path === '/openapi.json') return json(buildDocument(plant));
  if (path === '/.well-known/mpp') return json({ protocol: 'mpp' });
  if (path === '/.well-known/x402') {
    const resources = [`${origin}${PATH}`];
    return json({ version: 1, resources: plant.listed?.(resources) ?? resources });
  }
  if (path !== PATH) return { status: 404, headers: CORS, body: '{"error":"not found"}' };
  if (method === 'OPTIONS')
    return {
      status: 204,
      headers: {
        ...CORS,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, payment-signature, authorization, access-control-expose-headers',
      },
    };
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST, OPTIONS', ...CORS }, body: '{"error":"POST"}' };
  if (credential !== undefined) return { status: 400, headers: CORS, body: '{"error":"unreadable"}' };
  return requirePayment(origin, plant);
}

/** The 402 of the good seller, with what is planted. */
export function requirePayment(origin: string, plant: Plant = {}): Answer {
  const terms = buildTerms(origin);
  plant.terms?.(terms);
  const body = plant.body === undefined ? terms : plant.body(structuredClone(terms));
  const params = buildChallenge(origin);
  plant.challenge?.(params);
  const pairs = Object.entries(params).map(([name, value]) => `${name}="${value}"`);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'payment-required': encodeTextAsBase64(JSON.stringify(terms)),
    'www-authenticate': `Payment ${pairs.join(', ')}`,
    ...CORS,
  };
  plant.headers?.(headers);
  return { status: 402, headers, body: JSON.stringify(body) };
}

const buildTerms = (origin: string): Loose => ({
  x402Version: 2,
  error: 'Payment required',
  resource: {
    url: `${origin}${PATH}`,
    description: 'A report',
    mimeType: 'application/json',
    serviceName: 'Planted',
    tags: ['test'],
  },
  accepts: [
    {
      scheme: 'exact',
      network: BASE_SEPOLIA.id,
      amount: '60000',
      asset: BASE_SEPOLIA.usdc,
      payTo: PAYEE,
      maxTimeoutSeconds: 120,
      extra: { ...BASE_SEPOLIA.domain },
    },
  ],
  extensions: {
    bazaar: {
      info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: {} } },
      schema: { type: 'object' },
    },
  },
});

/** What a charge of the planted seller asks for. */
export const buildCharge = (): Loose => ({
  amount: '60000',
  currency: BASE_SEPOLIA.usdc,
  methodDetails: { chainId: BASE_SEPOLIA.chainId, credentialTypes: ['authorization'], decimals: 6 },
  recipient: PAYEE,
});

const buildChallenge = (origin: string): Record<string, string> => ({
  id: 'c3ludGhldGlj',
  realm: new URL(origin).hostname,
  method: 'evm',
  intent: 'charge',
  request: encodeJson(buildCharge()),
  expires: new Date(Date.now() + 300_000).toISOString(),
});

function buildDocument(plant: Plant): Loose {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Planted', version: '1' },
    paths: {
      [PATH]: {
        post: {
          'x-payment-info': {
            price: { mode: 'fixed', currency: 'USD', amount: '0.060000' },
            protocols: [{ x402: {} }],
          },
          responses: { 200: { description: 'A report' }, 402: { description: 'Terms' } },
        },
      },
    },
  };
  plant.openapi?.(document);
  return document;
}
