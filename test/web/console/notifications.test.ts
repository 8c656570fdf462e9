import { describe, expect, test } from 'vitest';
import { CHANNEL_STATES } from '../../../src/notifications/channels/channel.ts';
import { CHANNEL_WORDS, type ChannelLine, renderChannels, formatTimeLeft } from '../../../src/web/console/channels.tsx';
import { renderDeadLetters } from '../../../src/web/console/dead-letters.tsx';
import { renderDocument, type Html } from '../../../src/web/design/shell.tsx';
import { treeOf } from '../../support/audit/page-tree.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const counts = Object.fromEntries(CHANNEL_STATES.map((state, index) => [state, index])) as Record<
  keyof typeof CHANNEL_WORDS,
  number
>;
const forms = { csrf: 'c', returnTo: '/console/channels', isFresh: true };

const channelOf = (text: string): ChannelLine => ({
  id: text,
  watch: text,
  customer: text,
  domain: text,
  event: text,
  state: 'active',
  life: { fromMs: NOW - 4 * HOUR_MS, untilMs: NOW + 2 * HOUR_MS },
  expiresAtMs: NOW + 2 * HOUR_MS,
  renewAtMs: NOW + HOUR_MS,
  nextTryAtMs: undefined,
  tries: 1,
  lastError: text,
});

const channels = (lines: readonly ChannelLine[], filter = {}): Html =>
  renderChannels({ filter, counts, mostCounted: 7, channels: lines, next: '5', nowMs: NOW, forms });

/** Each page with these texts, each once, wherever a directory, a receiver or an operator's address could have put it. */
const pages: Record<string, (texts: readonly string[]) => Html> = {
  channels: (texts) => channels(texts.map(channelOf), { customer: texts[0] }),
  'dead letters': (texts) =>
    renderDeadLetters({
      filter: { customer: texts[0] ?? '', channel: texts[0] ?? '', from: texts[0] ?? '', to: texts[0] ?? '' },
      inboxes: texts.flatMap((customer, index) => [
        { customer, read: true, dead: index + 1, waiting: 0 },
        { customer, read: false },
      ]),
      after: 'C1',
      next: texts[0],
      letters: {
        items: texts.map((text, index) => ({
          seq: index + 1,
          channel: text,
          event: text,
          watch: text,
          received_at: new Date(NOW).toISOString(),
          user_id: text,
          tries: 5,
          last_error: text,
        })),
        next: '5',
      },
      mostReplayed: 1_000,
      forms,
    }),
};

const AT_ONCE = 25;
const pageOf = async (view: Html | undefined): Promise<string> =>
  String(await renderDocument({ title: 'Page', children: view }));

const harmlessText = (index: number): string => `A harmless text ${index}.`;
const encoded = (text: string): string => new URLSearchParams({ q: text }).toString().slice('q='.length);

/** The tree of a page with these texts, made of that with harmless ones: they stand in values and, encoded, in addresses of ours. */
const expectedOf = (harmless: readonly string[], texts: readonly string[]): string[] =>
  harmless.map((line) => {
    const index = /A(?: |\+)harmless(?: |\+)text(?: |\+)(\d+)\./.exec(line)?.[1];
    if (index === undefined) return line;
    const [before, after] = [harmlessText(Number(index)), texts[Number(index)] ?? ''];
    return line.split(before).join(after).split(encoded(before)).join(encoded(after));
  });

test.each(Object.keys(pages))('X8: no text changes the parsed tree of the console page %s', async (name) => {
  const page = (texts: readonly string[]): Promise<string> => pageOf(pages[name]?.(texts));
  const harmless = treeOf(await page(Array.from({ length: AT_ONCE }, (_, index) => harmlessText(index))));
  expect(harmless.length).toBeGreaterThan(50);
  for (let at = 0; at + AT_ONCE <= xssStrings.length; at += AT_ONCE) {
    const texts = xssStrings.slice(at, at + AT_ONCE);
    expect([texts, treeOf(await page(texts))]).toEqual([texts, expectedOf(harmless, texts)]);
  }
});

describe('the page of channels', () => {
  test('has words for every state that a channel can have, and no other', () => {
    expect(Object.keys(CHANNEL_WORDS)).toEqual([...CHANNEL_STATES]);
  });

  test('says how long a channel has, by a bar of the share that is left, and in words', async () => {
    const page = await pageOf(channels([channelOf('a')]));
    expect(page).toContain('width="333"'); // Two of six hours.
    expect(page).toContain('in 2 h');
    expect(page).toContain('in 1 h');
  });

  test('says what is tried again, and when; what was not granted does not expire', async () => {
    const line = { ...channelOf('a'), life: undefined, expiresAtMs: undefined, nextTryAtMs: NOW + 90_000, tries: 3 };
    const page = await pageOf(channels([line]));
    expect(page).toContain('not granted');
    expect(page).toContain('3 failed in a row');
    expect(page).toMatch(/in 1 min.*next try/s);
    expect(page).not.toContain('<rect');
  });

  test.each([
    ['active', true],
    ['failed', true],
    ['superseded', false],
    ['stopped', false],
  ] as const)('offers a renewal of a channel that is %s: %s', async (state, offered) => {
    const page = await pageOf(channels([{ ...channelOf('a'), state }]));
    expect(page.includes('Renew now')).toBe(offered);
  });

  test('a count that ended early is no exact one', async () => {
    expect(await pageOf(channels([]))).toContain('Refused: 7 or more');
  });
});

test.each([
  [0, 'in less than a minute'],
  [59_999, 'in less than a minute'],
  [-1, 'just now'],
  [60_000, 'in 1 min'],
  [59 * 60_000, 'in 59 min'],
  [HOUR_MS, 'in 1 h'],
  [3.2 * HOUR_MS, 'in 3 h 12 min'],
  [24 * HOUR_MS, 'in 1 d'],
  [51.9 * HOUR_MS, 'in 2 d 3 h'],
  [-5 * 60_000, '5 min ago'],
])('%d ms are told as %s', (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});
