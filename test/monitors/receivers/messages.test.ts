import { describe, expect, test } from 'vitest';
import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { DeliveryOrder } from '../../../src/monitors/core/protocol.ts';
import { buildWebhookPayload } from '../../../src/monitors/receivers/alert-payload.ts';
import { buildMail } from '../../../src/monitors/receivers/mail.ts';
import { MAX_LISTED_ALERTS, MAX_SHOWN_CHANGES } from '../../../src/monitors/receivers/message-text.ts';
import { buildSlackMessage } from '../../../src/monitors/receivers/slack-message.ts';
import { buildTeamsMessage } from '../../../src/monitors/receivers/teams-message.ts';
import { attacks } from '../../support/audit/hostile-text.ts';
import { email, makeAlert, makeMonitor, makeOrder, webhook } from './made.ts';

const BASE = 'https://sightline.example';
const chatAttacks = [
  ...attacks,
  '<!channel> <!here> <@U012AB3CD> <#C123> <!subteam^S1>',
  '@channel @here',
  '<https://evil.example/|our site>',
  '&lt;!channel&gt;',
  '*bold* _it_ ~x~ `code`',
  '[click](https://evil.example/) **bold**',
  '<at>everyone</at>',
  '{{DATE(2017-02-14T06:00:00Z, SHORT)}} ${secret}',
];

const { receivers: _none, ...unchanged } = makeMonitor();
/** An order whose every foreign text is this one. */
const orderOf = (text: string, kind: DeliveryOrder['delivery']['kind'] = 'alert'): DeliveryOrder => {
  const alert: MonitorAlert = makeAlert(1, {
    title: text,
    changes: [
      {
        id: 'a.b',
        title: text,
        before: { text, evidence: [{ url: text, excerpt: text, line: 3 }] },
        after: { text, evidence: [{ url: text, header: text }] },
      },
    ],
  });
  const order = makeOrder(webhook());
  return {
    ...order,
    delivery: { ...order.delivery, kind },
    monitor: { ...unchanged, receivers: [webhook()], name: text },
    alerts: [alert, { ...alert, id: makeAlert(2).id }],
  };
};

type Node = Record<string, unknown>;
/** All objects in a JSON value. */
const listObjects = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(listObjects);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(listObjects)];
};

