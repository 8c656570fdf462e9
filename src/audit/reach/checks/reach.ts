import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findChallenge, isRefusalStatus } from '../facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../facts/html-page.ts';
import {
  isForIndexers,
  isIndexingForbidden,
  parseHeaderDirectives,
  type Directive,
} from '../../crawlers/facts/robots-directives.ts';
import type { ExchangeWithAnswer } from '../facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Visible words below which a password field means that the page is a login. */
const LOGIN_WORDS = 60;

/** Checks of the answer for the start URL, and of how the host answers: its schemes, unknown paths and internal pages. */
export const reachChecks = [
  defineCheck({
    id: 'aeo.reach.http-200',
    title: 'Start URL answers 200 HTML',
    failureTitle: 'Make the start URL answer 200 with HTML',
    scores: ['aeo', 'geo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'Nothing else on the page can be read, indexed or cited while the start URL does not answer with a page.',
    source:
      'RFC 9110, section 15; https://github.com/agentready-org/standard (one of the two changes that broke agents in its experiment)',
    fix: 'Serve the page with status 200 and Content-Type: text/html; charset=utf-8.',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 0, geo: 0, agent: 0 } },
    needs: ['start'],
    judge: judgeStatus,
  }),
  defineCheck({
    id: 'aeo.reach.no-interstitial',
    title: 'No challenge, consent wall or login in front of the content',
    failureTitle: 'Remove the challenge, consent wall or login in front of the content',
    scores: ['aeo', 'agent'],
    weight: 3,
    grade: 'A',
    why: 'A challenge or login page that answers 200 is indexed and quoted as if it were the page.',
    source: 'a14y http.no-interstitial (draft 0.3.0); Agent-Friendly Docs Spec 0.5.0, auth-gate-detection',
    fix: 'Exempt GET requests for public pages, or at least verified crawlers, from the challenge and the login.',
    gate: { caps: { aeo: 10 } },
    needs: ['start', 'page'],
    judge: judgeInterstitial,
  }),
  defineCheck({
    id: 'aeo.index.x-robots-tag',
    title: 'X-Robots-Tag does not forbid indexing',
    failureTitle: 'Allow indexing in X-Robots-Tag',
    weight: 3,
    grade: 'A',
    why: 'The header removes the page from search and answer indexes and cannot be seen in the HTML, so it goes unnoticed.',
    source: 'Google Search Central, robots meta tag and X-Robots-Tag specifications',
    fix: 'Remove noindex, none and past unavailable_after dates from the X-Robots-Tag header of public pages.',
    gate: { caps: { aeo: 20 } },
    needs: ['startPage'],
    judge: ({ startPage }, site) => judgeHeader(startPage, site.clockMs),
  }),
  defineCheck({
    id: 'aeo.reach.https',
    title: 'HTTPS works and http:// redirects to it',
    failureTitle: 'Serve the site by HTTPS and redirect http:// to it',
    scores: ['aeo', 'agent'],
    weight: 2,
    grade: 'B',
    why: 'Assistants and crawlers drop or rank down plain http, and agent protocols (A2A, MCP, x402) require https.',
    source: 'RFC 9110, section 4.2.2; agent-lighthouse 8.1 (evidence grade B)',
    fix: 'Answer http:// with a 308 (or 301) redirect to https:// on the same host, then enable HSTS.',
    capabilities: ['check_health'],
    needs: ['schemes'],
    judge: ({ schemes }, site) => {
      if (site.local) return verdict.notApplicable('A private or loopback host needs no public certificate.');
      if (schemes === 'not_asked')
        return verdict.notApplicable('A URL with a port of its own has no plain counterpart.');
      return judgeSchemes(schemes.https, schemes.http);
    },
  }),
  defineCheck({
    id: 'aeo.reach.soft-404',
    title: 'Unknown paths answer 404 or 410',
    failureTitle: 'Answer unknown paths with 404',
    scores: ['aeo', 'agent', 'mcp'],
    weight: 3,
    grade: 'A',
    why: 'A site that answers 200 for any path makes agents believe in files that are not there, and fills indexes with copies.',
    source:
      'RFC 9110, section 15.5.5; Common Crawl llms.txt experiment CC-MAIN-2026-30 (47 % of 200 answers for /llms.txt were no text)',
    fix: 'Answer 404 for unknown paths; in a single-page application limit the fallback to known routes.',
    capabilities: ['check_health', 'check_llms_txt', 'check_agent_files', 'check_mcp'],
    needs: ['control'],
    judge: judgeControl,
  }),
  defineCheck({
    id: 'aeo.reach.http-errors-in-sample',
    title: 'Sampled internal pages answer 200',
    failureTitle: 'Fix internal pages that answer with errors',
    weight: 2,
    grade: 'B',
    why: 'Crawl budget spent on dead addresses is not spent on pages: about a third of AI crawler fetches met a 404 in one study.',
    source: 'Vercel, "The rise of the AI crawler"; Agent-Friendly Docs Spec 0.5.0, llms-txt-links-resolve',
    fix: 'Repair or redirect internal addresses that answer with an error, and take them out of the sitemap.',
    needs: ['sample'],
    judge: judgeSample,
  }),
];

