import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readA2aCard } from '../../../../src/audit/agent-files/facts/a2a-card.ts';
import { readAgentSkills } from '../../../../src/audit/agent-files/facts/agent-skills.ts';
import { readAiPlugin } from '../../../../src/audit/agent-files/facts/agent-files.ts';
import { MAX_ISSUES } from '../../../../src/audit/structured-data/facts/json-document.ts';
import { parseLinkHeader } from '../../../../src/audit/api/facts/link-header.ts';
import { readPaymentOffer } from '../../../../src/audit/agent-files/facts/x402-offer.ts';
import type { SnapshotAnswer } from '../../../../src/audit/core/snapshot.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const answer = (headers: Readonly<Record<string, string>>, body = ''): SnapshotAnswer => ({
  ok: true,
  url: 'https://acme.example/paid',
  status: 402,
  headers,
  body,
  bodyBytes: body.length,
  sha256: '',
  truncated: false,
  redirects: [],
});

test('any value is read without a throw and with bounded issues', () => {
  const key = fc.constantFrom(
    'name',
    'url',
    'skills',
    'supportedInterfaces',
    'capabilities',
    'tags',
    'digest',
    '$schema',
    'api',
    'schema_version',
    'accepts',
    'x402Version',
    'resource',
    'extensions',
    '__proto__',
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'https://a', '1', ''),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 6 }),
    ),
  }));
  const base64Like = fc.stringMatching(/^[A-Za-z0-9+/_-]{0,9}={0,3}$/u);
  fc.assert(
    fc.property(node, fc.oneof(fc.string(), base64Like), (value, noise) => {
      for (const reading of [readA2aCard(value), readAgentSkills(value, 'https://a.example/i'), readAiPlugin(value)]) {
        expect(reading?.issues.length ?? 0).toBeLessThanOrEqual(MAX_ISSUES);
      }
      for (const header of [btoa(JSON.stringify(value).replaceAll(/[^ -~]/gu, '')), noise]) {
        const read = readPaymentOffer(answer({ 'payment-required': header }, JSON.stringify(value)));
        if (read.state === 'offer') expect(read.offer.issues.length).toBeLessThanOrEqual(MAX_ISSUES);
      }
      parseLinkHeader(noise);
    }),
    { numRuns: budgetFor(60, 300) },
  );
});
