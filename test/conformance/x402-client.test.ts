import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http';
import { PaymentPayloadV2Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import {
  appendPaymentIdentifierToExtensions,
  extractPaymentIdentifier,
  generatePaymentId,
  isPaymentIdentifierExtension,
  isPaymentIdentifierRequired,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import {
  createSIWxPayload,
  encodeSIWxHeader,
  parseSIWxHeader,
  type SIWxExtension,
  validateSIWxMessage,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x';
import { wrapFetchWithPayment } from '@x402/fetch';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { isAboutSite } from '../../src/capabilities/capability.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { exampleBodies } from '../../src/capabilities/bodies.ts';
import { defineEnvelope } from '../../src/capabilities/results.ts';
import { parseCredential } from '../../src/payment/rails/x402-credential.ts';
import type { SignedCredential } from '../../src/payment/rails/x402-evm/credential.ts';
import { createFacilitator, type Facilitator } from '../../src/payment/facilitator/facilitator.ts';
import { officialClient, requiredOf } from '../support/stack/official-client.ts';
import { codeOf, present } from '../support/stack/presenting.ts';
import { runCli } from '../support/runner/run-cli.ts';

const NETWORK = 'eip155:8453';
const served = catalog;
const dear = catalog.filter((row) => row.priceMicroUsdc > 1_000_000);

let stack: Stack;
let buyer: Account;
beforeAll(async () => {
  stack = await startStack();
  buyer = await stack.chain.freshAccount(100_000_000n);
});
afterAll(async () => {
  await stack.stop();
});

describe('the official client', () => {
  test.each(served.map((row) => [row.name, row] as const))(
    'buys %s with two lines of set-up and no help of ours',
    async (name, row) => {
      const price = BigInt(row.priceMicroUsdc);
      const before = await balances();
      const client = officialClient(buyer);
      if (dear.includes(row)) client.setSpendControls({ maxAmountPerPayment: `$${row.priceMicroUsdc / 1_000_000}` });
      const pay = wrapFetchWithPayment(fetch, client);
      const answer = await pay(`${stack.api.url}/api/agent/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(
          isAboutSite(row)
            ? {
                url: name.startsWith('generate_') ? stack.sites.good : stack.sites.poor,
                ...(name === 'compare' ? { competitor: stack.sites.good } : {}),
              }
            : exampleBodies[name],
        ),
      });
      expect(answer.status).toBe(200);

      const settled = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '');
      expect(settled).toMatchObject({ success: true, network: NETWORK });
      expect(settled.payer?.toLowerCase()).toBe(buyer.address.toLowerCase());
      const receipt = await stack.chain.client.getTransactionReceipt({ hash: settled.transaction as Hex });
      expect(receipt.status).toBe('success');
      const after = await balances();
      expect({ paid: before.buyer - after.buyer, received: after.seller - before.seller }).toEqual({
        paid: price,
        received: price,
      });

      const result: unknown = await answer.json();
      expect(result).toMatchObject({
        capability: name,
        payment: { transaction: settled.transaction, amount: String(price) },
      });
      // Whatever the schema does not know is dropped when it parses: equality says that there was nothing of the kind.
      expect(defineEnvelope(row.result).parse(result)).toEqual(result);
      // A fix pack for a brand is made from the request alone: there is nothing to replay it from.
      if (name !== 'visibility_fix_pack') expect(await replayed(result)).toBe(JSON.stringify(withoutPayment(result)));
    },
  );

  test('refuses more than 1 USD by default, which the catalogue says on exactly these rows', async () => {
    const index = (await (await fetch(`${stack.api.url}/api/agent/index`)).json()) as {
      capabilities: Record<string, { hint?: string; amount: string }>;
      credits: Record<string, { hint?: string; amount: string }>;
    };
    const hinted = Object.entries(index.capabilities).filter(([, { hint }]) => hint !== undefined);
    expect(hinted.map(([name]) => name)).toEqual(dear.map((row) => row.name));
    const all = [...hinted, ...Object.entries(index.credits)];
    for (const [, { hint }] of all) expect(hint).toMatch(/1 USD.*spendControls\.maxAmountPerPayment/);

    const required = await requiredOf(stack);
    const priced = (amount: number): PaymentRequired => ({
      ...required,
      accepts: required.accepts.map((terms) => ({ ...terms, amount: String(amount) })),
    });
    for (const [, { hint = '', amount }] of all) {
      const terms = priced(Number(amount));
      await expect(officialClient(buyer).createPaymentPayload(terms)).rejects.toThrow(
        'All payment requirements were rejected by spendControls.maxAmountPerPayment ($1',
      );
      // The line of the hint, as a buyer would copy it.
      const line =
        /client\.setSpendControls\(\{ maxAmountPerPayment: "(\$[\d.]+)" \}\)$/.exec(hint)?.[1] ?? 'no such line';
      const raised = officialClient(buyer).setSpendControls({ maxAmountPerPayment: line });
      expect((await raised.createPaymentPayload(terms)).accepted.amount).toBe(amount);
    }
  });
});

type Sold = { report_id: string; payment: unknown };

/** What was sold without what only this sale has. */
function withoutPayment(result: unknown): Record<string, unknown> {
  const {
    report_id: _id,
    report_url: _url,
    payment: _payment,
    publish_token: _token,
    statement: _statement,
    receipt: _receipt,
    ...rest
  } = result as Sold & Record<string, unknown>;
  return rest;
}

/** The result that the command line makes from the snapshot of a sale, in Node, from what the Worker recorded. */
async function replayed(result: unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-replay-'));
  try {
    const snapshot = await fetch(`${stack.api.url}/reports/${(result as Sold).report_id}/snapshot`);
    expect(snapshot.headers.get('content-disposition')).toContain('attachment');
    writeFileSync(join(folder, 'snapshot.json'), await snapshot.text());
    const { out, err } = await runCli(['replay', 'snapshot.json', '--json'], { cwd: folder });
    expect(err).toBe('');
    const { competitor: _named, ...rest } = JSON.parse(out) as Record<string, unknown>;
    return JSON.stringify(rest);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const balances = async () => ({
  buyer: await stack.chain.balance(buyer.address),
  seller: await stack.chain.balance(stack.seller.address),
});

describe('what a 402 says is valid by the official parts', () => {
  test.each(served.map((row) => row.name))('terms, bazaar and payment-identifier of %s', async (capability) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const required = await requiredOf(stack, { capability });
    expect(PaymentRequiredV2Schema.safeParse(required).error).toBeUndefined();
    const { bazaar, 'payment-identifier': identifier } = required.extensions ?? {};
    expect(validateDiscoveryExtension(bazaar as DiscoveryExtension)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar as Record<string, unknown>)).toEqual({ valid: true });
    // The official validator knows no formats and says so; it must have nothing else to say.
    expect(warned.mock.calls.flat().filter((text) => !String(text).startsWith('unknown format "uri" ignored'))).toEqual(
      [],
    );
    warned.mockRestore();
    expect(isPaymentIdentifierExtension(identifier)).toBe(true);
    expect(validatePaymentIdentifier(identifier)).toEqual({ valid: true });
    expect(isPaymentIdentifierRequired(identifier)).toBe(false);
  });

  test('a payload made for it is one by the official schema, and ours reads it as the client wrote it', async () => {
    const payload = await officialClient(buyer).createPaymentPayload(await requiredOf(stack));
    expect(PaymentPayloadV2Schema.safeParse(payload).error).toBeUndefined();
    const header = encodePaymentSignatureHeader(payload);
    expect(decodePaymentSignatureHeader(header)).toEqual(JSON.parse(JSON.stringify(payload)));
    const { authorization } = signedCredential(payload);
    const { from, to, value } = payload.payload['authorization'] as Record<string, string>;
    expect(authorization).toMatchObject({
      from: from?.toLowerCase(),
      to: to?.toLowerCase(),
      value: BigInt(value ?? ''),
    });
  });

  test('a payer without money is told so, and no PAYMENT-RESPONSE speaks of a settlement that was not tried', async () => {
    const poor = await stack.chain.freshAccount(0n);
    const refused = await present(
      stack,
      {},
      encodePaymentSignatureHeader(await officialClient(poor).createPaymentPayload(await requiredOf(stack))),
    );
    expect([refused.status, refused.headers.get('payment-response')]).toEqual([402, null]);
    expect(await codeOf(refused)).toBe('insufficient_funds');
  });
});

describe('sign-in-with-x', () => {
  test('the official client lists what its wallet bought, and another wallet sees nothing of it', async () => {
    const pay = wrapFetchWithPayment(fetch, officialClient(buyer));
    const bought = await pay(`${stack.api.url}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: stack.sites.good }),
    });
    const { report_id: id } = (await bought.json()) as { report_id: string };
    const list = async ({ account }: Account): Promise<{ report_id: string; report_url: string }[]> => {
      const url = `${stack.api.url}/reports`;
      const asked = (await (await fetch(url)).json()) as { extensions: { 'sign-in-with-x': SIWxExtension } };
      const { info, supportedChains } = asked.extensions['sign-in-with-x'];
      const [chain] = supportedChains;
      if (chain === undefined) throw new Error('the challenge names no chain');
      const header = encodeSIWxHeader(await createSIWxPayload({ ...info, ...chain }, account, url));
      const { origin } = new URL(url);
      expect(await validateSIWxMessage(parseSIWxHeader(header), new URL(origin))).toEqual({ isValid: true });
      const answer = await fetch(url, { headers: { 'SIGN-IN-WITH-X': header } });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { reports: { report_id: string; report_url: string }[] }).reports;
    };
    const mine = (await list(buyer)).find((report) => report.report_id === id);
    expect((await fetch(mine?.report_url ?? 'absent:')).status).toBe(200);
    expect(await list(await stack.chain.freshAccount(0n))).toEqual([]);
  });

  test('its wrapper signs nothing by itself: there is no 402 to answer', async () => {
    const asked = vi.fn<typeof fetch>((...given) => fetch(...given));
    const answer = await wrapFetchWithSIWx(asked, buyer.account)(`${stack.api.url}/reports`);
    expect([answer.status, asked.mock.calls.length]).toEqual([401, 1]);
  });
});

