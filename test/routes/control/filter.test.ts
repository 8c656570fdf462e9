import { expect, test } from 'vitest';
import { createFilterMatcher, parseFilter } from '../../../src/management/core/filter/index.ts';

test('the filter language runs where the Worker does, patterns and all', () => {
  const parsed = parseFilter(
    'severity>=ERROR textPayload=~"^(x+x+)+y|^[0-9]+$" ip_in_net(httpRequest.remoteIp, "1:2::/48")',
  );
  expect(parsed.ok).toBe(true);
  const isMatch = parsed.ok ? createFilterMatcher(parsed.filter) : () => false;
  const entry = { severity: 'ALERT', textPayload: '402', httpRequest: { remoteIp: '1:2::7' } };
  expect(isMatch(entry)).toBe(true);
  expect(isMatch({ ...entry, textPayload: 'x'.repeat(10_000) })).toBe(false);
});