function judgeStatus({ start: { exchange, answer } }: FactsOf<'start'>): CheckOutcome {
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

function judgeInterstitial({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const marker = findChallenge(answer, () => page.words);
  if (marker !== undefined)
    return verdict.fail('A bot challenge is in front of the content.', buildEvidence(exchange, { excerpt: marker }));
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

function judgeSchemes(https: Exchange, http: Exchange): CheckOutcome {
  if (!https.answer.ok) {
    const plainAnswers = http.answer.ok && http.answer.url.startsWith('http:');
    if (plainAnswers)
      return verdict.fail('The host answers over http but not over https.', [
        buildEvidence(https),
        buildEvidence(http),
      ]);
    return verdict.unknown(`The host did not answer over https: ${https.answer.reason}.`, buildEvidence(https));
  }
  if (!https.answer.url.startsWith('https:'))
    return verdict.fail('The https address leads back to plain http.', buildEvidence(https));
  if (!http.answer.ok)
    return verdict.unknown(`HTTPS works; plain http could not be checked: ${http.answer.reason}.`, [
      buildEvidence(https),
      buildEvidence(http),
    ]);
  const { url, redirects } = http.answer;
  if (!url.startsWith('https:') && (isRefusalStatus(http.answer.status) || http.answer.status >= 500))
    return verdict.unknown(
      `HTTPS works; plain http answers ${http.answer.status}, which says nothing of redirects.`,
      buildEvidence(http),
    );
  if (!url.startsWith('https:'))
    return verdict.partial(0.5, 'HTTPS works, but http:// serves content instead of redirecting.', buildEvidence(http));
  const first = redirects[0];
  const permanent = first !== undefined && (first.status === 301 || first.status === 308);
  const upgrades = first !== undefined && new URL(first.location, first.url).protocol === 'https:';
  const sameHost = first !== undefined && new URL(first.location, first.url).hostname === new URL(first.url).hostname;
  if (permanent && upgrades && sameHost)
    return verdict.pass(`http:// redirects to https:// with ${first.status}.`, buildEvidence(http));
  const why = permanent
    ? 'not straight to https on the same host'
    : `with the temporary status ${first?.status ?? 'of a rewrite'}`;
  return verdict.partial(0.8, `http:// redirects to https://, ${why}.`, buildEvidence(http));
}

function judgeControl({ control: { exchange, answer } }: FactsOf<'control'>): CheckOutcome {
  const { status } = answer;
  const marker = findChallenge(answer, () => (isHtmlAnswer(answer) ? getPageFacts(answer).words : 0));
  if (marker !== undefined)
    return verdict.unknown(
      'A bot challenge answers for the path that cannot exist.',
      buildEvidence(exchange, { excerpt: marker }),
    );
  if (status === 404 || status === 410)
    return verdict.pass(`A path that cannot exist answers ${status}.`, buildEvidence(exchange));
  if (status === 429 || status >= 500)
    return verdict.unknown(`A path that cannot exist answers ${status}: nothing to judge.`, buildEvidence(exchange));
  if (status >= 200 && status < 300) {
    return verdict.fail(
      `A path that cannot exist answers ${status}, like a page.`,
      buildEvidence(exchange, { excerpt: answer.body.trim() }),
    );
  }
  return verdict.partial(0.5, `A path that cannot exist answers ${status} instead of 404.`, buildEvidence(exchange));
}

/** Shares of the sample that decide. */
const SAMPLE_BOUNDS = { passAt: 0.95, partialAt: 0.8 };

function judgeSample({ sample }: FactsOf<'sample'>): CheckOutcome {
  if (sample.length === 0) return verdict.notApplicable('The site names no internal page to sample.');
  const answered = sample.filter(({ answer }) => answer.ok && !isRefusalStatus(answer.status));
  if (answered.length * 2 < sample.length) {
    return verdict.unknown(
      `${sample.length - answered.length} of ${sample.length} sampled pages gave no answer.`,
      sample.map((page) => buildEvidence(page)),
    );
  }
  const good = answered.filter(({ answer }) => answer.ok && answer.status === 200);
  const bad = answered.filter((page) => !good.includes(page));
  const note = `${good.length} of ${answered.length} sampled internal pages answer 200.`;
  return verdict.byShare(
    good.length / answered.length,
    SAMPLE_BOUNDS,
    note,
    (bad.length > 0 ? bad : good).map((page) => buildEvidence(page)),
  );
}