describe('payment-identifier', () => {
  /** A payload with the client's own id, as the extension's documentation adds it. */
  async function identified(id: string): Promise<PaymentPayload> {
    const required = await requiredOf(stack);
    appendPaymentIdentifierToExtensions(required.extensions ?? {}, id);
    return officialClient(buyer).createPaymentPayload(required);
  }

  test('P22: an exact repeat is the same sale, another payment under the id is 409 and is not charged', async () => {
    const id = generatePaymentId();
    const [first, other] = [await identified(id), await identified(id)];
    expect([extractPaymentIdentifier(first), extractPaymentIdentifier(other)]).toEqual([id, id]);
    const before = await balances();
    const sold = await present(stack, {}, encodePaymentSignatureHeader(first));
    expect(sold.status).toBe(200);
    const again = await present(stack, {}, encodePaymentSignatureHeader(first));
    expect(await again.text()).toBe(await sold.text());
    expect(again.headers.get('payment-response')).toBe(sold.headers.get('payment-response'));
    const conflict = await present(stack, {}, encodePaymentSignatureHeader(other));
    expect([conflict.status, await codeOf(conflict)]).toEqual([409, 'payment_identifier_reused']);
    expect(before.buyer - (await balances()).buyer).toBe(60_000n);
  });

  test('P22: the same id of another payer is another payment', async () => {
    const id = generatePaymentId();
    const mine = await identified(id);
    const stranger = await stack.chain.freshAccount(1_000_000n);
    const required = await requiredOf(stack);
    appendPaymentIdentifierToExtensions(required.extensions ?? {}, id);
    const theirs = await officialClient(stranger).createPaymentPayload(required);
    expect((await present(stack, {}, encodePaymentSignatureHeader(mine))).status).toBe(200);
    expect((await present(stack, {}, encodePaymentSignatureHeader(theirs))).status).toBe(200);
  });

  test('an id that the extension does not allow is 400', async () => {
    const payload = await identified(generatePaymentId());
    const extensions = { ...payload.extensions, 'payment-identifier': { info: { required: false, id: 'too short' } } };
    const answer = await present(stack, {}, encodePaymentSignatureHeader({ ...payload, extensions }));
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'invalid_payload']);
  });
});

