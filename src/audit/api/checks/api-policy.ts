import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';
import { isJsonRecord } from '../../structured-data/facts/json-document.ts';
import { readChangePolicy } from '../facts/openapi-policy.ts';
import { withoutDescription } from './api-description.ts';

/** Checks of whether a program can rely on an API for longer than a day. */
export const apiPolicyChecks = [
  defineCheck({
    id: 'agent.api.change-policy',
    title: 'Changes of the API are announced, and calls can be repeated',
    failureTitle: 'Announce API changes and let calls be repeated',
    weight: 1,
    grade: 'C',
    why: 'An agent that is built once meets every later change. It can act on a Deprecation or Sunset header of a deprecated operation, a list of changes, a page with the state of the service, and a key that makes a repeated write safe. What does not apply is left out.',
    source: 'RFC 9745 (Deprecation); RFC 8594 (Sunset); draft-ietf-httpapi-idempotency-key-header',
    read: '2026-11-23',
    fix: 'Link a change log and a status page from the OpenAPI document or the start page, document Deprecation and Sunset on deprecated operations, and take Idempotency-Key on writes.',
    needs: ['openapi', 'page'],
    judge: judgeChanges,
  }),
];

function judgeChanges({ openapi, page }: FactsOf<'openapi' | 'page'>): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  const { source } = found.document;
  if (!isJsonRecord(source)) return verdict.notApplicable('The document has no parts to look at.');
  const links = page.anchors.map(({ href, text }) => `${href} ${text}`);
  const parts = readChangePolicy(source, links);
  const missing = parts.filter(({ isThere }) => !isThere).map(({ name }) => name);
  const evidence = buildRequestEvidence(found.exchange);
  const share = 1 - missing.length / parts.length;
  const note =
    missing.length === 0
      ? `All there: ${parts.map(({ name }) => name).join(', ')}.`
      : `Not found: ${missing.join(', ')}.`;
  return verdict.byShare(share, { passAt: 0.75, partialAt: Number.MIN_VALUE }, note, evidence);
}
