import { createExecutionContext, env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { productionAnswers } from '../../../../src/models/registry.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { renderGallery } from '../../../../src/web/design/gallery/page.tsx';
import production from '../../../../src/worker.ts';

const DESIGN = new URL('/design', env.BASE_URL);
const options = { policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: productionAnswers };
/** As the platform hands it over, which names the address of the caller. */
const request = (): Request =>
  new Request(DESIGN, { headers: { accept: 'text/html', 'cf-connecting-ip': '203.0.113.77' }, cf: { colo: 'TXL' } });

test('the entry that is deployed has no page of all parts', async () => {
  const answer = await production.fetch(request(), env, createExecutionContext());
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('not_found');
});

test('an entry that has it shows it under the policy of all pages', async () => {
  const answer = await createApp({ ...options, renderDesign: renderGallery }).fetch(request(), env);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
  expect(await answer.text()).toContain('<h1>Design</h1>');
});
