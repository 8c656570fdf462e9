import { describe, expect, test } from 'vitest';
import { apiProblems, buildProblem } from '../../../src/problems/codes.ts';
import { type ErrorPageProps, renderErrorPage } from '../../../src/web/design/error-page.tsx';
import { errorWays } from '../../../src/web/design/error-ways-data.ts';
import { StartFields } from '../../../src/web/design/start-fields.tsx';
import { LANGUAGES } from '../../../src/web/language/language.ts';
import { getProblemWords } from '../../../src/web/language/problem-words.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';
import { textOf, treeOf } from '../../support/pages/view-page.ts';

const codes = Object.keys(apiProblems) as (keyof typeof apiProblems)[];
const REQUEST = '4bf92f3577b34da6a3ce929d0e0e4736';

const show = async (props: Partial<ErrorPageProps> & { code: keyof typeof apiProblems }): Promise<string> =>
  String(await renderErrorPage({ ...buildProblem(props.code), requestId: REQUEST, path: '/somewhere?a=1', ...props }));

/** What a reader can press in the page itself: a link like a button, or the button of a form. */
const listActions = (html: string): readonly string[] => {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return [...main.matchAll(/<a class="button" href="([^"]+)"|<button type="submit">([^<]+)/g)].map(
    ([, href, text]) => href ?? text ?? '',
  );
};

test('every problem has ways on, and no way is of a problem that there is not', () => {
  expect(codes.filter((code) => !Object.hasOwn(errorWays, code))).toEqual([]);
  expect(Object.keys(errorWays).filter((code) => !Object.hasOwn(apiProblems, code))).toEqual([]);
  const repeated = Object.entries(errorWays).filter(([, ways]) => new Set(ways).size !== ways.length);
  expect(repeated).toEqual([]);
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(codes)('%s says what happened, why and what next, and has one action', async (code) => {
    const { title, means, next } = getProblemWords(code, language) ?? apiProblems[code];
    const html = await show({ code, language, path: `/reports/${REQUEST}/since/${REQUEST}` });
    const text = textOf(html);
    expect(html).toContain(`<html lang="${language}">`);
    for (const said of [title, means, next]) expect(text).toContain(said.replaceAll(/\s+/gu, ' '));
    expect(listActions(html).length).toBeGreaterThan(0);
    const [best] = errorWays[code].filter((way) => way !== 'report');
    expect(html.match(/<a class="button"/g) ?? []).toHaveLength(best === 'audit' ? 0 : 1);
    expect(html).toContain(`href="/problems/${code}"`);
    expect(text).toContain(REQUEST);
  });
});

describe('the ways on', () => {
  test('lead back to the page only where reading it again is harmless', async () => {
    expect(listActions(await show({ code: 'rate_limited' }))).toEqual(['/somewhere?a=1']);
    expect(listActions(await show({ code: 'rate_limited', path: undefined }))).toEqual(['/']);
  });

  test('lead back to the report whose comparison was refused', async () => {
    const html = await show({ code: 'not_comparable', report: `/reports/${REQUEST}` });
    expect(listActions(html)[0]).toBe(`/reports/${REQUEST}#since`);
    expect(listActions(await show({ code: 'not_comparable' }))[0]).not.toContain('/reports/');
    const german = await show({
      code: 'not_comparable',
      detail: 'Both addresses lead to the same report',
      language: 'de',
    });
    expect(german).toContain('Both addresses lead to the same report');
  });

  test('begin an audit with one press, as the start page does', async () => {
    const html = await show({ code: 'report_expired' });
    expect(html).toContain('<form class="card" method="post" action="/audit">');
    expect(html).toContain(String(StartFields()));
  });

  test('from a host without a history are the form of an audit, with the host in it', async () => {
    const html = await show({ code: 'history_not_found', url: 'https://shop.example/', language: 'de' });
    expect(listActions(html)).toEqual(['Diese Website prüfen']);
    expect(html).toContain('value="https://shop.example/"');
  });

  test('of a report that cannot do what was asked lead back to it', async () => {
    const report = `/reports/${'a'.repeat(32)}`;
    for (const code of ['not_acceptable', 'pdf_unavailable', 'publish_refused', 'run_not_found'] as const)
      expect(listActions(await show({ code, report }))[0]).toBe(report);
    expect(listActions(await show({ code: 'not_acceptable' }))).toEqual(['/problems/not_acceptable']);
  });

  test('of a problem of another Worker lead to the start page', async () => {
    const props = { title: 'Else', requestId: REQUEST, code: 'constructor' };
    expect(listActions(String(await renderErrorPage(props)))).toEqual(['/']);
  });
});

describe('what is special about an occurrence', () => {
  const detail = 'It must be 0 to 1000 US dollars';

  test('is in the place of the meaning in English, and below it, marked as English, elsewhere', async () => {
    expect(await show({ code: 'invalid_cap', detail })).toContain(`<p role="alert">${detail}.</p>`);
    const german = await show({ code: 'invalid_cap', detail, language: 'de' });
    expect(german).toContain(`<span lang="en">${detail}.</span>`);
    expect(german).toContain(getProblemWords('invalid_cap', 'de')?.means);
  });

  test('is in the words of the page where a table has them, and not in English', async () => {
    const said = 'Nur Berichte über die Startseite.';
    const german = await show({ code: 'not_publishable', detail, said, language: 'de' });
    expect(german).toContain(`<p role="alert">${said}</p>`);
    expect(german).not.toContain(detail);
  });

  test('is left out where it is for programs', async () => {
    const page = await show({ code: 'unsupported_media_type', detail: 'The body is neither a form nor JSON' });
    expect(page).not.toContain('neither a form nor JSON');
    expect(page).toContain(getProblemWords('unsupported_media_type', 'en')?.means);
  });

  test('is left out in German where the table says as much', async () => {
    expect(await show({ code: 'report_expired', detail: 'Those of this one are over', language: 'de' })).not.toContain(
      'Those of this one',
    );
  });

  test('may be fields and a wait', async () => {
    const errors = [{ pointer: '/url', message: 'is required' }];
    const text = textOf(await show({ code: 'invalid_body', errors, retryAfterS: 1 }));
    expect(text).toContain('/url is required');
    expect(text).toContain('You can try again in 1 second.');
    expect(textOf(await show({ code: 'rate_limited', retryAfterS: 3600, language: 'de' }))).toContain('In 60 Minuten');
  });
});

test.each(xssStrings)('X1: %s is text wherever it may be', async (hostile) => {
  const shown = (text: string): Promise<string> =>
    show({
      code: 'invalid_body',
      detail: text,
      path: `/${text}`,
      url: text,
      errors: [{ pointer: text, message: text }],
    });
  expect(treeOf(await shown(hostile))).toEqual(treeOf(await shown('harmless')));
});