describe('the body of a webhook', () => {
  test('an alert: what changed since when, the evidence of both sides, and links', () => {
    expect(JSON.parse(buildWebhookPayload(makeOrder(webhook()), BASE))).toEqual({
      type: 'monitor.alert',
      timestamp: '2026-11-25T10:00:00.000Z',
      data: {
        monitor: {
          id: 'mon_a0123456789abcdef0123456',
          name: 'Our shop',
          kind: 'site',
          url: 'https://shop.example/',
          host: 'shop.example',
          link: `${BASE}/account/monitors/mon_a0123456789abcdef0123456`,
        },
        id: 'alr_000000000000000000000001',
        run_id: 'run_a0123456789abcdef0123456-1',
        kind: 'verdict_changed',
        severity: 'warning',
        title: 'robots.txt now refuses GPTBot',
        at: '2026-11-25T10:00:00.000Z',
        links: {
          monitor: `${BASE}/account/monitors/mon_a0123456789abcdef0123456`,
          report: `${BASE}/reports/rep_after`,
          report_before: `${BASE}/reports/rep_before`,
          snapshot: `${BASE}/reports/rep_after/snapshot`,
        },
        monitor_id: 'mon_a0123456789abcdef0123456',
        since: {
          run_id: 'run_a0123456789abcdef0123456-0',
          at: '2026-11-24T10:00:00.000Z',
          report_id: 'rep_before',
          report_url: `${BASE}/reports/rep_before`,
        },
        report_id: 'rep_after',
        report_url: `${BASE}/reports/rep_after`,
        snapshot_url: `${BASE}/reports/rep_after/snapshot`,
        changes: [
          {
            id: 'agents.robots_training',
            title: 'AI crawlers may read the site',
            before: { text: 'pass', status: 'pass' },
            after: { text: 'fail', status: 'fail' },
            is_worse: true,
          },
        ],
        evidence: {
          untrusted: true,
          changes: [
            {
              id: 'agents.robots_training',
              before: [],
              after: [{ url: 'https://shop.example/robots.txt', line: 3, excerpt: 'Disallow: /' }],
            },
          ],
        },
      },
    });
  });

  test('a digest names each alert; a test says that it is one', () => {
    const order = orderOf('x', 'digest');
    expect(JSON.parse(buildWebhookPayload(order, BASE))).toMatchObject({
      type: 'monitor.digest',
      data: { alerts: [{ id: makeAlert(1).id }, { id: makeAlert(2).id }] },
    });
    const check = { ...order, alerts: [], delivery: { ...order.delivery, kind: 'test' as const } };
    expect(JSON.parse(buildWebhookPayload(check, BASE))).toMatchObject({ type: 'monitor.test' });
  });

  test('changes that an alert left out are counted in every message for people', () => {
    const changes = Array.from({ length: 8 }, () => makeAlert(1).changes).flat();
    const alert = makeAlert(1, { changes, more: 30 });
    const left = `and ${8 - MAX_SHOWN_CHANGES + 30} more`;
    expect(buildSlackMessage(makeOrder(webhook(), { alerts: [alert] }), BASE)).toContain(left);
    expect(buildTeamsMessage(makeOrder(webhook(), { alerts: [alert] }), BASE)).toContain(left);
    expect(buildMail(makeOrder(email(), { alerts: [alert] }), BASE)?.text).toContain(left);
  });

  test('no message holds a secret of any receiver', () => {
    const feed = { id: 'rcv_f', kind: 'feed', token: 'f'.repeat(32) } as const;
    const other = webhook({ id: 'rcv_x', url: 'https://other.example/secret-path' });
    const order = { ...orderOf('x'), monitor: makeMonitor({ receivers: [webhook(), other, feed] }) };
    for (const build of [buildWebhookPayload, buildSlackMessage, buildTeamsMessage])
      expect(build(order, BASE)).not.toMatch(/private-part|secret-path|whsec_|f{32}/);
  });
});

describe('Slack', () => {
  test('an alert in blocks that Slack takes', () => {
    const message = JSON.parse(buildSlackMessage(makeOrder(webhook()), BASE)) as { text: string; blocks: Node[] };
    expect(message.text).toBe(
      `🟠 Our shop: robots.txt now refuses GPTBot\n${BASE}/account/monitors/mon_a0123456789abcdef0123456`,
    );
    expect(message.blocks.map(({ type }) => type)).toEqual(['header', 'context', 'section', 'rich_text', 'section']);
    const text = JSON.stringify(message.blocks);
    expect(text).toContain('AI crawlers may read the site: pass → fail');
    expect(text).toContain('after  https://shop.example/robots.txt:3  Disallow: /');
    expect(text).toContain(`<${BASE}/reports/rep_before|Report before>`);
  });

  test.each(chatAttacks)('X: %j becomes neither a mention, a link nor a mark', (attack) => {
    for (const kind of ['alert', 'digest', 'test'] as const) {
      const message = JSON.parse(buildSlackMessage(orderOf(attack, kind), BASE)) as { text: string; blocks: Node[] };
      // The one text that Slack parses has our own links only.
      const parsed = listObjects(message.blocks).filter(({ type }) => type === 'mrkdwn');
      expect(parsed.length).toBeGreaterThan(0);
      for (const { text, verbatim } of parsed) {
        expect(verbatim).toBe(true);
        expect(String(text).replaceAll(/<https:\/\/sightline\.example\/[^<>|]*\|[A-Za-z ]+>( · )?/g, '')).toBe('');
      }
      const [title = ''] = message.text.split(`\n${BASE}`);
      expect(title).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)|:\/\//);
    }
  });

  test('stays within its limits however much there is', () => {
    const long = orderOf('long '.repeat(500), 'digest');
    const many = { ...long, alerts: Array.from({ length: 100 }, (_, n) => makeAlert(n, { title: 'y '.repeat(900) })) };
    const changes = Array.from({ length: 40 }, () => long.alerts[0]?.changes[0]).filter((one) => one !== undefined);
    const wide = {
      ...long,
      delivery: { ...long.delivery, kind: 'alert' as const },
      alerts: [makeAlert(1, { changes })],
    };
    for (const order of [many, wide]) {
      const { blocks } = JSON.parse(buildSlackMessage(order, BASE)) as { blocks: Node[] };
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const { type, text } of listObjects(blocks)) {
        if (type === 'plain_text') expect(String(text).length).toBeLessThanOrEqual(3_000);
        if (type === 'header') expect(String((text as Node)['text']).length).toBeLessThanOrEqual(150);
      }
      expect(JSON.stringify(blocks)).toContain(
        order === many ? `and ${100 - MAX_LISTED_ALERTS} more` : `and ${40 - MAX_SHOWN_CHANGES} more`,
      );
    }
  });
});

