import { expect } from 'vitest';
import { buildRequirements } from '../../../../src/payment/terms/terms.ts';
import type { Facilitator } from '../../../../src/payment/facilitator/facilitator.ts';
import { find, proveRepeat, write } from '../cases/mpp.ts';
import type { RailCase } from '../support/rail-case.ts';
import { BODIES, codeOf, openWorld, ORDER, PRICE } from '../support/world.ts';

/** A rail whose payments hold nothing but what anyone may have. */
export const withoutProof = (rail: RailCase): RailCase => ({
  ...rail,
  pay: (world, order, terms) => rail.pay(world, order, { ...terms, isSecretless: true }),
});

/** P7: what is signed, and what of the challenge comes back, is as it was issued; the facilitator gets our requirements. */
export async function keepsIssuedTerms(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { json } = find(paid);
  const [challenge, payload] = [Object(json['challenge']), Object(json['payload'])];
  const changed = [
    { ...json, payload: { ...payload, type: 'permit2' } },
    { ...json, payload: { ...payload, type: 'hash' } },
    { ...json, payload: { ...payload, value: '1' } },
    { ...json, payload: { ...payload, to: `0x${'5e'.repeat(20)}` } },
    { ...json, payload: { ...payload, nonce: `0x${'7e'.repeat(32)}` } },
    { ...json, challenge: { ...challenge, expires: '2099-01-01T00:00:00Z' } },
    { ...json, challenge: { ...challenge, request: find(await rail.pay(world, {}, { microUsdc: 1 })).json } },
  ];
  for (const one of changed)
    expect(['wrong_terms', 'wrong_amount', 'challenge_invalid']).toContain(codeOf(await world.buy(write(one))));
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  const asked: unknown[] = [];
  const watch = ({ verify, settle }: Facilitator): Facilitator => ({
    verify: (payment, requirements) => {
      asked.push(requirements);
      return verify(payment, requirements);
    },
    settle: (payment, requirements) => {
      asked.push(requirements);
      return settle(payment, requirements);
    },
  });
  const change = (tools: Parameters<NonNullable<NonNullable<Parameters<typeof world.buy>[1]>['change']>>[0]) => ({
    ...tools,
    facilitator: watch(tools.facilitator),
  });
  expect(codeOf(await world.buy(paid, { change }))).toBe('sold');
  const ours = buildRequirements(world.buildOffer(ORDER), PRICE);
  expect(asked).toMatchObject([ours, ours]);
}

/** P10: another capability, body, deployment or signer, and too old; and what cannot be read. */
export async function bindsRepeatProof(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  expect(codeOf(await world.buy(paid))).toBe('sold');
  const { nonce, payer } = find(paid);
  const repeat = async (...[order, by]: [Parameters<typeof proveRepeat>[2], object]) =>
    codeOf(await world.buy({ ...paid, proof: await proveRepeat(world, nonce, order, { signer: payer, ...by }) }));
  expect(await repeat({ capability: 'full_audit' }, {})).toBe('payer_proof_invalid');
  expect(await repeat({ body: BODIES[1] }, {})).toBe('payer_proof_invalid');
  expect(await repeat({}, { salt: `0x${'0d'.repeat(32)}` })).toBe('payer_proof_invalid');
  expect(await repeat({}, { signer: world.newPayer('stranger') })).toBe('payer_proof_invalid');
  expect(await repeat({}, { lifeS: 601 })).toBe('payer_proof_expired');
  for (const proof of ['', 'e30', 'no base64url!', 'A'.repeat(9_000)])
    expect(codeOf(await world.buy({ ...paid, proof }))).toBe('payer_proof_invalid');
  const other = await rail.pay(world, {}, { payer });
  expect(codeOf(await world.buy({ ...paid, ...(other.proof === undefined ? {} : { proof: other.proof }) }))).toBe(
    'payer_proof_invalid',
  );
  await world.pass(601_000);
  expect(codeOf(await world.buy(paid))).toBe('payer_proof_expired');
  expect(await repeat({}, {})).toBe('sold');
}

/** P23: a challenge is for one route; by MCP the same tool has the same. */
export async function bindsRoute(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  for (const resource of ['https://sightline.test/api/agent/full_audit', 'https://other.test/api/agent/check_health'])
    expect(codeOf(await world.buy(await rail.pay(world, {}, { resource })))).toBe('challenge_invalid');
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
}
