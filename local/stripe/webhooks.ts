import { toHex } from '../../src/lib/digest.ts';
import type { StandInEvent } from './books.ts';

const SEND_MS = 10_000;

/** The header `Stripe-Signature` as it is documented: `t=<Unix seconds>,v1=<HMAC-SHA256 of "t.body">`, one for each secret. */
export async function signEvent(body: string, secrets: readonly string[], atS: number): Promise<string> {
  const signatures = await Promise.all(secrets.map((secret) => computeHmacHex(secret, `${atS}.${body}`)));
  return [`t=${atS}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

async function computeHmacHex(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))));
}

export type WebhookTarget = { url: string; secrets: readonly string[]; send: typeof fetch; now: () => number };

/** Sends an event, signed now. @returns whether the endpoint took it */
export async function sendEvent(event: StandInEvent, { url, secrets, send, now }: WebhookTarget): Promise<boolean> {
  const body = JSON.stringify(event, undefined, 2);
  const signature = await signEvent(body, secrets, Math.floor(now() / 1000));
  try {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // Not up: it is sent again by hand, as Stripe does by itself for three days.
  }
}
