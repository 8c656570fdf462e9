import { describe, expect, test } from 'vitest';
import { gatherAudit, judgeSite } from '../../../src/audit/core/report.ts';
import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import { createLocalTools } from '../../../src/cli/audit/local-run.ts';
import { recipes } from '../../../src/fixes/core/all-recipes.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { buildServerFiles, type ServerFile } from '../../../src/fixes/core/server-files.ts';
import type { Audited } from '../../../src/fixes/files/generated-file.ts';
import { goodPage } from '../../sites/good.ts';
import { agentSite } from '../../support/audit/agent-site.ts';
import { auditedOf, tools } from '../../support/audit/fixes.ts';
import { SITE } from '../../support/audit/site-fetch.ts';
import {
  type Around,
  configureServer,
  requireServer,
  type ServerName,
  startRealServer,
} from '../../support/servers/real-servers.ts';

const servers: readonly ServerName[] = ['nginx', 'apache'];

const own = (text: string, url: string): string => text.replaceAll(SITE, url);

/** A site of files: pages with copies, and files for programs. */
const buildSite = (url: string): Readonly<Record<string, string>> => ({
  'index.html': own(goodPage('/', '<link rel="alternate" type="text/markdown" href="/index.md">'), url),
  'index.md': `# Oak tool racks\n\nRacks for tools, made to measure from one board of oak.\n\n## Sizes\n\nFrom 40 to 120 cm.\n`,
  ...Object.fromEntries(
    ['about', 'racks', 'prices', 'care', 'faq', 'contact', 'privacy', 'terms'].map((page) => [
      `${page}/index.html`,
      own(goodPage(`/${page}`), url),
    ]),
  ),
  'racks/index.md': '# Racks\n\nAll racks.\n',
  'robots.txt': `User-agent: *\nDisallow:\n\nSitemap: ${url}/sitemap.xml\n`,
  'sitemap.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}/</loc><lastmod>2026-10-02</lastmod></url></urlset>\n`,
  'llms.txt': `# Example workshop\n\n> Oak tool racks — made to measure.\n\n## Pages\n\n- [Racks](${url}/racks): all racks\n`,
  '.well-known/agent-card.json': JSON.stringify({
    name: 'Racks',
    description: 'Answers questions on racks.',
    supportedInterfaces: [{ url: `${url}/racks`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'ask', name: 'Ask', description: 'Answers a question on racks.', tags: ['racks'] }],
  }),
});

const audit = async (url: string): Promise<Audited> => {
  const local = await createLocalTools();
  const snapshot = await gatherAudit(`${url}/`, { fetch: local.guardedFetch(`${url}/`), clockMs: Date.now() });
  return { snapshot, ...judgeSite(snapshot) };
};

const outcomesOf = ({ judged }: Audited): ReadonlyMap<string, CheckOutcome> =>
  new Map(judged.map(({ check, outcome }) => [check.id, outcome]));

const RANK = { pass: 3, not_applicable: 3, unknown: 3, partial: 2, fail: 1 } as const;

/** How the site is served before: as a careless owner of each server has it. */
const BEFORE: Readonly<Record<ServerName, Around>> = {
  nginx: { inside: 'location / { try_files $uri $uri/ /index.html; }' },
  apache: { inside: 'FallbackResource /index.html\nFileETag None' },
};
/** What stays of it: the composed configuration says what it takes the place of. */
const AFTER: Readonly<Record<ServerName, Around>> = { nginx: {}, apache: { inside: 'FallbackResource /index.html' } };

describe.each(servers)('%s with the composed configuration', (name) => {
  test('passes every check that a setting is for, and no other check gets worse', async () => {
    const first = await startRealServer(name, buildSite('http://127.0.0.1:1'), [], BEFORE[name]);
    let before: Audited;
    try {
      before = await audit(first.url);
    } finally {
      await first.stop();
    }
    const files = buildServerFiles(before, tools);
    const second = await startRealServer(name, buildSite('http://127.0.0.1:1'), files, AFTER[name]);
    try {
      const after = outcomesOf(await audit(second.url));
      const asked = new Set(files.flatMap(({ checks }) => checks));
      expect([...asked]).toEqual(
        expect.arrayContaining([
          'aeo.reach.soft-404',
          'aeo.reach.compression',
          'agent.md.negotiation',
          'agent.sec.headers',
          'agent.http.cache',
          'agent.http.cors',
          'agent.http.link-headers',
        ]),
      );
      const open = [...asked]
        .map((id) => [id, after.get(id)?.status, after.get(id)?.note])
        .filter(([, status]) => status !== 'pass');
      expect(open).toEqual([]);
      for (const id of ['agent.md.q-values', 'agent.md.vary', 'agent.http.conditional', 'agent.http.head'])
        expect([id, after.get(id)?.note, after.get(id)?.status]).toMatchObject([id, expect.any(String), 'pass']);
      const worse = [...outcomesOf(before)]
        .filter(([id, outcome]) => RANK[after.get(id)?.status ?? 'fail'] < RANK[outcome.status])
        .map(([id]) => [id, after.get(id)?.note]);
      expect(worse).toEqual([]);
    } finally {
      await second.stop();
    }
  });
});

/** Every check of a site failed: what any site may be given. */
async function failEverything(): Promise<Audited> {
  const audited = await auditedOf(agentSite);
  const evidence = [{ url: SITE, header: 'x-robots-tag' }];
  return {
    ...audited,
    judged: audited.judged.map(({ check }) => ({
      check,
      outcome: { status: 'fail' as const, value: 0, note: 'made up', evidence },
    })),
  };
}

const brotli: readonly (readonly [string, Around])[] = [
  ['with Brotli', {}],
  ['without Brotli', { withoutBrotli: true }],
];

