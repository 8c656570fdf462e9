import { describe, expect, test } from 'vitest';
import { MAX_GRANT_MICRO_USDC } from '../../../../src/payment/credits/adjustments.ts';
import { formatRegisteredCsv, renderClients } from '../../../../src/web/console/service/clients.tsx';
import { MAX_REASON_CHARS, renderConfirmation } from '../../../../src/web/console/service/confirm.tsx';
import { formatEntriesCsv, MOST_GRANTED_MICRO_USDC } from '../../../../src/web/console/service/customer.tsx';
import { renderCustomers } from '../../../../src/web/console/service/customers.tsx';
import { renderPublishedSites } from '../../../../src/web/console/service/published.tsx';

const HOSTILE = '=HYPERLINK("https://evil.example")<b>\u202e';
const forms = { csrf: 'token', returnTo: '/console/', isFresh: true };

test('the page names the limit that the account holds', () => {
  expect(MOST_GRANTED_MICRO_USDC).toBe(MAX_GRANT_MICRO_USDC);
});

describe('X8: files', () => {
  test('run nothing of a client’s name', () => {
    const client = { id: '+1', name: HOSTILE, redirectHosts: [], grants: 0, isOperatorMade: false };
    const [, row] = formatRegisteredCsv({ clients: [client] }).split('\r\n');
    expect(row).toMatch(/^"'=HYPERLINK/);
    expect(row).toContain("'+1");
    expect(row).not.toContain('\u202e');
  });

  test('run nothing of an operator’s reason', () => {
    const entry = {
      kind: 'grant' as const,
      atMs: 0,
      amountMicroUsdc: 1,
      by: 'b',
      reason: HOSTILE,
      balanceMicroUsdc: 1,
    };
    expect(formatEntriesCsv([entry]).split('\r\n')[1]).toContain(`"'=HYPERLINK`);
  });
});

test('a confirmation has its facts as text, the token of the session, and a reason that must be given', async () => {
  const page = String(
    await renderConfirmation({
      facts: [['Call', HOSTILE]],
      effect: 'It ends.',
      forms,
      action: '/console/clients/delete',
      fields: { client: HOSTILE },
      label: 'Delete',
      back: '/console/clients',
    }),
  );
  expect(page).not.toContain('<b>');
  expect(page).toContain('name="csrf" value="token"');
  expect(page).toMatch(new RegExp(`name="reason" required=""[^>]*maxlength="${MAX_REASON_CHARS}"`));
});

test('what is empty says why, and what was only looked at in part does not call itself empty', async () => {
  const none = String(await renderCustomers({ customers: [], search: '' }));
  expect(none).toContain('No one has an account yet');
  const part = String(await renderCustomers({ customers: [], search: '', next: '0x1' }));
  expect(part).not.toContain('No one has an account yet');
  expect(String(await renderPublishedSites({ sites: [], prefix: '' }))).toContain('No report is published');
  const clients = { registered: { clients: [], isPartial: false }, own: { accounts: [], clients: [] }, nowMs: 0 };
  expect(String(await renderClients(clients))).toContain('There is no service account');
});
