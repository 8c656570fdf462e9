import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findChallenge } from '../facts/challenge.ts';
import { isHtmlAnswer, parseMediaType } from '../facts/html-answer.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import {
  type Directive,
  isForIndexers,
  isIndexingForbidden,
  parseHeaderDirectives,
} from '../../crawlers/facts/robots-directives.ts';
import { isRefusalStatus } from '../facts/blocked-crawler.ts';
import type { ExchangeWithAnswer } from '../facts/site-files.ts';

/** Visible words below which a password field means that the page is a login. */
const LOGIN_WORDS = 60;

/** Checks of the answer for the start URL. */
export const startChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.reach.http-200',
    title: 'Start URL answers 200 HTML',
    scores: ['aeo', 'geo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'Nothing else on the page can be read, indexed or cited while the start URL does not answer with a page.',
    source: 'RFC 9110, section 15; AgentReady standard v2.0 (MUST: its 190 fetch probes failed on blocked access)',
    fix: 'Serve the page with status 200 and Content-Type: text/html; charset=utf-8.',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 0, geo: 0, agent: 0 } },
    needs: ['start'],
    judge: ({ start }) => judgeStatus(start),
  }),
  defineCheck({
    id: 'aeo.reach.no-interstitial',
    title: 'No challenge, consent wall or login in front of the content',
    scores: ['aeo', 'agent'],
    weight: 3,
    grade: 'A',
    why: 'A challenge or login page that answers 200 is indexed and quoted as if it were the page.',
    source: 'a14y http.no-interstitial (draft 0.3.0); Agent-Friendly Docs Spec 0.5.0, auth-gate-detection',
    fix: 'Exempt GET requests for public pages, or at least verified crawlers, from the challenge and the login.',
    gate: { caps: { aeo: 10 } },
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeInterstitial(start, page),
  }),
  defineCheck({
    id: 'aeo.index.x-robots-tag',
    title: 'X-Robots-Tag does not forbid indexing',
    weight: 3,
    grade: 'A',
    why: 'The header removes the page from search and answer indexes and cannot be seen in the HTML, so it goes unnoticed.',
    source: 'Google Search Central, robots meta tag and X-Robots-Tag specifications',
    fix: 'Remove noindex, none and past unavailable_after dates from the X-Robots-Tag header of public pages.',
    gate: { caps: { aeo: 20 } },
    needs: ['startPage'],
    judge: ({ startPage }, site) => judgeHeader(startPage, site.clockMs),
  }),
];

function judgeStatus({ exchange, answer }: ExchangeWithAnswer): CheckOutcome {
  const type = parseMediaType(answer.headers['content-type'] ?? '') || 'no media type';
  const evidence = buildEvidence(exchange, { header: 'content-type', excerpt: type });
  if (isRefusalStatus(answer.status))
    return verdict.unknown(
      `The start URL answers ${answer.status} to us, which says nothing about other readers.`,
      evidence,
    );
  if (answer.status !== 200) return verdict.fail(`The start URL ends in status ${answer.status}.`, evidence);
  if (!isHtmlAnswer(answer)) return verdict.fail('The start URL answers 200, but not with HTML.', evidence);
  return verdict.pass('The start URL answers 200 with HTML.', evidence);
}

function judgeInterstitial({ exchange, answer }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const marker = findChallenge(answer, () => page.words);
  if (marker !== undefined)
    return verdict.fail(
      'A bot challenge stands in front of the content.',
      buildEvidence(exchange, { excerpt: marker }),
    );
  const password = page.controls.find((control) => control.type === 'password');
  if (password && page.words < LOGIN_WORDS) {
    const at = { selector: 'input[type=password]', line: password.line };
    return verdict.fail(`The page is a login: a password field and ${page.words} words.`, buildEvidence(exchange, at));
  }
  return verdict.pass('No sign of a challenge or login in front of the content.', buildEvidence(exchange));
}

function judgeHeader({ exchange, answer }: ExchangeWithAnswer, clockMs: number): CheckOutcome {
  const value = answer.headers['x-robots-tag'];
  if (value === undefined) return verdict.pass('No X-Robots-Tag header.', buildEvidence(exchange));
  const forbids = (directive: Directive): boolean =>
    isForIndexers(directive) && isIndexingForbidden(directive, clockMs);
  const found = parseHeaderDirectives(value).find(forbids);
  const evidence = buildEvidence(exchange, { header: 'x-robots-tag', excerpt: value });
  if (!found) return verdict.pass('The X-Robots-Tag header lets search indexes keep the page.', evidence);
  return verdict.fail('The X-Robots-Tag header keeps the page out of an index that AI answers draw on.', evidence);
}
