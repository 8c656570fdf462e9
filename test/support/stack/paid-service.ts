import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import type { ServerResponse } from 'node:http';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

export const PAY_TO = '0x7a3F1C0D5b8E4A6f9C2d1E0B3a5c7d9E1F2A4b6c';
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const PRICE_MICRO_USDC = 60_000n;
export const CAPABILITY = 'check_health';

/** Terms as an honest service states them; a test changes what it wants to be wrong. */
export const honestTerms: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: String(PRICE_MICRO_USDC),
  asset: BASE_USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2', quote: '00112233445566778899aabbccddeeff' },
};

export type Scene = {
  /** `accepts` of the 402. */
  accepts?: readonly PaymentRequirements[];
  /** The whole PAYMENT-REQUIRED header instead; null leaves it out. */
  header?: string | null;
  catalogue?: unknown;
  /** Answers every request before anything else; return false to go on. */
  first?: (path: string, response: ServerResponse) => boolean;
  /** Answers the n-th (from 1) request that carries a credential. */
  onPaid?: (credential: string, presentation: number, response: ServerResponse, body: string) => void | Promise<void>;
};

export type PaidService = HttpServer & { credentials: string[]; paths: string[] };

/** The smallest service that sells by x402: a catalogue, a 402, and whatever the scene does with a credential. */
export async function startPaidService(scene: Scene = {}): Promise<PaidService> {
  const credentials: string[] = [];
  const paths: string[] = [];
  const server = await startHttpServer(async (request, response) => {
    const path = request.url ?? '/';
    paths.push(path);
    if (scene.first?.(path, response)) return;
    if (path === '/api/agent/index') return sendJson(response, 200, scene.catalogue ?? honestCatalogue());
    const body = await readBody(request);
    const credential = request.headers['payment-signature'];
    if (typeof credential !== 'string') return askPayment(scene, response);
    credentials.push(credential);
    const answer = scene.onPaid ?? ((_credential, _n, res) => sendJson(res, 200, { capability: CAPABILITY }));
    return answer(credential, credentials.length, response, body);
  });
  return { ...server, credentials, paths };
}

function askPayment(scene: Scene, response: ServerResponse): void {
  const required: PaymentRequired = {
    x402Version: 2,
    resource: { url: `http://service.test/api/agent/${CAPABILITY}` },
    accepts: [...(scene.accepts ?? [honestTerms])],
  };
  const header = scene.header === undefined ? encodePaymentRequiredHeader(required) : scene.header;
  if (header !== null) response.setHeader('payment-required', header);
  sendJson(response, 402, { code: 'payment_required', title: 'Pay first' });
}

export const honestCatalogue = (payTo: string = PAY_TO): unknown => ({
  payment: { payTo },
  capabilities: { [CAPABILITY]: { amount: String(PRICE_MICRO_USDC), available: true } },
});

export function sendProblem(response: ServerResponse, status: number, code: string, retryAfterS?: number): void {
  if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS));
  sendJson(response, status, { code, title: `It is ${code}`, status });
}
