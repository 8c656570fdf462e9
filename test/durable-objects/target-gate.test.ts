import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DOMAIN_LIMITS, TARGET_LIMITS } from '../../src/rate-limits/target-gate.ts';
import { gateOf } from '../routes/api/gates.ts';

test('B11, F6: subdomains of one domain go through one gate, free previews and purchases alike', async () => {
  const admitted: boolean[] = [];
  for (let run = 0; run < DOMAIN_LIMITS.running; run += 1) {
    const kind = run % 2 === 0 ? 'paid' : 'unpaid';
    admitted.push((await gateOf(`s${run}.wild.example`).enter(`run ${run}`, kind)).admitted);
  }
  expect(admitted).not.toContain(false);
  expect(await gateOf('another.wild.example').enter('one more')).toEqual({ admitted: false, retryAfterS: 10 });
  expect(await gateOf('www.wild.example').enter('the owner')).toEqual({ admitted: true });
  await gateOf('s0.wild.example').leave('run 0');
  await gateOf('www.wild.example').leave('the owner');
  expect(await gateOf('another.wild.example').enter('one more')).toEqual({ admitted: true });
});

test('F6: a gate of before, which counted its own host only, goes on where it was', async () => {
  const nowMs = Date.now();
  await runInDurableObject(env.TARGET_GATE.getByName('before.example'), (_gate, state) => {
    state.storage.kv.put('state', {
      startedAtMs: Array.from({ length: TARGET_LIMITS.paidPerHour }, () => nowMs),
      running: [{ id: 'running', sinceMs: nowMs }],
    });
  });
  const gate = gateOf('before.example');
  expect(await gate.enter('paid', 'paid')).toMatchObject({ admitted: false });
  expect(await gate.enter('free', 'unpaid')).toEqual({ admitted: true });
  expect(await gate.enter('third', 'unpaid')).toEqual({ admitted: false, retryAfterS: 10 });
  await gate.leave('running');
  expect(await gate.enter('third', 'unpaid')).toEqual({ admitted: true });
});