describe('our facilitator client gives the verdicts of the official one', () => {
  let official: FacilitatorClient;
  let ours: Facilitator;
  beforeAll(() => {
    official = new HTTPFacilitatorClient({ url: stack.facilitator.url });
    ours = createFacilitator({ url: stack.facilitator.url, fetch: (url, init) => fetch(url, init) });
  });

  type Case = { payload: PaymentPayload; requirements: PaymentRequirements };
  const signedFor = async (payer: Account, changes: Partial<PaymentRequirements> = {}): Promise<Case> => {
    const required = await requiredOf(stack);
    const [requirements] = required.accepts;
    if (requirements === undefined) throw new Error('the 402 accepts nothing');
    const asked = { ...required, accepts: [{ ...requirements, ...changes }] };
    const payload = await officialClient(payer).createPaymentPayload(asked);
    return { payload: { ...payload, accepted: requirements }, requirements };
  };
  const tampered = async (change: Record<string, string>): Promise<Case> => {
    const { payload, requirements } = await signedFor(buyer);
    const authorization = { ...(payload.payload['authorization'] as object), ...change };
    return { requirements, payload: { ...payload, payload: { ...payload.payload, authorization } } };
  };

  test('a good payload is valid for both, and settles for both', async () => {
    for (const settle of [settleOfficially, settleByOurs]) {
      const { payload, requirements } = await signedFor(buyer);
      expect(await official.verify(payload, requirements)).toMatchObject({ isValid: true });
      expect(await ours.verify(signedCredential(payload), requirements)).toEqual({
        kind: 'valid',
        payer: buyer.address.toLowerCase(),
      });
      const before = await balances();
      const transaction = await settle({ payload, requirements });
      expect((await stack.chain.client.getTransactionReceipt({ hash: transaction as Hex })).status).toBe('success');
      expect(before.buyer - (await balances()).buyer).toBe(60_000n);
    }
  });

  async function settleOfficially({ payload, requirements }: Case): Promise<string> {
    const reply = await official.settle(payload, requirements);
    expect(reply).toMatchObject({ success: true, network: NETWORK });
    return reply.transaction;
  }

  async function settleByOurs({ payload, requirements }: Case): Promise<string> {
    const outcome = await ours.settle(signedCredential(payload), requirements);
    if (outcome.kind !== 'settled') throw new Error(`not settled: ${JSON.stringify(outcome)}`);
    return outcome.transaction;
  }

  test.each<[string, string, () => Promise<Case>]>([
    ['a tampered value', 'invalid_exact_evm_signature', () => tampered({ value: '1' })],
    ['a tampered nonce', 'invalid_exact_evm_signature', () => tampered({ nonce: `0x${'ab'.repeat(32)}` })],
    [
      'a tampered recipient',
      'invalid_exact_evm_signature',
      async () => tampered({ to: (await stack.chain.freshAccount()).address }),
    ],
    [
      'a bad signature',
      'invalid_exact_evm_signature',
      async () => {
        const { payload, requirements } = await signedFor(buyer);
        return {
          requirements,
          payload: { ...payload, payload: { ...payload.payload, signature: `0x${'cd'.repeat(64)}1c` } },
        };
      },
    ],
    [
      'a smaller amount, honestly signed',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      () => signedFor(buyer, { amount: '59999' }),
    ],
    [
      'another recipient, honestly signed',
      'invalid_exact_evm_recipient_mismatch',
      async () => signedFor(buyer, { payTo: (await stack.chain.freshAccount()).address }),
    ],
    [
      'a payer without money',
      'invalid_exact_evm_insufficient_balance',
      async () => signedFor(await stack.chain.freshAccount(59_999n)),
    ],
    [
      'an authorization about to expire',
      'invalid_exact_evm_payload_authorization_valid_before',
      () => signedFor(buyer, { maxTimeoutSeconds: 1 }),
    ],
    [
      'a nonce that was settled',
      'invalid_exact_evm_nonce_already_used',
      async () => {
        const good = await signedFor(buyer);
        await settleOfficially(good);
        return good;
      },
    ],
  ])('%s is refused by both with %s', async (_name, reason, make) => {
    const { payload, requirements } = await make();
    expect(await official.verify(payload, requirements)).toMatchObject({ isValid: false, invalidReason: reason });
    expect(await ours.verify(signedCredential(payload), requirements)).toEqual({ kind: 'refused', reason });
  });
});

/** The payload as our own parser hands it to the facilitator client. */
function signedCredential(payload: PaymentPayload): SignedCredential {
  const parsed = parseCredential(encodePaymentSignatureHeader(payload));
  if (!parsed.ok || parsed.credential.kind !== 'signed') throw new Error(`not read: ${JSON.stringify(parsed)}`);
  return parsed.credential;
}
