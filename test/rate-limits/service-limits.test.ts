import { expect, test } from 'vitest';
import { computeEffectiveLimits, parseServiceLimits, OWN_LIMITS } from '../../src/rate-limits/service-limits.ts';

const granted = (quotaId: string, grantedValue: string, service = 'sightline') => ({
  service,
  quotaId,
  quotaConfig: { preferredValue: '1', grantedValue },
});

test('what was granted for our own service is the limit', () => {
  const found = computeEffectiveLimits([
    granted('FreeRequestsPerMinutePerCaller', '12'),
    granted('McpRequestsPerMinutePerCaller', '40'),
    granted('ManagementRequestsPerMinutePerTenant', '900'),
    granted('PaidRequestsPerMinutePerCaller', '100'),
  ]);
  expect(found).toEqual({ free: 12, mcp: 40, management: 900, paid: 100 });
});

test.each([
  ['another service', granted('FreeRequestsPerMinutePerCaller', '12', 'logging.googleapis.com')],
  ['another quota', granted('Free', '12')],
  ['nothing granted', { ...granted('FreeRequestsPerMinutePerCaller', '12'), quotaConfig: {} }],
  ['no number', granted('FreeRequestsPerMinutePerCaller', 'many')],
  ['paid without end', granted('PaidRequestsPerMinutePerCaller', '-1')],
])('%s sets none', (_what, preference) => {
  expect(computeEffectiveLimits([preference])).toEqual({});
});

test.each([
  ['free', 'FreeRequestsPerMinutePerCaller', 10, 6_000],
  ['mcp', 'McpRequestsPerMinutePerCaller', 10, 6_000],
  ['management', 'ManagementRequestsPerMinutePerTenant', 600, 600_000],
])('K2: %s has a floor and a ceiling, whatever was granted', (name, quotaId, floor, ceiling) => {
  expect(computeEffectiveLimits([granted(quotaId, '0')])).toEqual({ [name]: floor });
  expect(computeEffectiveLimits([granted(quotaId, '9223372036854775807')])).toEqual({ [name]: ceiling });
  expect(computeEffectiveLimits([granted(quotaId, '-1')])).toEqual({ [name]: ceiling });
  expect(parseServiceLimits({ [name]: 1 })).toEqual({ [name]: floor });
});

test('K2: a ceiling against abuse of paid calls has a floor', () => {
  expect(computeEffectiveLimits([granted('PaidRequestsPerMinutePerCaller', '0')])).toEqual({ paid: 30 });
});

test.each([undefined, null, 'x', [], { free: '12' }, { free: 1.5 }, { others: 12 }])(
  'what is told as %j sets none',
  (told) => {
    expect(parseServiceLimits(told)).toEqual({});
  },
);

test('the quotas of our limits have different ids', () => {
  expect(new Set(Object.values(OWN_LIMITS).map(({ quotaId }) => quotaId)).size).toBe(4);
});
