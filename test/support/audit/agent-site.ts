import type { CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import type { GathererName } from '../../../src/audit/core/artifacts.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { expect } from 'vitest';
import { outcomeOf } from './audit.ts';
import { html, json, markdown, type SiteAnswer, type SiteMap, SITE } from './site-fetch.ts';

/** The gatherers of the llms.txt, Markdown and agent-file part, with the two they build on. */
export const AGENT_GATHERERS = [
  'page',
  'control',
  'llms',
  'agentDocs',
  'markdown',
  'agentCards',
  'agentFiles',
  'openapi',
  'agentSkills',
  'oldSkillsIndex',
] as const satisfies readonly GathererName[];

/** A catch-all that answers every path with the same page, as single-page applications do. */
export const SHELL = html(
  '<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>',
);

export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
export const page = (body: string, head = ''): SiteAnswer =>
  html(`<!doctype html><html lang="en"><head><title>Acme</title>${head}</head><body>${body}</body></html>`);

export const LLMS = `# Acme

> Acme makes anvils.

## Docs

- [Guide](/guide.md): how to lift an anvil
- [Prices](${SITE}/prices): what each one costs
`;

export const guide = markdown(`# Guide\n\n${words(80)}`);

export const a2aCard = (members: object = {}): object => ({
  name: 'Anvil agent',
  description: 'Answers questions about anvils.',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${SITE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'ask', name: 'Ask', description: 'Ask about anvils.', tags: ['anvil'] }],
  ...members,
});

export const openApi = (members: object = {}): Record<string, unknown> => ({
  openapi: '3.1.0',
  info: { title: 'Anvils', version: '1' },
  paths: {
    '/anvils/{id}': {
      get: {
        operationId: 'getAnvil',
        summary: 'Read an anvil',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'An anvil' } },
      },
    },
  },
  ...members,
});

/** A well-kept site with every file of this part. */
export const agentSite: SiteMap = {
  '/': (request) =>
    (request.headers?.['accept'] ?? '').startsWith('text/markdown')
      ? markdown(`# Acme\n\n${words(80)}`, { headers: { vary: 'Accept' } })
      : html(
          `<!doctype html><html lang="en"><title>Acme</title><nav><a href="/prices">Prices</a></nav><p>${words(80)}</p></html>`,
          {
            headers: { vary: 'Accept-Encoding, Accept' },
          },
        ),
  '/llms.txt': markdown(LLMS),
  '/guide.md': guide,
  '/prices': page(`<p>${words(80)}</p>`),
  '/openapi.json': json(openApi()),
  '/.well-known/agent-card.json': json(a2aCard()),
};

export type Row = readonly [name: string, changes: SiteMap, status: OutcomeStatus, note: RegExp];

/** The outcome of one agent check on the well-kept site with some answers changed. */
export const agentOutcome = (id: string, changes: SiteMap, profile: ProfileName = 'product'): Promise<CheckOutcome> =>
  outcomeOf(id, { ...agentSite, ...changes }, { only: AGENT_GATHERERS, profile });

/** Expects status, note, and evidence for every outcome that claims to have looked and found. */
export async function expectRow(id: string, [, changes, status, note]: Row): Promise<void> {
  const outcome = await agentOutcome(id, changes);
  expect({ status: outcome.status, note: outcome.note }).toEqual({
    status,
    note: expect.stringMatching(note) as string,
  });
  if (status !== 'not_applicable' && status !== 'unknown') expect(outcome.evidence.length).toBeGreaterThan(0);
}
