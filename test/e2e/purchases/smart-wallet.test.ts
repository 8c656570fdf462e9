import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, type Stack } from '../../../local/stack.ts';
import { startFaultFacilitator, type FaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { codeOf, credentialOf, present } from '../../support/stack/presenting.ts';
import {
  ENDLESS_FACTORY,
  installFactories,
  planWallet,
  type SmartWallet,
  UNKNOWN_FACTORY,
  WALLET_FACTORY,
} from '../../support/stack/smart-wallet.ts';

const PRICE = 60_000n;
const FUNDS = 1_000_000n;

let stack: Stack;
let facilitator: FaultFacilitator;

beforeAll(async () => {
  stack = await startStack({
    walletFactories: [WALLET_FACTORY],
    facilitatorFor: async (url) => {
      facilitator = await startFaultFacilitator(url);
      return facilitator.url;
    },
  });
  await installFactories(stack.chain);
});

afterAll(async () => {
  await stack.stop();
  await facilitator.stop();
});

const codeAt = ({ address }: SmartWallet): Promise<string | undefined> => stack.chain.client.getCode({ address });
const signAs = async (signer: SmartWallet['deployed']): Promise<string> =>
  credentialOf(await present(stack, {}), signer);
const reportOf = async (answer: Response): Promise<string> => ((await answer.json()) as { id: string }).id;

/** A wallet that has USDC, and no code. */
async function fundedWallet(...plan: Parameters<typeof planWallet> extends [unknown, ...infer Rest] ? Rest : never) {
  const owner = await stack.chain.freshAccount();
  const wallet = planWallet(owner, ...plan);
  await stack.chain.mint(wallet.address, FUNDS);
  return { owner, wallet };
}

test('ERC-6492: a wallet that is not deployed yet pays by its first signature, and then as a deployed one', async () => {
  const { wallet } = await fundedWallet();
  const before = await stack.chain.balance(stack.seller.address);
  expect(await codeAt(wallet)).toBeUndefined();
  const credential = await signAs(wallet.undeployed);
  const bought = await present(stack, {}, credential);
  expect(bought.status).toBe(200);
  const report = await reportOf(bought);
  expect(await codeAt(wallet)).toBeDefined();
  expect(await stack.chain.balance(wallet.address)).toBe(FUNDS - PRICE);
  expect(await stack.chain.balance(stack.seller.address)).toBe(before + PRICE);

  const repeated = await present(stack, {}, credential);
  expect(repeated.status).toBe(200);
  expect(await reportOf(repeated)).toBe(report);

  expect((await present(stack, {}, await signAs(wallet.deployed))).status).toBe(200);
  // Wallets may go on wrapping what they sign.
  expect((await present(stack, {}, await signAs(wallet.undeployed))).status).toBe(200);
  expect(await stack.chain.balance(wallet.address)).toBe(FUNDS - 3n * PRICE);
});

test('ERC-6492: a signature of another key in the name of the wallet is refused before the facilitator hears of it', async () => {
  const { owner, wallet } = await fundedWallet();
  const stranger = await stack.chain.freshAccount();
  const forged = planWallet(owner, WALLET_FACTORY, stranger);
  expect(forged.address).toBe(wallet.address);
  const asked = { ...facilitator.calls };
  const refused = await present(stack, {}, await signAs(forged.undeployed));
  expect([refused.status, await codeOf(refused)]).toEqual([402, 'invalid_signature']);
  expect(facilitator.calls).toEqual(asked);
  expect(await codeAt(wallet)).toBeUndefined();
  expect((await present(stack, {}, await signAs(wallet.undeployed))).status).toBe(200);
  // Deployed now, the wallet itself says no.
  const again = await present(stack, {}, await signAs(forged.deployed));
  expect([again.status, await codeOf(again)]).toEqual([402, 'invalid_signature']);
});

test('ERC-6492: the code of a factory is ended by its limit of gas, and nothing is deployed or claimed', async () => {
  const owner = await stack.chain.freshAccount();
  const wallet = planWallet(owner, ENDLESS_FACTORY);
  await stack.chain.mint(wallet.address, FUNDS);
  const height = await stack.chain.client.getBlockNumber({ cacheTime: 0 });
  const asked = { ...facilitator.calls };
  const refused = await present(stack, {}, await signAs(wallet.undeployed));
  expect([refused.status, await codeOf(refused)]).toEqual([402, 'invalid_signature']);
  expect(facilitator.calls).toEqual(asked);
  expect(await stack.chain.client.getBlockNumber({ cacheTime: 0 })).toBe(height);
});

test('ERC-6492: a factory that the facilitator does not call is its refusal, and no money moves', async () => {
  const { wallet } = await fundedWallet(UNKNOWN_FACTORY);
  const refused = await present(stack, {}, await signAs(wallet.undeployed));
  expect(refused.status).toBe(402);
  expect((await refused.json()) as { code: string; detail: string }).toMatchObject({ code: 'payment_refused' });
  expect(await codeAt(wallet)).toBeUndefined();
  expect(await stack.chain.balance(wallet.address)).toBe(FUNDS);
});

test('P4: money of a contract wallet that a stranger settled is found, and its signature buys', async () => {
  const { wallet } = await fundedWallet();
  expect((await present(stack, {}, await signAs(wallet.undeployed))).status).toBe(200);
  const credential = await signAs(wallet.deployed);
  const { paymentPayload, paymentRequirements } = toFacilitator(credential);
  const settled = await fetch(`${stack.facilitator.url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
  });
  expect(await settled.json()).toMatchObject({ success: true });
  expect((await present(stack, {}, credential)).status).toBe(200);
  expect(await stack.chain.balance(wallet.address)).toBe(FUNDS - 2n * PRICE);
});

function toFacilitator(credential: string) {
  const paymentPayload = JSON.parse(Buffer.from(credential, 'base64').toString()) as { accepted: object };
  return { paymentPayload, paymentRequirements: paymentPayload.accepted };
}
