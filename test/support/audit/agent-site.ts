import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { judgeCheck, type TableOptions } from './judge-check.ts';
import { byAccept, html, json, markdown, SITE, type SiteAnswer, type SiteMap } from './site-fetch.ts';

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

/** Tables of changes to the well-kept site. */
export const AGENT_TABLE = {
  site: (changes: SiteMap): SiteMap => ({ ...agentSite, ...changes }),
  profile: 'product',
} as const satisfies TableOptions<SiteMap>;

/** The outcome of one check on the well-kept site with some answers changed. */
export const judgeAgentSite = (
  id: string,
  changes: SiteMap,
  profile: ProfileName = AGENT_TABLE.profile,
): Promise<CheckOutcome> => judgeCheck(id, AGENT_TABLE.site(changes), { profile });

export const llmsFile = (body: string): SiteMap => ({ '/llms.txt': markdown(body) });

export const llmsServed = (type: string, body = LLMS): SiteAnswer => ({
  status: 200,
  headers: type === '' ? {} : { 'content-type': type },
  body,
});

export const PROSE = words(200);

export const COPIED_MARKDOWN = `# Acme\n\n${words(40)}\n\nSee [prices](/prices) and [care](https://acme.example/care).\n`;

export const COPIED_PAGE = page(`<h1>Acme</h1><p>${PROSE}</p>`);

/** Markdown for who asks for it first, as most servers that negotiate do it. */
export const negotiatedCopy = (md = COPIED_MARKDOWN, extra = {}): SiteAnswer =>
  byAccept({ 'text/markdown': markdown(md, extra) }, COPIED_PAGE);
