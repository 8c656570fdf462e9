import { globSync } from 'node:fs';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createChainClient } from '../../../local/chain/chain.ts';
import { startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import { codeOf, type Order, present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';
import {
  batchTransfer,
  chainControl,
  fakeTransfer,
  mined,
  type ProofChanges,
  prove,
  sendTransfer,
} from '../../support/stack/transfers.ts';

const PRICE = 60_000n;
const DEARER = 80_000n; // check_mcp
const NEVER_SEEN: Hex = `0x${'7e'.repeat(32)}`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
});

const fresh = (microUsdc = 10_000_000n): Promise<Account> => stack.chain.freshAccount(microUsdc);
const pay = (from: Account, microUsdc = PRICE): Promise<Hex> =>
  stack.chain.transfer(from, stack.seller.address, microUsdc);
const verdict = async (answer: Response): Promise<[number, string]> => [answer.status, await codeOf(answer)];
const paymentOf = async (answer: Response) =>
  ((await answer.json()) as { payment: { payer: string; amount: string; transaction: string } }).payment;

type Paying = (buyer: Account) => Promise<Hex>;

describe('a transaction that pays nothing for this service is 402 with fresh terms', () => {
  const refused: readonly [string, string, Paying][] = [
    [
      'a transfer that reverted',
      'transaction_reverted',
      async (buyer) => {
        const hash = await sendTransfer(stack.chain, buyer, stack.seller.address, 10n ** 15n);
        expect((await stack.chain.client.waitForTransactionReceipt({ hash })).status).toBe('reverted');
        return hash;
      },
    ],
    [
      'the Transfer event of another token',
      'no_matching_transfer',
      (buyer) => fakeTransfer(stack.chain, buyer.address, stack.seller.address, PRICE),
    ],
    [
      'USDC that was minted to the payee',
      'transfer_source_refused',
      async () =>
        mined(
          stack.chain,
          await stack.chain.client.writeContract({
            address: USDC,
            abi: usdcAbi,
            functionName: 'mint',
            args: [stack.seller.address, PRICE],
          }),
        ),
    ],
    [
      'a transfer of the payee to itself',
      'transfer_source_refused',
      async () => {
        await stack.chain.mint(stack.seller.address, PRICE);
        return pay(stack.seller);
      },
    ],
    [
      'P20: the settlement of a signed sale',
      'transfer_is_settlement',
      async (buyer) => {
        const sale = await present(stack, {}, await sign(stack, buyer));
        expect(sale.status).toBe(200);
        return (await paymentOf(sale)).transaction as Hex;
      },
    ],
    ['a transfer that is one micro-USDC short', 'transfer_too_small', (buyer) => pay(buyer, PRICE - 1n)],
    ['a transfer of nothing', 'transfer_too_small', (buyer) => pay(buyer, 0n)],
    [
      'a transfer to somebody else',
      'no_matching_transfer',
      async (buyer) => stack.chain.transfer(buyer, (await fresh(0n)).address, PRICE),
    ],
    [
      'a transaction that moves only ether',
      'no_matching_transfer',
      async (buyer) => {
        const client = createChainClient(stack.chain.rpcUrl, buyer.account);
        return mined(stack.chain, await client.sendTransaction({ to: stack.seller.address, value: 1n }));
      },
    ],
  ];

  test.each(refused)('%s: %s', async (_name, code, paying) => {
    const buyer = await fresh();
    const hash = await paying(buyer);
    const bare = await present(stack, {}, hash);
    // A settlement was a payment, and it was used: paying again is not the next step (P13).
    const status = code === 'transfer_is_settlement' ? 409 : 402;
    expect(bare.headers.has('payment-required')).toBe(status === 402);
    expect(await verdict(bare)).toEqual([status, code]);
    // A proof shows who pays; it makes no payment out of none.
    expect(await verdict(await present(stack, {}, await prove(stack, buyer, hash)))).toEqual([status, code]);
  });

  test('a price of one capability does not buy a dearer one, and is not used up by the attempt', async () => {
    const hash = await pay(await fresh());
    expect(await verdict(await present(stack, { capability: 'check_mcp' }, hash))).toEqual([402, 'transfer_too_small']);
    expect((await present(stack, {}, hash)).status).toBe(200);
  });
});

