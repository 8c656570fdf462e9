import { describe, expect, test } from 'vitest';
import { failureWords } from '../../../src/net/failure-words-data.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { auditFailureWords, describeAuditFailure } from '../../../src/web/audit/failure-words.ts';
import { failurePartsWords } from '../../../src/web/audit/failure-parts-words.ts';
import { FailureMessage } from '../../../src/web/audit/failure.tsx';
import { LANGUAGES } from '../../../src/web/language/language.ts';

test('every reason why a site cannot be read has its words in each language', () => {
  for (const failure of Object.keys(failureWords)) {
    expect(auditFailureWords.de.unread[failure]).toMatchObject({ means: expect.any(String), next: expect.any(String) });
  }
  expect(Object.keys(auditFailureWords.de.codes)).toEqual(Object.keys(auditFailureWords.en.codes));
  expect(Object.keys(failurePartsWords.de.own)).toEqual(Object.keys(failurePartsWords.en.own));
});

test('a site that cannot be read is described by the one table', () => {
  const { means, next } = failureWords.timeout;
  const problem = { ...buildProblem('target_unreachable', { detail: 'timeout at https://a.example/' }), means, next };
  expect(describeAuditFailure({ ...problem, failure: 'timeout' }, 'en')).toMatchObject({ means, next });
  expect(describeAuditFailure({ ...problem, failure: 'timeout' }, 'de').means).toContain('nicht rechtzeitig');
});

test('a wait is said in seconds or minutes', () => {
  const said = (retryAfterS: number): string => describeAuditFailure({ code: 'target_busy', retryAfterS }, 'en').next;
  expect(said(10)).toContain('10 seconds');
  expect(said(3_000)).toContain('50 minutes');
});

test('a code without words of its own keeps those of its problem', () => {
  const problem = buildProblem('body_too_large');
  expect(describeAuditFailure(problem, 'de')).toMatchObject({ happened: problem.title, means: problem.means });
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(Object.keys(auditFailureWords[language].codes))('%s has a way on', (code) => {
    const said = describeAuditFailure({ code, detail: '<b>detail</b>' }, language);
    const html = String(FailureMessage({ said, language }));
    expect(html).toMatch(/<button|<a class="button"/);
    expect(html).toContain('&lt;b&gt;detail');
    expect(html).not.toMatch(/undefined|<b>/);
  });
});
