import { readFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type SitePreview,
  type Preview,
  runSitePreview,
  type PreviewStep,
  listPreviewSteps,
} from '../../src/audit/core/preview.ts';
import { checks } from '../../src/audit/core/catalogue.ts';
import { describeAuditOrder } from '../../src/web/buying/panel.tsx';
import { auditPage, type AuditPage } from '../../src/web/audit/page.tsx';
import { renderShownPreview } from '../../src/web/audit/preview-event.tsx';
import { LANGUAGES } from '../../src/web/language/language.ts';
import { splitSourceLinks } from '../../src/report/source-links.ts';
import { parseWebAddress } from '../../src/web/design/parts.tsx';
import { parseEventData } from '../../src/web/islands/parts/event-reader.ts';
import { CLOCK_MS } from '../support/audit/audit.ts';
import { foreignAddresses, treeOf } from '../support/audit/page-tree.ts';
import { html, SITE, siteFetch } from '../support/audit/site-fetch.ts';
import { type Json, stringsIn, withStrings } from '../support/audit/slots.ts';
import { xssStrings } from '../support/audit/xss-strings.ts';

const HARMLESS = 'A harmless text';
const TIMEOUT_MS = 120_000;
const BASE_URL = 'https://sightline.test';
const buy: AuditPage['buy'] = {
  language: 'en',
  capability: 'full_audit',
  priceUsd: '0.350000',
  mode: { kind: 'wallet' },
  payTo: `0x${'7a'.repeat(20)}`,
  baseUrl: BASE_URL,
  goods: describeAuditOrder(),
};

const pageOf = async (page: Partial<AuditPage>): Promise<string> =>
  (await auditPage({ baseUrl: BASE_URL, url: '', buy, ...page })).toString();

let preview: Preview;
const steps: PreviewStep[] = [];

