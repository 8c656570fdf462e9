import { describe, expect, test } from 'vitest';
import {
  type SniffKind,
  hasFileBeyondControl,
  isHtmlText,
  readExistence,
} from '../../../../src/audit/reach/facts/existence.ts';
import type { Exchange } from '../../../../src/audit/core/snapshot.ts';

function exchange(path: string, answer: { status?: number; body: string } | 'failed'): Exchange {
  const url = `https://acme.example${path}`;
  const request = { role: path, method: 'GET', url, requestHeaders: {}, ms: 1 } as const;
  if (answer === 'failed') return { ...request, answer: { ok: false, reason: 'timeout', detail: '', redirects: [] } };
  const { status = 200, body } = answer;
  return {
    ...request,
    answer: {
      ok: true,
      url,
      status,
      headers: {},
      body,
      bodyBytes: body.length,
      sha256: body,
      truncated: false,
      redirects: [],
    },
  };
}

const CONTROL_PATH = '/0123456789abcdef0123456789abcdef';
const notFound = exchange(CONTROL_PATH, { status: 404, body: 'Not found' });
const shell = (path: string): string =>
  `<!doctype html><html><link rel="canonical" href="https://acme.example${path}"><div id="app">${path}</div></html>`;
const catchAll = exchange(CONTROL_PATH, { body: shell(CONTROL_PATH) });

describe('a file exists', () => {
  test.each<[string, SniffKind, string]>([
    ['JSON', 'json', ' {"a":1}'],
    ['a JSON list', 'json', '[]'],
    ['XML', 'xml', '<?xml version="1.0"?><urlset/>'],
    ['text', 'text', 'User-agent: *'],
    ['Markdown', 'markdown', '# Title\n<div>inline</div>'],
    ['YAML', 'yaml', '# comment\nopenapi: 3.1.0\n'],
    ['HTML', 'html', '<!DOCTYPE html><p>x'],
    ['anything', 'any', 'x'],
  ])('when it answers 2xx with %s', (_name, kind, body) => {
    expect(hasFileBeyondControl(exchange('/f', { body }), notFound, kind)).toBe(true);
    expect(hasFileBeyondControl(exchange('/f', { body }), catchAll, kind)).toBe(true);
  });
});

describe('a file is absent', () => {
  test.each<[string, string, { status?: number; body: string }, SniffKind]>([
    ['a status beyond 2xx', 'status', { status: 404, body: '{}' }, 'json'],
    ['an empty body', 'empty', { body: ' \n' }, 'text'],
    ['HTML where text should be', 'looks_like_html', { body: '<!-- x --><!DOCTYPE HTML>' }, 'text'],
    ['HTML where JSON should be', 'looks_like_html', { body: '<html></html>' }, 'json'],
    ['text where JSON should be', 'wrong_type', { body: 'hello' }, 'json'],
    ['prose where YAML should be', 'wrong_type', { body: 'hello world' }, 'yaml'],
    ['binary where text should be', 'wrong_type', { body: 'a\u0000b' }, 'text'],
  ])('on %s', (_name, reason, answer, kind) => {
    expect(readExistence(exchange('/f', answer), notFound, kind)).toMatchObject({ state: 'absent', reason });
  });

  test.each([
    ['the very same page', shell(CONTROL_PATH)],
    ['the page with its own path in it', shell('/llms.txt')],
    ['the page with other white space and another nonce', shell('/llms.txt').replaceAll('><', '>\n  <')],
  ])('when the site answers any path with %s', (_name, body) => {
    const spaced = exchange(CONTROL_PATH, { body: shell(CONTROL_PATH).replaceAll('><', '> <') });
    const control = body.includes('\n') ? spaced : catchAll;
    expect(readExistence(exchange('/llms.txt', { body }), control, 'any')).toMatchObject({
      state: 'absent',
      reason: 'same_as_control',
    });
  });

  test('not when the control answers 404 with the same words', () => {
    const control = exchange(CONTROL_PATH, { status: 404, body: 'same words' });
    expect(hasFileBeyondControl(exchange('/f', { body: 'same words' }), control, 'text')).toBe(true);
  });
});

describe('it is unknown', () => {
  test.each<[string, Exchange | undefined, Exchange | undefined, SniffKind]>([
    ['without a request', undefined, notFound, 'json'],
    ['without an answer', exchange('/f', 'failed'), notFound, 'json'],
    [
      'for HTML without an answer of the control',
      exchange('/f', { body: '<html>' }),
      exchange(CONTROL_PATH, 'failed'),
      'html',
    ],
    ['for HTML without a control', exchange('/f', { body: '<html>' }), undefined, 'any'],
  ])('%s', (_name, one, control, kind) => {
    expect(readExistence(one, control, kind).state).toBe('unknown');
  });

  test('but JSON speaks for itself without a control', () => {
    expect(readExistence(exchange('/f', { body: '{}' }), undefined, 'json').state).toBe('exists');
  });
});

test.each([
  ['<!DOCTYPE html>', true],
  ['\uFEFF <html lang="en">', true],
  ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "x">', true],
  ['<!-- a > b --><head>', true],
  ['<!-- never closed', false],
  ['<urlset>', false],
  ['# <html>', false],
  ['<htmlx>', false],
])('%j looks like HTML: %s', (body, expected) => {
  expect(isHtmlText(body)).toBe(expected);
});
