import { describe, expect, test } from 'vitest';
import { byAgent, failure, html, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { goodPage, goodSite } from '../../../sites/good.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const start = (answer: SiteAnswer): SiteMap => ({ ...goodSite, '/': answer });

describe('aeo.reach.ua-parity', () => {
  const id = 'aeo.reach.ua-parity';
  const page = html(goodPage('/'));
  const only = (agents: Record<string, SiteAnswer>): SiteMap => start(byAgent(agents, page));
  const other = html(`<html><body><p>${'Please read our terms before you go on. '.repeat(30)}</p></body></html>`);
  testCheck(id, [
    ['the same page for all passes', goodSite, 'pass', /All 3/],
    [
      '403 for one of three costs its share',
      only({ 'Claude-User': html('no', { status: 403 }) }),
      'partial',
      /Claude-User, 1 of 3/,
      { value: 0.667 },
    ],
    ['402 for all AI fetchers fails', only({ compatible: text('pay', { status: 402 }) }), 'fail', /PerplexityBot/],
    [
      'a challenge for an AI fetcher is a refusal',
      only({ 'OAI-SearchBot': html('<title>Just a moment...</title>') }),
      'partial',
      /OAI-SearchBot/,
    ],
    ['another page is partial', only({ PerplexityBot: other }), 'partial', /Another page/],
    ['an error for one is partial', only({ PerplexityBot: html('x', { status: 500 }) }), 'partial', /Another page/],
    ['no answer for one is unknown', only({ PerplexityBot: failure('timeout') }), 'unknown', /No judgement/],
    [
      'a refusal of the browser too is unknown',
      only({ Windows: html('no', { status: 403 }) }),
      'unknown',
      /we were blocked/,
    ],
    [
      'a refusal that names our address is unknown',
      only({ 'Claude-User': html('Your IP has been blocked', { status: 403 }) }),
      'unknown',
      /No judgement/,
    ],
    ['no answer for the browser is unknown', only({ Windows: failure('timeout') }), 'unknown', /userAgents/],
  ]);

  test('a small difference of the page is the same page', async () => {
    const map = only({
      PerplexityBot: html(goodPage('/').replace('Example workshop</p>', 'Example workshop, today</p>')),
    });
    expect((await judgeCheck(id, map)).status).toBe('pass');
  });
});