describe('Teams', () => {
  test('an alert as a message with one Adaptive Card', () => {
    const message = JSON.parse(buildTeamsMessage(makeOrder(webhook()), BASE)) as {
      type: string;
      attachments: { contentType: string; contentUrl: null; content: Node }[];
    };
    const [card] = message.attachments;
    expect(message).toMatchObject({ type: 'message', attachments: [{ contentUrl: null }] });
    expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(card?.content).toMatchObject({
      type: 'AdaptiveCard',
      version: '1.4',
      actions: [
        { type: 'Action.OpenUrl', title: 'Monitor' },
        { type: 'Action.OpenUrl', title: 'Report', url: `${BASE}/reports/rep_after` },
        { type: 'Action.OpenUrl', title: 'Report before' },
        { type: 'Action.OpenUrl', title: 'Snapshot' },
      ],
    });
    const text = listObjects(card?.content['body'])
      .filter(({ type }) => type === 'TextRun')
      .map((run) => run['text'])
      .join('|');
    expect(text).toContain('AI crawlers may read the site: |pass → fail');
    expect(text).toContain('Disallow: /');
  });

  test.each(chatAttacks)('X: %j is in text that Teams does not parse', (attack) => {
    for (const kind of ['alert', 'digest', 'test'] as const) {
      const nodes = listObjects(JSON.parse(buildTeamsMessage(orderOf(attack, kind), BASE)));
      expect(new Set(nodes.map(({ type }) => type).filter((type) => type !== undefined))).toEqual(
        new Set(['message', 'AdaptiveCard', 'RichTextBlock', 'TextRun', 'Action.OpenUrl']),
      );
      for (const node of nodes) {
        if (node['type'] === 'TextRun') expect(node['text']).not.toMatch(/\{\{|\}\}/);
        if (node['type'] === 'Action.OpenUrl') expect(String(node['url'])).toMatch(/^https:\/\/sightline\.example\//);
        // No mentions: those are entities of the card.
        expect(node).not.toHaveProperty('entities');
      }
    }
  });

  test('stays under what Teams takes: the evidence goes first', () => {
    const order = orderOf('ß'.repeat(2_000));
    const [change] = order.alerts[0]?.changes ?? [];
    if (change === undefined) throw new Error('no change');
    const piece = { url: `https://shop.example/${'ü'.repeat(900)}`, excerpt: '漢'.repeat(300) };
    const reading = { text: 'x', evidence: Array.from({ length: 9 }, () => piece) };
    const changes = Array.from({ length: 40 }, () => ({ ...change, before: reading, after: reading }));
    const bytes = new TextEncoder().encode(buildTeamsMessage({ ...order, alerts: [makeAlert(1, { changes })] }, BASE));
    expect(bytes.length).toBeLessThan(28_000);
  });
});
