import { describe, expect, test } from 'vitest';
import { checkPaymentTerms } from '../../../src/deploy/checks/terms.ts';
import { NETWORK, USDC } from '../../../src/payment/terms/constants.ts';
import { API, type Answers, fakePorts, found, json, shortly } from './answers.ts';

const PAYEE = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
const SEPOLIA = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
const prices: Readonly<Record<string, string>> = { check_health: '60000', full_audit: '350000' };

type Terms = { scheme: string; network: string; amount: string; asset: string; payTo: string };

const index = (payment: object = {}, amounts = prices, network: string = NETWORK, available = true) => ({
  payment: { network, payTo: PAYEE, asset: USDC, ...payment },
  capabilities: Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, { amount, network, available }]),
  ),
});

const demand = (capability: string, changes: Partial<Terms> = {}) => {
  const terms = {
    scheme: 'exact',
    network: NETWORK,
    amount: prices[capability],
    asset: USDC,
    payTo: PAYEE,
    ...changes,
  };
  return json({}, 402, { 'payment-required': btoa(JSON.stringify({ x402Version: 2, accepts: [terms] })) });
};

const deployment = (changes: Partial<Terms> = {}, catalogue: object = index()): Answers => ({
  'GET /api/agent/index': json(catalogue),
  'POST /api/agent/check_health': demand('check_health', changes),
  'POST /api/agent/full_audit': demand('full_audit', changes.amount === undefined ? changes : {}),
});

const check = (answers: Answers, expected: object = {}) =>
  checkPaymentTerms({ addresses: { api: API }, expected }, fakePorts(answers));

