import { describe, expect, test } from 'vitest';
import type { DeliveryOrder } from '../../../src/monitors/core/protocol.ts';
import { buildMail, type Mail } from '../../../src/monitors/receivers/mail.ts';
import { createMailPort } from '../../../src/monitors/receivers/send-mail.ts';
import { attacks } from '../../support/audit/hostile-text.ts';
import { email, makeAlert, makeMonitor, makeOrder, NOW_MS, webhook } from './made.ts';

const BASE = 'https://sightline.example';
const PLACE = `${BASE}/monitors/mon_a0123456789abcdef0123456/mail/rcv_0000000000000002`;

const build = (changes: Partial<DeliveryOrder> = {}, baseUrl = BASE): Mail => {
  const mail = buildMail(makeOrder(email(), changes), baseUrl);
  if (mail === undefined) throw new Error('no mail');
  return mail;
};
const kindOf = (kind: DeliveryOrder['delivery']['kind']): Partial<DeliveryOrder> => ({
  delivery: { ...makeOrder(email()).delivery, kind },
});

describe('a mail', () => {
  test('says what changed, with the evidence, and how to end it with one click (RFC 8058)', () => {
    const { to, subject, text, html, headers } = build();
    expect({ to, subject }).toEqual({ to: 'ada@example.com', subject: 'Our shop: The site changed' });
    expect(text).toContain('robots.txt now refuses GPTBot');
    expect(text).toContain('- AI crawlers may read the site: pass → fail');
    expect(text).toContain('after: https: //shop.example/robots.txt:3  Disallow: /');
    expect(text).toContain(`Report before: ${BASE}/reports/rep_before`);
    expect(html).toContain('<code>Disallow: /</code>');
    expect(headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'en',
      'X-Sightline-Delivery': 'dlv_00000000000000000000000a',
      'List-Unsubscribe': `<${PLACE}/unsubscribe?proof=${'d'.repeat(32)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  test('in German', () => {
    const { subject, text, html, headers } = build({ receiver: email({ language: 'de' }) });
    expect(subject).toBe('Our shop: Die Website hat sich geändert');
    expect(text).toContain('verglichen mit 2026-11-24 10:00 UTC');
    expect(html).toContain('<html lang="de">');
    expect(headers['Content-Language']).toBe('de');
  });

  test('that asks to confirm has the button’s link, and nothing of the monitor’s alerts', () => {
    const { subject, text } = build(kindOf('confirmation'));
    expect(subject).toBe('Confirm that Sightline may write to you');
    expect(text).toContain(`${PLACE}/confirm?proof=${'c'.repeat(32)}`);
    expect(text).not.toContain('robots.txt');
    // Only this mail can confirm an address.
    expect(build().text).not.toContain('c'.repeat(32));
  });

  test('a digest lists its alerts, a test says that it is one', () => {
    const digest = build({ ...kindOf('digest'), alerts: [makeAlert(1), makeAlert(2, { kind: 'gate_fired' })] });
    expect(digest.subject).toBe('Our shop: 2 alerts');
    expect(digest.text).toContain('A gate holds a score down (warning, 2026-11-25 10:00 UTC)');
    expect(build({ ...kindOf('test'), alerts: [] }).subject).toBe('Our shop: Test');
  });

  test('has no one-click header where the address is not https, but the link', () => {
    const { headers, text } = build({}, 'http://127.0.0.1:8787');
    expect(headers).not.toHaveProperty('List-Unsubscribe');
    expect(text).toContain('http://127.0.0.1:8787/monitors/');
  });

  test('goes to e-mail receivers only', () => expect(buildMail(makeOrder(webhook()), BASE)).toBeUndefined());

  test.each([...attacks, 'Shop\r\nBcc: victim@example.com\r\n\r\nbody'])('X: %j stays text', (attack) => {
    const alert = makeAlert(1, {
      title: attack,
      changes: [
        {
          id: 'a.b',
          title: attack,
          before: null,
          after: { text: attack, evidence: [{ url: attack, excerpt: attack }] },
        },
      ],
    });
    const monitor = makeMonitor({ name: attack, receivers: [email()] });
    for (const kind of ['alert', 'digest', 'confirmation', 'test'] as const) {
      const { subject, text, html, headers } = build({ ...kindOf(kind), monitor, alerts: [alert] });
      for (const line of [subject, ...Object.values(headers)]) expect(line).not.toMatch(/[\r\n\0]/);
      expect(subject.length).toBeLessThanOrEqual(150);
      // Every link is ours, and so is every tag.
      const links = [...`${text}\n${html}`.matchAll(/[a-z]+:\/\/[^\s"<]*/gi)].map(([link]) => link);
      expect(links.filter((link) => !link.startsWith(`${BASE}/`))).toEqual([]);
      expect(
        html.replaceAll(
          /<\/?(?:html|head|meta|body|h1|p|b|small|code|br|a)(?: [a-z]+="[^"<>]*")*>|<!doctype html>/g,
          '',
        ),
      ).not.toMatch(/[<>"]/);
    }
  });
});

describe('mail by the platform', () => {
  const mail = build();
  const sendWith = (error?: unknown) => {
    const seen: unknown[] = [];
    const binding = {
      send: async (message: unknown) => {
        seen.push(message);
        if (error !== undefined) throw error;
      },
    };
    const port = createMailPort(binding, { from: 'alerts@sightline.example', name: 'Sightline', now: () => NOW_MS });
    return { seen, sent: port.send(mail) };
  };
  const fail = (code: string) => Object.assign(new Error('to ada@example.com'), { code });

  test('goes from the address of the deployment, with its headers', async () => {
    const { seen, sent } = sendWith();
    expect(await sent).toEqual({ is: 'sent' });
    expect(seen).toEqual([{ ...mail, from: { email: 'alerts@sightline.example', name: 'Sightline' } }]);
  });

  test.each([
    ['E_RECIPIENT_SUPPRESSED', { is: 'refused', code: 'e_recipient_suppressed', disable: true }],
    ['E_CONTENT_TOO_LARGE', { is: 'refused', code: 'e_content_too_large', disable: false }],
    ['E_HEADER_NOT_ALLOWED', { is: 'refused', code: 'e_header_not_allowed', disable: false }],
    ['E_SENDER_NOT_VERIFIED', { is: 'again', code: 'e_sender_not_verified' }],
    ['E_RATE_LIMIT_EXCEEDED', { is: 'again', code: 'e_rate_limit_exceeded' }],
    ['E_DAILY_LIMIT_EXCEEDED', { is: 'again', code: 'e_daily_limit_exceeded', afterMs: 14 * 3_600_000 }],
    ['ada@example.com said no', { is: 'again', code: 'mail_failed' }],
  ])('%s', async (code, result) => expect(await sendWith(fail(code)).sent).toEqual(result));

  test('what is no error of the platform is tried again', async () =>
    expect(await sendWith('boom').sent).toEqual({ is: 'again', code: 'mail_failed' }));
});
