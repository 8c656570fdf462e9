import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { MailLog } from '../../../local/mail/mails.ts';
import { findMailFolder } from '../../../local/stack-state.ts';
import { buildMail } from '../../../src/monitors/receivers/mail.ts';
import { email, makeOrder } from '../../monitors/receivers/made.ts';

const state = mkdtempSync(join(tmpdir(), 'sightline-mails-'));
afterEach(() => rmSync(state, { recursive: true, force: true }));

test('a mail that a Worker sends by its binding becomes a text and a page that stay, and the log names them', async () => {
  const lines: string[] = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        {
          type: 'ESModule',
          path: 'worker.js',
          contents: `export default { async fetch(request, { EMAIL }) {
            const { from, ...mail } = await request.json();
            return Response.json(await EMAIL.send({ ...mail, from }));
          } }`,
        },
      ],
      compatibilityDate: '2026-10-20',
      email: { send_email: [{ name: 'EMAIL' }] },
      log: new MailLog(state, (level, message) => lines.push(`${level} ${message}`)),
    }),
  );
  const mail = buildMail(makeOrder(email()), 'https://sightline.example');
  const body = JSON.stringify({ ...mail, from: { email: 'monitors@sightline.example', name: 'Sightline' } });
  const answer = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ messageId: expect.any(String) });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  await miniflare.dispose();
  const files = readdirSync(findMailFolder(state)).toSorted();
  expect(files.map((file) => file.replace(/^.*\./, ''))).toEqual(['html', 'txt']);
  const [page, text] = files.map((file) => readFileSync(join(findMailFolder(state), file), 'utf8'));
  expect([text, page]).toEqual([mail?.text, mail?.html]);
  expect(lines[0]).toContain(`info a mail was sent, “${mail?.subject}”`);
  for (const file of files) expect(lines[0]).toContain(file);
});
