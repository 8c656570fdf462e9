import { expect, test } from 'vitest';
import { NETWORK_SHARES } from '../../../../src/rate-limits/caller-counts.ts';
import {
  countUnauthenticated,
  judgeCredential,
  LOOKS_A_SECOND,
  MAX_FAILED_TOKENS,
  MAX_UNAUTHENTICATED,
} from '../../../../src/rate-limits/token-gate.ts';

/** A text of the form of our tokens. */
const tokenOf = (name: string): string => `slm_${name.padEnd(43, 'x')}`;

test('B9: the addresses of a /48 have not a limit of failed tokens each', async () => {
  let asked = 0;
  const judge = {
    validate: async () => {
      asked += 1;
      return Promise.resolve(null);
    },
  };
  const kinds = new Set<string>();
  for (let net = 0; net < 20; net += 1)
    for (let count = 0; count < MAX_FAILED_TOKENS; count += 1) {
      const caller = `2001:db8:7:${net.toString(16)}::/64`;
      const question = { judge, url: 'https://control.example', caller };
      kinds.add((await judgeCredential(`Bearer ${tokenOf(`${net}_${count}`)}`, question)).kind);
    }
  expect([...kinds]).toEqual(['invalid', 'wait']);
  // A minute holds more seconds than this test: each looks at a few more.
  expect(asked).toBeLessThanOrEqual(NETWORK_SHARES * MAX_FAILED_TOKENS + 60 * LOOKS_A_SECOND);
  const elsewhere = { judge, url: 'https://control.example', caller: '2001:db8:8:1::/64' };
  expect((await judgeCredential(`Bearer ${tokenOf('other')}`, elsewhere)).kind).toBe('invalid');
});

test('B9: nor of calls without a token', () => {
  let allowed = 0;
  for (let net = 0; net < 2 * NETWORK_SHARES; net += 1)
    for (let count = 0; count < MAX_UNAUTHENTICATED; count += 1)
      if (countUnauthenticated(`2001:db8:9:${net.toString(16)}::/64`).isAllowed) allowed += 1;
  expect(allowed).toBe(NETWORK_SHARES * MAX_UNAUTHENTICATED);
});
