import { describe, expect, test } from 'vitest';
import { findPurposeLinks, type LinkPurpose } from '../../../../src/audit/text/facts/link-words.ts';
import {
  failure,
  html,
  json,
  notFound,
  redirect,
  SITE,
  type SiteAnswer,
  siteFetch,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';
import { onePage } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const namedBy = (text: string, path: string): readonly LinkPurpose[] => {
  const place = { line: 1, region: 'footer', inContent: false, block: 0 } as const;
  const anchor = { ...place, href: `${SITE}${path}`, rawHref: path, text, rels: [], type: '', inProse: false };
  return [...findPurposeLinks([anchor], ['privacy', 'terms']).keys()];
};

describe('aeo.trust.policies', () => {
  const id = 'aeo.trust.policies';
  const footer = (...links: string[]): SiteMap => onePage(`<footer>${links.join('')}</footer>`);
  const privacy = '<a href="/privacy">Privacy</a>';
  testCheck(id, [
    ['both linked pass', footer(privacy, '<a href="/agb">AGB</a>'), 'pass', /links a privacy policy and terms/],
    ['one is partial', footer(privacy), 'partial', /terms/],
    ['the other alone is partial', footer('<a href="/x">Terms of service</a>'), 'partial', /privacy/],
    ['none fails', footer('<a href="/a">About</a>'), 'fail', /links neither/],
    [
      'a page of a policy host counts',
      footer(privacy, '<a href="https://legal.example/terms">Terms</a>'),
      'pass',
      /links a privacy policy and terms/,
    ],
    ['a script link is none', footer('<a href="javascript:open()">Privacy</a>'), 'fail', /links neither/],
  ]);

  test.each([
    ['privacy', 'Datenschutzerklärung', '/x'],
    ['privacy', 'Politique de confidentialité', '/x'],
    ['privacy', 'x', '/legal/privacy-policy.html'],
    ['privacy', '隐私政策', '/x'],
    ['privacy', '개인정보처리방침', '/x'],
    ['terms', 'Terms & Conditions', '/x'],
    ['terms', 'Условия использования', '/x'],
    ['terms', '利用規約', '/x'],
    ['terms', 'x', '/tos/'],
  ] as const)('%s: "%s" at %s', (purpose, text, path) => {
    expect(namedBy(text, path)).toContain(purpose);
  });

  test.each([
    ['privacy', 'Privacyfence garden screens', '/screens'],
    ['terms', 'Terminal', '/terminal'],
    ['terms', 'Legal tech news', '/news'],
    ['terms', 'x', '/terms/glossary'],
  ] as const)('%s is not "%s" at %s', (purpose, text, path) => {
    expect(namedBy(text, path)).not.toContain(purpose);
  });
});

describe('aeo.trust.about-contact', () => {
  const id = 'aeo.trust.about-contact';
  const page = (title: string): SiteAnswer =>
    html(`<!doctype html><title>${title}</title><p>${title} ${'word '.repeat(30)}</p>`);
  const site = (body: string, more: SiteMap = {}): SiteMap => ({ ...onePage(body), '/robots.txt': notFound, ...more });
  const both = '<a href="/about">About</a><a href="/contact">Contact</a>';
  testCheck(id, [
    [
      'both pages pass',
      site(both, { '/about': page('About'), '/contact': page('Contact') }),
      'pass',
      /linked and there/,
    ],
    [
      'other languages pass',
      site('<a href="/x">Über uns</a><a href="/y">Kontakt</a>', { '/x': page('Wir'), '/y': page('Kontakt') }),
      'pass',
      /linked and there/,
    ],
    ['one of them is partial', site('<a href="/about">About</a>', { '/about': page('About') }), 'partial', /contact/],
    ['a dead one is partial', site(both, { '/about': page('About') }), 'partial', /contact/],
    ['none fails', site('<a href="/racks">Racks</a>'), 'fail', /about and contact/],
    ['both dead fail', site(both), 'fail', /about and contact/],
    [
      'a link that leads back to the start page is none',
      site(both, { '/about': redirect('/'), '/contact': redirect('/') }),
      'fail',
      /about and contact/,
    ],
    [
      '403 is unknown',
      site(both, { '/about': page('About'), '/contact': html('no', { status: 403 }) }),
      'unknown',
      /contact/,
    ],
    [
      'no answer is unknown',
      site(both, { '/about': failure('timeout'), '/contact': page('Contact') }),
      'unknown',
      /about/,
    ],
    ['no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);

  test('a "not found" page that names the path it was asked for is no such page', async () => {
    const missing = (path: string): SiteAnswer =>
      html(
        `<!doctype html><p>Nothing about ${path} is here. ${Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')}</p>`,
      );
    const fetch = siteFetch(site(both), { catchAll: ({ url }) => missing(new URL(url).pathname) });
    expect((await judgeCheck(id, {}, { fetch })).status).toBe('fail');
  });

  test('on a site that answers every path alike the two pages are not there', async () => {
    const fetch = siteFetch(site(both), { catchAll: html('<!doctype html><div id="root"></div>') });
    expect((await judgeCheck(id, {}, { fetch })).status).toBe('fail');
  });
});