describe('P13: what may yet become a payment is 503 with Retry-After and never 402', () => {
  test('a hash that nobody knows yet, asked for again and again', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      const answer = await present(stack, {}, NEVER_SEEN);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('payment-required')).toBeNull();
      expect(await verdict(answer)).toEqual([503, 'payment_pending']);
    }
  });

  test('a transfer that waits for its block buys once it is mined', async () => {
    const buyer = await fresh();
    await stack.chain.client.setAutomine(false);
    const hash = await sendTransfer(stack.chain, buyer, stack.seller.address, PRICE);
    expect(await verdict(await present(stack, {}, hash))).toEqual([503, 'payment_pending']);
    await stack.chain.client.mine({ blocks: 1 });
    await stack.chain.client.setAutomine(true);
    expect((await present(stack, {}, hash)).status).toBe(200);
  });

  test('a transfer that a reorganisation removed buys once it is mined again', async () => {
    const buyer = await fresh();
    const client = createChainClient(stack.chain.rpcUrl, buyer.account);
    const call = await client.prepareTransactionRequest({ ...transferCall(PRICE), gas: 200_000n });
    const serialized = await buyer.account.signTransaction(call as Parameters<typeof buyer.account.signTransaction>[0]);
    const hash = await mined(stack.chain, await client.sendRawTransaction({ serializedTransaction: serialized }));
    await chainControl(stack.chain, 'anvil_reorg', [1, []]);
    expect(await stack.chain.balance(buyer.address)).toBe(10_000_000n);
    expect(await verdict(await present(stack, {}, hash))).toEqual([503, 'payment_pending']);
    await mined(stack.chain, await client.sendRawTransaction({ serializedTransaction: serialized }));
    const answer = await presentUntilDecided(stack, {}, hash);
    expect(answer.status).toBe(200);
    expect(await paymentOf(answer)).toMatchObject({ transaction: hash, payer: buyer.address.toLowerCase() });
  });
});

function transferCall(microUsdc: bigint) {
  const selector = 'a9059cbb'; // transfer(address,uint256)
  const word = (hex: string): string => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0');
  const data: Hex = `0x${selector}${word(stack.seller.address)}${word(microUsdc.toString(16))}`;
  return { to: USDC, data };
}

describe('P20: several transfers in one transaction', () => {
  test('are ambiguous without a proof; with a proof every payer gets its own sale, and a stranger none', async () => {
    const [first, second, stranger] = [await fresh(), await fresh(), await fresh()];
    const hash = await batchTransfer(stack.chain, stack.seller.address, [
      { from: first, microUsdc: PRICE },
      { from: second, microUsdc: PRICE },
    ]);
    expect(await verdict(await present(stack, {}, hash))).toEqual([409, 'ambiguous_transfer']);
    expect(await verdict(await present(stack, {}, await prove(stack, stranger, hash)))).toEqual([
      400,
      'payer_proof_invalid',
    ]);
    const sold: string[] = [];
    for (const payer of [first, second]) {
      const answer = await present(stack, {}, await prove(stack, payer, hash));
      expect(answer.status).toBe(200);
      const { report_id: id, payment } = (await answer.json()) as {
        report_id: string;
        payment: { payer: string; amount: string };
      };
      expect(payment).toMatchObject({ payer: payer.address.toLowerCase(), amount: String(PRICE) });
      sold.push(id);
    }
    expect(new Set(sold).size).toBe(2);
    expect(await verdict(await present(stack, {}, hash))).toEqual([409, 'ambiguous_transfer']);
  });

  test('of one payer are as many sales as transfers', async () => {
    const payer = await fresh();
    const twice = { from: payer, microUsdc: PRICE };
    const hash = await batchTransfer(stack.chain, stack.seller.address, [twice, twice]);
    const buy = async (body: Record<string, unknown>): Promise<Response> =>
      present(stack, { body }, await prove(stack, payer, hash, { body }));
    expect((await buy({ url: stack.sites.good })).status).toBe(200);
    expect((await buy({ url: stack.sites.poor })).status).toBe(200);
    expect(await verdict(await buy({ url: stack.sites.good, profile: 'docs' }))).toEqual([409, 'payment_already_used']);
  });

  test('count one by one: a transfer below the price beside one of the price is no ambiguity', async () => {
    const [whole, short] = [await fresh(), await fresh()];
    const hash = await batchTransfer(stack.chain, stack.seller.address, [
      { from: short, microUsdc: PRICE - 1n },
      { from: whole, microUsdc: PRICE },
    ]);
    const answer = await present(stack, {}, hash);
    expect(answer.status).toBe(200);
    expect(await paymentOf(answer)).toMatchObject({ payer: whole.address.toLowerCase() });
  });
});