describe('the terms of a deployment', () => {
  test('that are right pass', async () => {
    expect(shortly(await check(deployment()))).toEqual([
      'pass terms.catalogue',
      'pass terms.answer',
      'pass terms.network',
      'pass terms.payee',
      'pass terms.price',
      'pass terms.consistent',
    ]);
  });

  test('of Base Sepolia pass with its own USDC', async () => {
    const answers = deployment(SEPOLIA, index({ asset: SEPOLIA.asset }, prices, SEPOLIA.network));
    const results = await check(answers, { network: SEPOLIA.network });
    expect(results.every(({ status }) => status === 'pass')).toBe(true);
  });

  test.each([
    ['terms.network', 'a network that is none of ours', { network: 'eip155:1' }],
    ['terms.network', 'USDC of another network', { asset: SEPOLIA.asset }],
    ['terms.network', 'a scheme that no client of ours pays', { scheme: 'upto' }],
    ['terms.payee', 'a payee that is no address', { payTo: 'me' }],
    ['terms.payee', 'an account whose key everyone has', { payTo: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['terms.payee', 'the address of no one', { payTo: `0x${'0'.repeat(40)}` }],
    ['terms.price', 'a price that is not listed', { amount: '60001' }],
    ['terms.consistent', 'another payee than the catalogue says', { payTo: `0x${'1'.repeat(40)}` }],
    ['terms.consistent', 'another network than the catalogue says', SEPOLIA],
  ] as const)('%s fails for %s', async (id, _, changes) => {
    expect(found(await check(deployment(changes)), id).status).toBe('fail');
  });

  describe('on further networks', () => {
    const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
    const SOLANA = {
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      payTo: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
    };
    const further = (...others: readonly Partial<Terms>[]): Answers =>
      Object.fromEntries(
        Object.keys(prices).map((capability) => {
          const amount = prices[capability];
          const first = { scheme: 'exact', network: NETWORK, amount, asset: USDC, payTo: PAYEE };
          const accepts = [first, ...others.map((other) => ({ ...first, ...other }))];
          const header = btoa(JSON.stringify({ x402Version: 2, accepts }));
          return [`POST /api/agent/${capability}`, json({}, 402, { 'payment-required': header })];
        }),
      );
    const judge = async (...others: readonly Partial<Terms>[]) =>
      found(await check({ ...deployment(), ...further(...others) }), 'terms.network');

    test('that are right pass, and are named', async () => {
      const { status, detail } = await judge(POLYGON, SOLANA);
      expect([status, detail]).toEqual(['pass', `USDC of ${NETWORK}, ${POLYGON.network}, ${SOLANA.network}`]);
    });

    test.each([
      ['a network that is none of ours', { network: 'eip155:1' }, 'eip155:1 is no network'],
      ['a test network beside a main one', SEPOLIA, 'eip155:84532 is a test network'],
      ['USDC of another network', { ...POLYGON, asset: USDC }, 'is not USDC of eip155:137'],
      ['a mint in other letters', { ...SOLANA, asset: SOLANA.asset.toLowerCase() }, 'is not USDC of solana:'],
      ['another price', { ...POLYGON, amount: '1' }, 'eip155:137 has another price'],
    ])('with %s fail', async (_, other, detail) => {
      const result = await judge(POLYGON, other);
      expect(result).toMatchObject({
        status: 'fail',
        detail: expect.stringContaining(detail),
        next: 'Correct PAYMENT_NETWORKS, then deploy',
      });
    });
  });

  test('fail where the operator expects others', async () => {
    const results = await check(deployment(), { network: SEPOLIA.network, payTo: `0x${'2'.repeat(40)}` });
    expect(found(results, 'terms.network')).toMatchObject({
      detail: expect.stringContaining('not for eip155:84532'),
      next: 'Set PAYMENT_NETWORK, then deploy',
    });
    expect(found(results, 'terms.payee').status).toBe('fail');
  });

  test('say which of two is right where the deployment kept what it had', async () => {
    const kept = new Set(['PAY_TO', 'PAYMENT_NETWORK']);
    const results = await check(deployment(), { network: SEPOLIA.network, payTo: `0x${'2'.repeat(40)}`, kept });
    const [payee, network] = [found(results, 'terms.payee'), found(results, 'terms.network')];
    expect([payee.status, network.status]).toEqual(['fail', 'fail']);
    expect(payee.next).toContain('--replace PAY_TO');
    expect(network.next).toContain('Correct PAYMENT_NETWORK in the file');
  });

  test('a test account is fine on this machine, where money is worth nothing', async () => {
    const api = 'http://127.0.0.1:8787';
    const payTo = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
    const answers = Object.fromEntries(
      Object.entries(deployment({ payTo }, index({ payTo }))).map(([name, answer]) => [
        name.replace(' ', ` ${api}`),
        answer,
      ]),
    );
    const results = await checkPaymentTerms({ addresses: { api } }, fakePorts(answers));
    expect(found(results, 'terms.payee').status).toBe('pass');
  });

  test('a deployment that sells nothing fails', async () => {
    expect(found(await check(deployment({}, index({ payTo: null }))), 'terms.answer').next).toBe('Set PAY_TO');
  });

  test('closed sales are a warning, and fail where a payment is asked for all the same', async () => {
    const catalogue = index({}, prices, NETWORK, false);
    const closed = { ...deployment({}, catalogue), 'POST /api/agent/check_health': json({}, 503) };
    expect(shortly(await check(closed, { payTo: PAYEE }))).toEqual(['pass terms.catalogue', 'warn terms.answer']);
    expect(found(await check(closed), 'terms.answer').next).toContain('SALES');
    expect(found(await check(deployment({}, catalogue)), 'terms.answer').status).toBe('fail');
    const { 'POST /api/agent/check_health': _, ...gone } = closed;
    expect(found(await check(gone), 'terms.answer').status).toBe('unknown');
  });

  test.each([
    ['200 in place of 402', { 'POST /api/agent/full_audit': json({}) }],
    ['402 without terms', { 'POST /api/agent/full_audit': json({}, 402) }],
    ['terms that are no base64', { 'POST /api/agent/full_audit': json({}, 402, { 'payment-required': '{}' }) }],
    ['503', { 'POST /api/agent/full_audit': json({}, 503) }],
  ])('%s fails', async (_, answers) => {
    expect(found(await check({ ...deployment(), ...answers }), 'terms.answer').status).toBe('fail');
  });

  test('a limit that was reached, and what does not answer, are unknown', async () => {
    const limited = await check({ ...deployment(), 'POST /api/agent/full_audit': json({}, 429) });
    expect(found(limited, 'terms.answer').status).toBe('unknown');
    const { 'POST /api/agent/full_audit': _, ...gone } = deployment();
    expect(found(await check(gone), 'terms.answer').status).toBe('unknown');
    const nothing = await check({});
    expect(nothing.map(({ status }) => status)).toEqual(nothing.map(() => 'unknown'));
  });

  test('nothing of a payment is sent', async () => {
    const ports = fakePorts(deployment());
    await checkPaymentTerms({ addresses: { api: API } }, ports);
    const headers = ports.sent.flatMap((init) => [...new Headers(init.headers).keys()]);
    expect(headers).not.toContain('payment-signature');
  });
});