beforeAll(async () => {
  const body = '<!doctype html><html lang="en"><head><title>Desk</title></head><body><h1>Desk</h1></body></html>';
  const outcome = await runSitePreview(`${SITE}/`, {
    fetch: siteFetch({ '/': html(body) }),
    clockMs: CLOCK_MS,
    onStep: (step) => void steps.push(step),
    pause: async () => undefined,
    signal: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  ({ preview } = outcome);
});

/** A site that could not be read, with its text in each member. */
const problem = (text: string): NonNullable<AuditPage['problem']> => ({
  code: 'target_unreachable',
  title: 'No',
  detail: text,
});

const made = (given: Preview = preview): SitePreview => ({
  preview: given,
  reused: false,
  made_at: new Date(CLOCK_MS).toISOString(),
});

/** The attributes of the first element with this id. */
function attributesOf(page: string, id: string): Record<string, string> {
  let found: Record<string, string> | undefined;
  const parser = new Parser({
    onopentag(_name, attributes) {
      if (attributes['id'] === id) found ??= attributes;
    },
  });
  parser.end(page);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** The tree without what stands in the field. */
const treeBesideField = (page: string, url: string): readonly string[] =>
  treeOf(page).map((tag) => {
    if (tag.includes(' id="audit-url"')) return tag.replace(` value="${url}"`, '');
    // Where the switch of languages leads back to.
    return tag.includes(' name="to"') ? tag.replace(/ value="[^"]*"/, '') : tag;
  });

const SOURCES = new Set(
  checks.flatMap(({ source }) =>
    splitSourceLinks(source).flatMap((part) => ('href' in part ? [parseWebAddress(part.href)] : [])),
  ),
);

const isOurs = (address: string): boolean =>
  (address.startsWith('/') && !address.startsWith('//')) ||
  address.startsWith('#') ||
  address.startsWith(BASE_URL) ||
  SOURCES.has(address);

describe('the field', () => {
  test(
    'X6: holds whatever stands behind ?url=, and the parsed tree of the page stays the same',
    async () => {
      const harmless = treeBesideField(await pageOf({ url: HARMLESS }), HARMLESS);
      // Only the bare form is for search engines.
      for (const url of xssStrings.filter((each) => each !== '')) {
        const page = await pageOf({ url });
        expect(attributesOf(page, 'audit-url')['value']).toBe(url);
        expect(treeBesideField(page, url)).toEqual(harmless);
        expect(foreignAddresses(page, isOurs)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  test('X6: so it is where a problem quotes it, and where somebody made up a profile', async () => {
    const harmless = treeBesideField(await pageOf({ url: '', problem: problem(HARMLESS) }), '');
    for (const text of xssStrings) {
      const page = await pageOf({ url: '', profile: text, problem: problem(text) });
      expect(treeBesideField(page, '')).toEqual(harmless);
    }
  });
});

/** Members that are words of ours, whatever a site says. */
const OURS = new Set(
  'id title source fix why fix_id status evidence_grade scores name version sha256 grade'.split(' '),
);

test(
  'X6: whatever a site writes, the parsed tree of its preview stays the same',
  async () => {
    const json = JSON.parse(JSON.stringify(preview)) as Json;
    const slots = stringsIn(json).filter((path) => !OURS.has(String(path.at(-1))) && !OURS.has(String(path.at(-2))));
    expect(slots.length).toBeGreaterThan(100);
    const shown = (make: (slot: number) => string): Promise<string> =>
      pageOf({ made: made(withStrings(json, slots, make) as unknown as Preview) });
    const harmless = treeOf(await shown(() => HARMLESS));
    // Neighbouring slots hold neighbouring strings: so each string stands in some slot of each kind.
    for (let page = 0; page < xssStrings.length; page += 20) {
      const shownPage = await shown((slot) => xssStrings[(page + slot) % xssStrings.length] ?? '');
      expect(treeOf(shownPage)).toEqual(harmless);
      expect(foreignAddresses(shownPage, isOurs)).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

test('X6: what is sent to an open page is what the page itself would show', async () => {
  const json = JSON.parse(JSON.stringify(preview)) as Json;
  const slots = stringsIn(json).filter((path) => !OURS.has(String(path.at(-1))) && !OURS.has(String(path.at(-2))));
  for (const language of LANGUAGES) {
    const hostile = withStrings(
      json,
      slots,
      (slot) => xssStrings[slot % xssStrings.length] ?? '',
    ) as unknown as Preview;
    const page = await pageOf({ made: made(hostile), language, buy: { ...buy, language } });
    const { summary, details, spoken } = await renderShownPreview(made(hostile), language);
    expect(page).toContain(`<div id="audit-result">${summary}</div>`);
    expect(page).toContain(`>${details}</div>`);
    expect(spoken).toMatch(/^\S+\. .* 100$/);
  }
});

/** Controls that no page shows, and marks that turn the direction of text. */
const STEERING = 'a\u001b[31m\u009b2J\u0085\u007f\u0000\u202e\u2066';
const CONTROLS = /(?![\t\n\r])\p{Cc}/u;

describe('B11.4: what a site writes into the live page', () => {
  const hostile = (): SitePreview => {
    const json = JSON.parse(JSON.stringify(preview)) as Json;
    const slots = stringsIn(json).filter((path) => !OURS.has(String(path.at(-1))) && !OURS.has(String(path.at(-2))));
    return made(withStrings(json, slots, () => STEERING) as unknown as Preview);
  };

  test('shows its controls as text, where the server makes the page', async () => {
    const page = await pageOf({ made: hostile(), problem: problem(STEERING) });
    expect(page).not.toMatch(CONTROLS);
    expect(page.split(String.raw`a\u001b[31m\u009b2J\u0085\u007f\u0000`).length).toBeGreaterThan(100);
  });

  test('reaches the script of the page written out, whatever the event', () => {
    const events = [...steps, hostile(), { title: STEERING, detail: STEERING }];
    for (const event of events)
      for (const text of JSON.stringify(parseEventData({ data: JSON.stringify(event) })).match(
        /\\*\\u00[0-9a-f]{2}/g,
      ) ?? [])
        expect(text).toMatch(/^\\\\u/);
    expect(parseEventData({ data: JSON.stringify({ detail: STEERING }) })).toEqual({
      detail: String.raw`a\u001b[31m\u009b2J\u0085\u007f\u0000` + '\u202e\u2066',
    });
  });

  test('turns the direction of nothing beside it: each text stands in an element that is isolated', async () => {
    const css = readFileSync(new URL('../../src/web/styles/base.css', import.meta.url), 'utf8');
    const isolated = new Set(/:where\(([^)]*)\) \{\s*unicode-bidi: isolate;/.exec(css)?.[1]?.split(/,\s*/) ?? []);
    const open: string[] = [];
    const around: string[] = [];
    const parser = new Parser({
      onopentag: (name) => void open.push(name),
      ontext: (text) => void (text.includes('\u202e') && around.push(open.at(-1) ?? '')),
      onclosetag: () => void open.pop(),
    });
    parser.end(await pageOf({ made: hostile() }));
    expect(around.length).toBeGreaterThan(100);
    expect(around.filter((name) => !isolated.has(name))).toEqual([]);
  });
});

describe('a preview as a page', () => {
  test('shows a gauge for each score that applies, every check once, and in full those that are open', async () => {
    const page = await pageOf({ url: SITE, made: made() });
    expect(page.match(/<figure class="gauge/g)).toHaveLength(3);
    expect(page).toContain(`MCP readiness does not apply. ${preview.scores.mcp.reason}`);
    expect(page).not.toMatch(/MCP readiness 0|points over the four scores/);
    const open = preview.checks.filter((check) => check.open);
    expect(open.length).toBe(55);
    expect(page.match(/<[^>]* data-check="?[^>]*>/g)).toHaveLength(checks.length);
    expect(page.match(/<li id="check-[^"]*" data-check="?[^>]* data-status="locked"/g)).toHaveLength(
      checks.length - open.length,
    );
    for (const check of open) if (check.open) expect(page).toContain(check.title.replaceAll('&', '&amp;').slice(0, 20));
  });

  test('is not for search engines, and the bare form is', async () => {
    expect(await pageOf({ url: SITE, made: made() })).toContain('noindex');
    const bare = await pageOf({});
    expect(bare).not.toContain('noindex');
    expect(bare).toContain(`<link rel="canonical" href="${BASE_URL}/audit"/>`);
  });

  test('tells nothing of a check that is not open but that it was made', () => {
    const allowed = ['id', 'open', 'scores', 'title', 'weight'];
    const locked = preview.checks.filter(({ open }) => !open);
    expect(locked.length).toBe(checks.length - 55);
    for (const check of locked) expect(Object.keys(check).toSorted()).toEqual(allowed);
    const ids = new Set(locked.map(({ id }) => id));
    const gates = Object.values(preview.scores).flatMap((score) => score.gates.map(({ id }) => id));
    expect(gates.filter((id) => ids.has(id))).toEqual([]);
  });
});

test('the steps on the way to a preview are those that are told when it is reused, but for the requests left', () => {
  const again = [...listPreviewSteps(preview)];
  expect(again.filter(({ event }) => event !== 'fetch')).toEqual(steps.filter(({ event }) => event !== 'fetch'));
  const roles = (all: readonly PreviewStep[]) =>
    all.flatMap((step) => (step.event === 'fetch' ? [step.data.url] : [])).toSorted();
  expect(roles(again)).toEqual(roles(steps));
  expect(again.at(0)?.event).toBe('fetch');
});

test('a reader who left before anything was read gets no judgement', async () => {
  const outcome = await runSitePreview(`${SITE}/`, {
    fetch: siteFetch({}),
    clockMs: CLOCK_MS,
    onStep: () => undefined,
    pause: async () => undefined,
    signal: AbortSignal.abort(),
  });
  expect(outcome).toEqual({ ok: false, reason: 'stopped' });
});
