import {
  type AnyCheck,
  type Outcome,
  defineCheck,
  fail,
  fromShare,
  notApplicable,
  partial,
  pass,
  unknown,
} from '../../core/check.ts';
import { seen } from '../../core/evidence.ts';
import { challengeIn } from '../facts/challenge.ts';
import { isHtmlAnswer } from '../facts/html-answer.ts';
import { pageOf } from '../facts/page-of.ts';
import { refusesUs } from '../facts/blocked-crawler.ts';
import type { Answered } from '../facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of how the host answers: its schemes, unknown paths and internal pages. */
export const reachChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.reach.https',
    title: 'HTTPS works and http:// redirects to it',
    scores: ['aeo', 'agent'],
    weight: 2,
    grade: 'B',
    why: 'Assistants and crawlers drop or rank down plain http, and agent protocols (A2A, MCP, x402) require https.',
    source: 'RFC 9110, section 4.2.2; agent-lighthouse 8.1 (evidence grade B)',
    fix: 'Answer http:// with a 308 (or 301) redirect to https:// on the same host, then enable HSTS.',
    capabilities: ['check_health'],
    needs: ['schemes'],
    judge: ({ schemes }, site) => {
      if (site.local) return notApplicable('A private or loopback host needs no public certificate.');
      if (schemes === 'not_asked') return notApplicable('A URL with a port of its own has no plain counterpart.');
      return judgeSchemes(schemes.https, schemes.http);
    },
  }),
  defineCheck({
    id: 'aeo.reach.soft-404',
    title: 'Unknown paths answer 404 or 410',
    scores: ['aeo', 'agent', 'mcp'],
    weight: 3,
    grade: 'A',
    why: 'A site that answers 200 for any path makes agents believe in files that are not there, and fills indexes with copies.',
    source:
      'RFC 9110, section 15.5.5; Common Crawl llms.txt experiment CC-MAIN-2026-30 (47 % of 200 answers for /llms.txt were no text)',
    fix: 'Answer 404 for unknown paths; in a single-page application limit the fallback to known routes.',
    capabilities: ['check_health', 'check_llms_txt', 'check_agent_files', 'check_mcp'],
    needs: ['control'],
    judge: ({ control }) => judgeControl(control),
  }),
  defineCheck({
    id: 'aeo.reach.http-errors-in-sample',
    title: 'Sampled internal pages answer 200',
    scores: ['aeo'],
    weight: 2,
    grade: 'B',
    why: 'Crawl budget spent on dead addresses is not spent on pages: about a third of AI crawler fetches met a 404 in one study.',
    source: 'Vercel, "The rise of the AI crawler"; Agent-Friendly Docs Spec 0.5.0, llms-txt-links-resolve',
    fix: 'Repair or redirect internal addresses that answer with an error, and take them out of the sitemap.',
    needs: ['sample'],
    judge: ({ sample }) => judgeSample(sample),
  }),
];

function judgeSchemes(https: Exchange, http: Exchange): Outcome {
  if (!https.answer.ok) {
    const plainAnswers = http.answer.ok && http.answer.url.startsWith('http:');
    if (plainAnswers) return fail('The host answers over http but not over https.', [seen(https), seen(http)]);
    return unknown(`The host did not answer over https: ${https.answer.reason}.`, seen(https));
  }
  if (!https.answer.url.startsWith('https:')) return fail('The https address leads back to plain http.', seen(https));
  if (!http.answer.ok)
    return unknown(`HTTPS works; plain http could not be looked at: ${http.answer.reason}.`, [seen(https), seen(http)]);
  const { url, redirects } = http.answer;
  if (!url.startsWith('https:') && (refusesUs(http.answer.status) || http.answer.status >= 500))
    return unknown(
      `HTTPS works; plain http answers ${http.answer.status}, which says nothing of redirects.`,
      seen(http),
    );
  if (!url.startsWith('https:'))
    return partial(0.5, 'HTTPS works, but http:// serves content instead of redirecting.', seen(http));
  const first = redirects[0];
  const permanent = first !== undefined && (first.status === 301 || first.status === 308);
  const upgrades = first !== undefined && new URL(first.location, first.url).protocol === 'https:';
  const sameHost = first !== undefined && new URL(first.location, first.url).hostname === new URL(first.url).hostname;
  if (permanent && upgrades && sameHost) return pass(`http:// redirects to https:// with ${first.status}.`, seen(http));
  const why = permanent
    ? 'not straight to https on the same host'
    : `with the temporary status ${first?.status ?? 'of a rewrite'}`;
  return partial(0.8, `http:// redirects to https://, ${why}.`, seen(http));
}

function judgeControl({ exchange, answer }: Answered): Outcome {
  const { status } = answer;
  const marker = challengeIn(answer, () => (isHtmlAnswer(answer) ? pageOf(answer).words : 0));
  if (marker !== undefined)
    return unknown('A bot challenge answers for the path that cannot exist.', seen(exchange, { excerpt: marker }));
  if (status === 404 || status === 410) return pass(`A path that cannot exist answers ${status}.`, seen(exchange));
  if (status === 429 || status >= 500)
    return unknown(`A path that cannot exist answers ${status}: nothing to judge.`, seen(exchange));
  if (status >= 200 && status < 300) {
    return fail(
      `A path that cannot exist answers ${status}, like a page.`,
      seen(exchange, { excerpt: answer.body.trim() }),
    );
  }
  return partial(0.5, `A path that cannot exist answers ${status} instead of 404.`, seen(exchange));
}

/** Shares of the sample that decide. */
const SAMPLE_BOUNDS = { passAt: 0.95, partialAt: 0.8 };

function judgeSample(sample: readonly Exchange[]): Outcome {
  if (sample.length === 0) return notApplicable('The site names no internal page to sample.');
  const answered = sample.filter(({ answer }) => answer.ok && !refusesUs(answer.status));
  if (answered.length * 2 < sample.length) {
    return unknown(
      `${sample.length - answered.length} of ${sample.length} sampled pages gave no answer.`,
      sample.map((page) => seen(page)),
    );
  }
  const good = answered.filter(({ answer }) => answer.ok && answer.status === 200);
  const bad = answered.filter((page) => !good.includes(page));
  const note = `${good.length} of ${answered.length} sampled internal pages answer 200.`;
  return fromShare(
    good.length / answered.length,
    SAMPLE_BOUNDS,
    note,
    (bad.length > 0 ? bad : good).map((page) => seen(page)),
  );
}