const judgeConfiguration = async (name: ServerName, files: readonly ServerFile[], around: Around): Promise<string> => {
  const configured = configureServer(name, {}, files, around);
  try {
    return await configured.test();
  } finally {
    configured.remove();
  }
};

describe.each(servers)('the syntax that %s itself judges', (name) => {
  test.each(brotli)('takes the settings of all checks together, %s', async (_what, around) => {
    const files = buildServerFiles(await failEverything(), tools);
    expect(new Set(files.flatMap(({ checks }) => checks)).size).toBeGreaterThan(15);
    expect(await judgeConfiguration(name, files, around)).toBe('');
  });

  test('takes each setting by itself', async () => {
    const audited = await failEverything();
    const refused: string[] = [];
    const ids = Object.keys(recipes).filter((id) => recipes[id]?.server !== undefined);
    for (const id of ids) {
      const said = await judgeConfiguration(name, buildServerFiles(audited, tools, [id]), {});
      if (said !== '') refused.push(`${id}: ${said}`);
    }
    expect(refused).toEqual([]);
  });

  test('takes the text of each fix in the place that it names', async () => {
    const refused: string[] = [];
    for (const { id, configure } of await buildFixes(await failEverything(), tools)) {
      const text = configure?.[name];
      if (text === undefined) continue;
      const said = await judgeConfiguration(name, [], name === 'nginx' ? splitNginx(text) : splitApache(text));
      if (said !== '') refused.push(`${id}: ${said}`);
    }
    expect(refused).toEqual([]);
  });

  test('would refuse an address that has two blocks: the judge is awake', async () => {
    const twice = 'location = /a { return 204; }\nlocation = /a { return 204; }';
    const wrong = { inside: name === 'nginx' ? twice : 'NoSuchDirective on' };
    expect(await judgeConfiguration(name, [], wrong)).toMatch(/duplicate location|Invalid command/);
  });

  test('is asked of the program, and its absence is said in a sentence', () => {
    expect(() => requireServer(name, () => false)).toThrow(/is not installed: run "apt-get install -y \w+" as root/);
  });
});

function splitNginx(text: string): Around {
  const [first = '', server = ''] = text.split(/^# In server.*$/mu);
  const isHttp = /^# In http/mu.test(first);
  const http = isHttp ? first : '';
  return {
    outside: http
      .replaceAll('/var/cache/nginx', '/tmp')
      .replaceAll(/listen (?:\[::\]:)?80;/g, '')
      .replaceAll('server {', 'server { listen unix:other.sock;'),
    inside: isHttp ? server : first + server,
  };
}

const splitApache = (text: string): Around => {
  const host = /<VirtualHost[^]*?<\/VirtualHost>/u.exec(text)?.[0] ?? '';
  return { outside: host, inside: text.replace(host, '') };
};

/** What a client accepts, and what it gets of a page with a Markdown copy. */
const accepts: readonly (readonly [string, 'html' | 'markdown'])[] = [
  ['text/markdown', 'markdown'],
  ['text/html', 'html'],
  ['*/*', 'html'],
  ['text/markdown;q=0.1, text/html', 'html'],
  ['text/html, text/markdown;q=0.1', 'html'],
  ['text/html;q=0.9,text/markdown', 'markdown'],
  ['text/html;q=0.5, text/markdown;q=0.85', 'markdown'],
  ['text/markdown;q=0.5, text/html;q=0.50', 'html'],
  ['text/markdown;q=0.51, text/html;q=0.500', 'markdown'],
  ['text/markdown;q=1.000, text/html;q=0.999', 'markdown'],
  ['text/markdown, text/html', 'html'],
  ['text/markdown, */*;q=0.1', 'markdown'],
  ['text/markdown;q=0.2, text/*;q=0.5', 'html'],
  ['text/markdown;q=0.2, */*', 'html'],
  ['text/markdown;q=0', 'html'],
  ['TEXT/Markdown; charset=utf-8; q=0.9 , text/html; q=0.8', 'markdown'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['text/markdownx', 'html'],
];

describe.each(servers)('Markdown for who prefers it, by %s', (name) => {
  test('follows the q-values of RFC 9110, keeps the type, and says that it varies', async () => {
    const files = buildServerFiles(await failEverything(), tools, ['agent.md.negotiation']);
    const server = await startRealServer(name, buildSite(SITE), files);
    try {
      const given: (readonly [string, string])[] = [];
      for (const [accept] of accepts) {
        const answer = await fetch(`${server.url}/`, { headers: { accept } });
        const type = answer.headers.get('content-type') ?? '';
        expect(answer.headers.get('vary')).toContain('Accept');
        expect((await answer.text()).startsWith('# Oak')).toBe(type === 'text/markdown; charset=utf-8');
        given.push([accept, type.startsWith('text/markdown') ? 'markdown' : 'html']);
      }
      expect(given).toEqual(accepts);
      const none = await fetch(`${server.url}/robots.txt`, { headers: { accept: 'text/markdown' } });
      expect([none.status, none.headers.get('content-type')]).toEqual([200, 'text/plain']);
      const gone = await fetch(`${server.url}/none`, { headers: { accept: 'text/markdown' } });
      expect(gone.status).toBe(404);
    } finally {
      await server.stop();
    }
  });

  test('is linked from the start page alone', async () => {
    const files = buildServerFiles(await failEverything(), tools, ['agent.http.link-headers']);
    const server = await startRealServer(name, buildSite(SITE), files);
    try {
      const linkOf = async (path: string): Promise<string | null> =>
        (await fetch(server.url + path)).headers.get('link');
      expect(await linkOf('/')).toContain('rel="describedby"');
      expect([await linkOf('/racks/'), await linkOf('/robots.txt')]).toEqual([null, null]);
    } finally {
      await server.stop();
    }
  });
});
