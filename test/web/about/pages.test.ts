import { expect, test } from 'vitest';
import type { DeprecatedThing } from '../../../src/openapi/deprecations/deprecations.ts';
import { buildDeprecationsPage } from '../../../src/web/about/deprecations-text.ts';
import { buildSandboxPage } from '../../../src/web/about/sandbox-text.ts';
import { formatPageMarkdown } from '../../../src/web/start/document.ts';

const BASE = 'https://a.example';
const read = (page: Parameters<typeof formatPageMarkdown>[0]): string => formatPageMarkdown(page, BASE);

const thing: DeprecatedThing = { method: 'GET', path: '/old', since: '2026-01-15', why: 'x', instead: 'GET /new' };

test('the page of deprecations has the notice, the headers and each row of the table', () => {
  const text = read(buildDeprecationsPage([thing, { ...thing, parameter: 'print', sunset: '2026-12-01' }]));
  expect(text).toContain('180 days');
  expect(text).toContain('`Sunset: Mon, 31 May 2027 00:00:00 GMT`');
  expect(text).toContain('| `GET /old` | 2026-01-15 | not fixed | GET /new |');
  expect(text).toContain('| parameter `print` of `GET /old` | 2026-01-15 | 2026-12-01 | GET /new |');
  expect(read(buildDeprecationsPage([]))).toContain('Nothing.');
});

test('the sandbox says which money the deployment takes', () => {
  const real = read(buildSandboxPage({ baseUrl: BASE, networks: ['Base', 'Polygon'], isTest: false }));
  expect(real).toContain('sells on Base and Polygon, with real USDC');
  expect(real).toContain(`${BASE}/api/agent/check_health?dry=1`);
  const worthless = read(buildSandboxPage({ baseUrl: BASE, networks: ['Base Sepolia'], isTest: true }));
  expect(worthless).toContain('its USDC is worth nothing');
  expect(worthless).not.toContain('real USDC');
});