test('P15: more than the price is accepted, and the payment says how much it was', async () => {
  const answer = await present(stack, {}, await pay(await fresh(), PRICE + 40_000n));
  expect(answer.status).toBe(200);
  expect(await paymentOf(answer)).toMatchObject({ amount: '100000' });
});

describe('P10: a payer proof is good for one transaction, capability, body and deployment, for ten minutes', () => {
  const nowS = (): number => Math.floor(Date.now() / 1000);
  test.each<[string, string, () => ProofChanges]>([
    ['another capability', 'payer_proof_invalid', () => ({ capability: 'check_schema' })],
    ['another body', 'payer_proof_invalid', () => ({ body: { url: stack.sites.poor } })],
    ['another deployment', 'payer_proof_invalid', () => ({ origin: 'https://sightline.example' })],
    ['a time that has passed', 'payer_proof_expired', () => ({ signedAtS: nowS() - 601 })],
    ['a time to come', 'payer_proof_expired', () => ({ signedAtS: nowS() + 90 })],
  ])('one for %s is refused, and the transfer stays good', async (_name, code, changes) => {
    const buyer = await fresh();
    const hash = await pay(buyer);
    expect(await verdict(await present(stack, {}, await prove(stack, buyer, hash, {}, changes())))).toEqual([
      400,
      code,
    ]);
    expect((await present(stack, {}, await prove(stack, buyer, hash))).status).toBe(200);
  });

  test('one for another transaction, or by another key, is refused', async () => {
    const [buyer, other] = [await fresh(), await fresh()];
    const [hash, othersHash] = [await pay(buyer), await pay(other)];
    const proof = JSON.parse(atob(await prove(stack, buyer, hash))) as { payload: Record<string, unknown> };
    const moved = btoa(JSON.stringify({ ...proof, payload: { ...proof.payload, transaction: othersHash } }));
    expect(await verdict(await present(stack, {}, moved))).toEqual([400, 'payer_proof_invalid']);
    expect(await verdict(await present(stack, {}, await prove(stack, buyer, othersHash)))).toEqual([
      400,
      'payer_proof_invalid',
    ]);
    expect((await present(stack, {}, othersHash)).status).toBe(200);
  });

  test('one that claims more than ten minutes is refused although its signature covers them', async () => {
    const buyer = await fresh();
    const hash = await pay(buyer);
    const proof = JSON.parse(atob(await prove(stack, buyer, hash))) as { payload: { expiresAt: number } };
    const longer = btoa(
      JSON.stringify({ ...proof, payload: { ...proof.payload, expiresAt: proof.payload.expiresAt + 1 } }),
    );
    expect(await verdict(await present(stack, {}, longer))).toEqual([400, 'payer_proof_expired']);
  });
});

describe('P1: a repeat', () => {
  test('with a fresh proof gets the stored answer; bare, or for another body, it gets nothing', async () => {
    const buyer = await fresh();
    const hash = await pay(buyer);
    const first = await present(stack, {}, await prove(stack, buyer, hash));
    expect(first.status).toBe(200);
    const again = await present(
      stack,
      {},
      await prove(stack, buyer, hash, {}, { signedAtS: Math.floor(Date.now() / 1000) - 1 }),
    );
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    const other: Order = { body: { url: stack.sites.poor } };
    expect(await verdict(await present(stack, {}, hash))).toEqual([409, 'payment_already_used']);
    expect(await verdict(await present(stack, other, await prove(stack, buyer, hash, other)))).toEqual([
      409,
      'payment_already_used',
    ]);
  });

  test('of a sale to a bare hash is served to the payer that proves itself', async () => {
    const buyer = await fresh();
    const hash = await pay(buyer);
    const sold = await (await present(stack, {}, hash)).text();
    const proven = await present(stack, {}, await prove(stack, buyer, hash));
    expect([proven.status, await proven.text()]).toEqual([200, sold]);
  });
});

test('P9: a payer that proves itself takes over the running claim of an onlooker, who gets nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slow = await startHttpServer(async (_request, response) => {
    reached.resolve();
    await gate.promise;
    response.end('<title>slow</title>');
  });
  try {
    const buyer = await fresh();
    const hash = await pay(buyer);
    const onlooker = present(stack, { body: { url: slow.url } }, hash);
    await reached.promise;
    expect(await verdict(await present(stack, {}, hash))).toEqual([409, 'payment_in_progress']);
    const payers = await present(stack, {}, await prove(stack, buyer, hash));
    expect(payers.status).toBe(200);
    gate.resolve();
    const lost = await onlooker;
    expect(lost.headers.get('payment-response')).toBeNull();
    expect(await verdict(lost)).toEqual([409, 'payment_in_progress']);
    expect(await verdict(await present(stack, { body: { url: slow.url } }, hash))).toEqual([
      409,
      'payment_already_used',
    ]);
  } finally {
    gate.resolve();
    await slow.stop();
  }
});

