import { describe, expect, test } from 'vitest';
import { ActionForm } from '../../../src/web/console/forms.tsx';
import { renderOverview } from '../../../src/web/console/overview.tsx';
import { renderQuotas } from '../../../src/web/console/quotas.tsx';
import { renderRefusalPage } from '../../../src/web/console/refusal.tsx';
import { renderConsoleShell } from '../../../src/web/console/shell.tsx';
import { renderConsoleSignIn } from '../../../src/web/console/sign-in.tsx';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const use = { state: 'counted', callers: 1, events: 2, most: 1 } as const;

/** Every slot of these pages that could have foreign text, each with the given one. */
async function page(text: string): Promise<string> {
  const forms = { csrf: 'c', returnTo: `/console/?q=${encodeURIComponent(text)}`, isFresh: false };
  const line = { quotaId: text, title: text, limit: 10, isChosen: true, use };
  const children = [
    await renderOverview(
      [
        { question: 'up', href: '/console/a', seen: true, title: text, mood: 'bad', text, figure: text, note: text },
        { question: 'lapse', href: '/console/b', title: text, seen: false },
        {
          question: 'up',
          href: null,
          seen: true,
          title: text,
          mood: 'bad',
          text,
          figure: text,
          from: text,
          alert: text,
        },
      ],
      1_795_000_000_000,
    ),
    await renderQuotas({ project: text, isInForce: true, lines: [line] }),
    await renderQuotas({ project: text, isInForce: false, lines: [] }),
    await ActionForm({ forms, action: '/console/do', fields: { id: text }, label: text, ariaLabel: text }),
  ];
  const shell = { title: text, nav: [], path: '/console/', operator: { name: text }, signedInAtMs: 0, csrf: text };
  const parts = [
    await renderConsoleShell({ ...shell, said: text, here: `/console/?q=${encodeURIComponent(text)}`, children }),
    await renderConsoleSignIn({ csrf: 'c', returnTo: text, alert: text }),
    await renderRefusalPage({ title: text, detail: text, requestId: text }),
  ];
  return parts.join('\n');
}

/** A page with the values of its attributes and its texts left out: what a browser would make elements of. */
const skeleton = (html: string): string => html.replaceAll(/="[^"]*"/g, '=""').replaceAll(/>[^<]*</g, '><');

describe('X8: what the console shows', () => {
  test('X8: no string of any list changes what the pages of the console are made of', async () => {
    const expected = skeleton(await page('plain'));
    const changed: string[] = [];
    for (const text of xssStrings) if (skeleton(await page(text)) !== expected) changed.push(text);
    expect(xssStrings.length).toBeGreaterThan(1_000);
    expect(changed).toEqual([]);
  });

  test('the page that this is judged by changes with what is not escaped', async () => {
    expect(skeleton('<p><b></p>')).not.toBe(skeleton('<p>plain</p>'));
    expect(skeleton('<p a="" onclick=""></p>')).not.toBe(skeleton('<p a="plain"></p>'));
  });
});

test('a form for an action says that the sign-in is too old before it is sent', async () => {
  const form = async (isFresh: boolean) =>
    String(
      await ActionForm({ forms: { csrf: 'c', returnTo: '/console/', isFresh }, action: '/console/do', label: 'Do' }),
    );
  expect(await form(false)).toContain('asks you to sign in again');
  expect(await form(true)).not.toContain('asks you to sign in again');
});