test('P15: a transfer whose work could not be done buys later, also something cheaper', async () => {
  const buyer = await fresh();
  const hash = await pay(buyer, DEARER);
  const site = await startHttpServer(
    (_request, response) => void response.setHeader('content-type', 'text/html').end('<title>up</title>'),
  );
  await site.stop();
  const order: Order = { capability: 'check_mcp', body: { url: site.url } };
  expect(await verdict(await present(stack, order, await prove(stack, buyer, hash, order)))).toEqual([
    422,
    'target_unreachable',
  ]);
  const again = await startHttpServer(
    (_request, response) => void response.setHeader('content-type', 'text/html').end('<title>up</title>'),
    site.port,
  );
  try {
    const cheaper: Order = { body: { url: site.url } };
    const answer = await present(stack, cheaper, await prove(stack, buyer, hash, cheaper));
    expect(answer.status).toBe(200);
    expect(await paymentOf(answer)).toMatchObject({ transaction: hash, amount: String(DEARER) });
    expect(await verdict(await present(stack, order, await prove(stack, buyer, hash, order)))).toEqual([
      409,
      'payment_already_used',
    ]);
  } finally {
    await again.stop();
  }
});

/** Ledger objects that the stacks of this process have on disk. */
const ledgerObjects = (): number =>
  globSync(`.local/state/${process.pid}-*/**/*PaymentLedger/*.sqlite`).filter(
    (path) => !path.endsWith('metadata.sqlite'),
  ).length;

describe('a deployment that wants a proof for every transfer, and young ones', () => {
  let strict: Stack;
  beforeAll(async () => {
    strict = await startStack({
      bindings: { REQUIRE_PAYER_PROOF_ABOVE_USD: '0', TRANSFER_MAX_AGE_S: '60', PAYMENTS_SINCE: '1' },
    });
  });
  afterAll(async () => {
    await strict.stop();
  });

  test('P9: a bare hash is 402 payer_proof_required before chain and ledger are asked, and the proof buys at once', async () => {
    const buyer = await strict.chain.freshAccount(1_000_000n);
    const hash = await strict.chain.transfer(buyer, strict.seller.address, PRICE);
    const before = ledgerObjects();
    expect(await verdict(await present(strict, {}, hash))).toEqual([402, 'payer_proof_required']);
    expect(await verdict(await present(strict, {}, NEVER_SEEN))).toEqual([402, 'payer_proof_required']);
    expect(ledgerObjects()).toBe(before); // No object was even asked, so there is no row.
    expect((await present(strict, {}, await prove(strict, buyer, hash))).status).toBe(200);
    // The keeper of the mark of the key that places payments, and the shard of the hash, which has the row; that of the
    // payer, which may be the same, was asked for a settlement.
    expect(ledgerObjects() - before).toBeOneOf([2, 3]);
    expect(await verdict(await present(strict, {}, hash))).toEqual([402, 'payer_proof_required']);
  });

  test('P16: a transfer older than TRANSFER_MAX_AGE_S is 402 transfer_too_old', async () => {
    const buyer = await strict.chain.freshAccount(1_000_000n);
    const nowS = Math.floor(Date.now() / 1000);
    await chainControl(strict.chain, 'evm_setTime', [nowS - 61]);
    const hash = await strict.chain.transfer(buyer, strict.seller.address, PRICE);
    await chainControl(strict.chain, 'evm_setTime', [nowS]);
    expect(await verdict(await present(strict, {}, await prove(strict, buyer, hash)))).toEqual([
      402,
      'transfer_too_old',
    ]);
  });
});

test('P16: a transfer from before PAYMENTS_SINCE is 402 transfer_too_old, proven or not', async () => {
  const buyer = await fresh();
  const nowS = Math.floor(Date.now() / 1000);
  await chainControl(stack.chain, 'evm_setTime', [nowS - 3_600]);
  const hash = await pay(buyer);
  await chainControl(stack.chain, 'evm_setTime', [nowS]);
  expect(await verdict(await present(stack, {}, hash))).toEqual([402, 'transfer_too_old']);
  expect(await verdict(await present(stack, {}, await prove(stack, buyer, hash)))).toEqual([402, 'transfer_too_old']);
});
