import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSocket } from 'node:dgram';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { gatherAudit, reportOn } from '../../../src/audit/core/report.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import type { Rendered, RenderedLook } from '../../../src/audit/rendered/facts/rendered-look.ts';
import { buildRenderer } from '../../../src/capabilities/site-work.ts';
import { createLocalTools } from '../../../src/cli/audit/local-run.ts';
import { createLocalBrowser, findChromium } from '../../../src/cli/core/local-browser.ts';
import { sampleRows } from '../../support/runner/budget.ts';
import { chromiumPath } from '../../../scripts/chromium.js';

/** A site whose pages are set by each test, and beside it what no page may reach. */
type Asked = { path: string; method: string };
let site: Server;
let origin = '';
const asked: Asked[] = [];
const pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

/** What connected to ports that belong to nobody's site: TCP of any protocol, and UDP. */
const reached: string[] = [];
const canary = createTcpServer((socket) => {
  reached.push('tcp');
  socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret');
});
const udp = createSocket('udp4', () => reached.push('udp'));
let closedPort = 0;

/** Where the browsers of this file have their profiles: others run beside it. */
let profiles = '';
const usual = process.env['TMPDIR'];

const listen = (server: { listen: (port: number, host: string, done: () => void) => unknown }): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

beforeAll(async () => {
  profiles = mkdtempSync(join(tmpdir(), 'sightline-profiles-'));
  process.env['TMPDIR'] = profiles;
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    asked.push({ path: pathname, method: request.method ?? '' });
    const page = pages.get(pathname);
    if (page) return page(request, response);
    response.writeHead(404, { 'content-type': 'text/plain' }).end('none');
  });
  await listen(site);
  await listen(canary);
  await new Promise<void>((resolve) => udp.bind((canary.address() as AddressInfo).port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  closedPort = (canary.address() as AddressInfo).port;
});

afterAll(() => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  rmSync(profiles, { recursive: true, force: true });
  site.close();
  canary.close();
  udp.close();
});

const serve = (path: string, body: string | Buffer, headers: Record<string, string> = {}): void => {
  pages.set(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
};

const openBrowser = createLocalBrowser({ ...process.env, CHROMIUM: chromiumPath() ?? '' });

/** Audits the page with a browser, as the command line does. */
async function auditPage(body: string | Buffer, headers: Record<string, string> = {}): Promise<Snapshot> {
  asked.length = 0;
  serve('/', body, headers);
  const { guardedFetch } = await createLocalTools();
  const url = `${origin}/`;
  return gatherAudit(url, {
    fetch: guardedFetch(url),
    clockMs: Date.UTC(2026, 10, 20),
    scores: ['agent'],
    maxPages: 1,
    renderer: buildRenderer(url, { openBrowser, guardedFetch }),
  });
}

function requireLook(rendered: Rendered | undefined): RenderedLook {
  if (rendered?.ok !== true) throw new Error(`no look: ${JSON.stringify(rendered)}`);
  return rendered;
}

const lookAt = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<RenderedLook> =>
  requireLook((await auditPage(body, headers)).rendered);

async function judge(snapshot: Snapshot, id: string) {
  const report = await reportOn(snapshot, { scores: ['agent'] });
  if (!report.ok || !('scores' in report)) throw new Error('no report');
  const found = report.scores.agent?.checks.find((check) => check.id === id);
  if (!found) throw new Error(`no check ${id}`);
  return found;
}

/** Processes of browsers that we started, by the profile that their command names; and profiles that are left. */
const listBrowsers = (): readonly string[] => [
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profiles);
      } catch {
        return false; // It has ended meanwhile.
      }
    }),
  ...readdirSync(profiles).filter((name) => name.startsWith('sightline-browser-')),
];

/** A process that was killed is listed until the kernel has taken it down, which a busy one delays on a busy machine. */
const expectNoBrowser = (): Promise<void> =>
  vi.waitFor(() => expect(listBrowsers()).toEqual([]), { timeout: 20_000, interval: 50 });

const script = (code: string): string =>
  `<!doctype html><html lang="en"><title>A page</title><h1>Plain words</h1><p id="p">These words are in the raw HTML.</p><script>${code}</script>`;

describe('what a page shows after its scripts', () => {
  test('words, links, headings, JSON-LD and prices that scripts add; open shadow roots as they are shown', async () => {
    serve('/data.json', JSON.stringify({ heading: 'Loaded heading' }), { 'content-type': 'application/json' });
    const snapshot = await auditPage(
      script(`setTimeout(async () => {
        const data = await (await fetch('/data.json')).json();
        document.body.insertAdjacentHTML('beforeend', '<h2>' + data.heading + '</h2><p>It costs $49.50 today.</p><a href="/more">More about it</a>');
        const ld = document.createElement('script'); ld.type = 'application/ld+json';
        ld.textContent = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle' });
        document.head.append(ld);
        customElements.define('x-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>shadowed sentence</p><slot></slot>'; } });
        document.body.insertAdjacentHTML('beforeend', '<x-card>slotted sentence</x-card>');
      }, 50)`),
    );
    const look = requireLook(snapshot.rendered);
    expect(look.html).toContain('<p>shadowed sentence</p><slot>slotted sentence</slot>');
    expect(look).toMatchObject({ settled: true, shadowRoots: 1 });
    const { status, note, evidence } = await judge(snapshot, 'agent.content.raw-vs-rendered');
    expect(status).toBe('fail');
    expect(note).toMatch(/Only after scripts: \d+ words, 1 link, 1 heading, 1 type of JSON-LD, 1 price\./);
    expect(evidence.map(({ excerpt }) => excerpt).join('\n')).toMatch(/\$49\.50[^]*Product[^]*Loaded heading/);
  });

  test('tools that register, by script and by form; names and sizes of the accessibility tree', async () => {
    const snapshot = await auditPage(
      script(`document.body.insertAdjacentHTML('beforeend', '<form toolname="find" tooldescription="Finds a page"><input name="q" aria-label="Words"></form><button id="icon" style="width:8px;height:8px;padding:0;border:0"></button><button style="width:8px;height:8px;padding:0;border:0" aria-label="Close"></button>');
      document.modelContext.registerTool({ name: 'add', description: 'Adds an item', inputSchema: { type: 'object', properties: {} }, execute() {} });`),
    );
    const look = requireLook(snapshot.rendered);
    expect(look.tools?.map(({ name, declarative }) => ({ name, declarative }))).toEqual(
      expect.arrayContaining([
        { name: 'add', declarative: false },
        { name: 'find', declarative: true },
      ]),
    );
    expect(look.targets.map(({ tag, name }) => [tag, name])).toEqual([
      ['input', 'Words'],
      ['button', ''],
      ['button', 'Close'],
    ]);
    expect((await judge(snapshot, 'agent.webmcp.registered')).status).toBe('pass');
    expect((await judge(snapshot, 'agent.ui.target-size')).note).toMatch(/^2 of 3 targets/);
    expect((await judge(snapshot, 'agent.ui.rendered-names')).note).toMatch(/^2 of 3 controls have a name/);
  });

  test('a tool that a page names and does not register fails', async () => {
    const snapshot = await auditPage(script(`if (document.modelContext.never) document.modelContext.registerTool({})`));
    expect((await judge(snapshot, 'agent.webmcp.registered')).status).toBe('fail');
  });

  test.each([
    [
      'a dialog with a name and a named button',
      '<div role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><button>Accept</button></div>',
      'partial',
    ],
    [
      'a layer without a name',
      '<div style="position:fixed;inset:0;background:#fff"><b onclick="x()">x</b></div>',
      'fail',
    ],
    [
      'a bar at the top',
      '<div style="position:fixed;top:0;left:0;right:0;height:60px;background:#fff">Bar</div>',
      'pass',
    ],
    ['a frame of the page itself', '', 'pass'],
  ])('an overlay: %s', async (name, layer, status) => {
    const body = name.startsWith('a frame')
      ? '<!doctype html><title>App</title><div style="position:fixed;inset:0;overflow:auto"><h1>All of the page</h1><p>Every word is in here.</p></div>'
      : script('') + layer;
    expect((await judge(await auditPage(body), 'agent.ui.overlay')).status).toBe(status);
  });

  test('the verdict on a page of raw HTML is the same words before and after', async () => {
    const snapshot = await auditPage(script(''));
    expect((await judge(snapshot, 'agent.content.raw-vs-rendered')).status).toBe('pass');
    expect((await judge(snapshot, 'agent.content.script-errors')).status).toBe('pass');
  });

  test('an exception is reported', async () => {
    const snapshot = await auditPage(script(`console.error('lost', 7, { a: 1 }); notThere()`));
    const { evidence } = await judge(snapshot, 'agent.content.script-errors');
    expect(evidence[0]?.excerpt).toContain('notThere');
    expect(evidence[1]?.excerpt).toMatch(/^lost 7/);
  });
});

describe('what a hostile page tries', () => {
  const ways = (address: string): string => `
    const at = (path) => 'http://${address}/' + path;
    const add = (tag, set) => document.body.append(Object.assign(document.createElement(tag), set));
    const quiet = (run) => { try { const made = run(); made?.catch?.(() => 0); } catch {} };
    quiet(() => fetch(at('fetch')).then((r) => r.text()).then((t) => document.body.append(t)));
    quiet(() => fetch(at('no-cors'), { mode: 'no-cors' }));
    quiet(() => new WebSocket('ws://${address}/socket'));
    quiet(() => new EventSource(at('events')));
    quiet(() => navigator.sendBeacon(at('beacon'), 'x'));
    quiet(() => { const x = new XMLHttpRequest(); x.open('POST', at('xhr')); x.send('x'); });
    add('img', { src: at('img') }); add('iframe', { src: at('frame') }); add('video', { src: at('video') });
    add('object', { data: at('object') }); add('embed', { src: at('embed') });
    for (const rel of ['prefetch', 'preload', 'preconnect', 'dns-prefetch', 'prerender', 'modulepreload', 'stylesheet', 'icon', 'manifest'])
      add('link', { rel, href: at(rel), as: 'script' });
    add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: [at('speculation')] }], prerender: [{ source: 'list', urls: [at('prerender')] }] }) });
    quiet(() => new WebTransport('https://${address}/transport').ready);
    quiet(() => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${address}' }, { urls: 'turn:${address}?transport=tcp', username: 'a', credential: 'b' }] }); p.createDataChannel('x'); return p.createOffer().then((o) => p.setLocalDescription(o)); });
    const peer = "const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${address}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))";
    add('iframe', { sandbox: 'allow-scripts', srcdoc: '<script>' + peer + '</scr' + 'ipt>' });
    add('iframe', { src: 'data:text/html,<script>' + encodeURIComponent(peer) + '</scr' + 'ipt>' });
    quiet(() => { const frame = document.createElement('iframe'); document.body.append(frame); const p = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:${address}' }] }); p.createDataChannel('x'); return p.createOffer().then((o) => p.setLocalDescription(o)); });
    quiet(() => new Worker(URL.createObjectURL(new Blob(['fetch("' + at('worker') + '").catch(() => 0); try { new WebSocket("ws://${address}/ws") } catch {}; importScripts("' + at('import') + '")']))));
    quiet(() => new SharedWorker(URL.createObjectURL(new Blob(['fetch("' + at('shared') + '")']))));
    quiet(() => navigator.serviceWorker.register('/sw.js'));
    quiet(() => import(at('module')));
    quiet(() => open(at('popup'))); quiet(() => open(at('popup2'), '_blank', 'popup'));
    document.body.insertAdjacentHTML('beforeend', '<form id="f" method="post" target="x" action="' + at('form') + '"></form><iframe name="x" srcdoc="<img src=' + at('srcdoc') + '>"></iframe><style>@import "' + at('css') + '"; p { background: url(' + at('background') + ') } @font-face { font-family: z; src: url(' + at('font') + ') } p { font-family: z }</style>');
    quiet(() => document.getElementById('f').submit());
    document.getElementById('p').textContent = 'still here';
  `;

  /** A port of this machine in four spellings, the metadata of a cloud, and a router. */
  const addresses = [
    () => `127.0.0.1:${closedPort}`,
    () => `localhost:${closedPort}`,
    () => `0x7f000001:${closedPort}`,
    () => `[::ffff:127.0.0.1]:${closedPort}`,
    () => '169.254.169.254',
    () => '192.168.0.1',
  ] as const;

  test('reaches nothing: every address by every way', async () => {
    reached.length = 0;
    serve(
      '/sw.js',
      `self.addEventListener('install', () => fetch('http://127.0.0.1:${closedPort}/sw').catch(() => 0))`,
      {
        'content-type': 'text/javascript',
      },
    );
    const look = await lookAt(script(addresses.map((address) => `(() => {${ways(address())}})();`).join('\n')));
    expect(reached).toEqual([]);
    expect(look.html).toContain('still here');
    expect(look.html).not.toContain('secret');
    expect(look.requests.refused['private_target']).toBeGreaterThan(20);
    expect(asked.map(({ path }) => path)).not.toContain('/sw.js');
  });

  test('a redirect of the site itself to a private address is not followed', async () => {
    reached.length = 0;
    pages.set('/away', (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${closedPort}/secret` }).end();
    });
    const look = await lookAt(
      script(`fetch('/away').then((r) => r.text()).then((t) => document.body.append(t)).catch(() => document.body.append('refused'));
        document.body.insertAdjacentHTML('beforeend', '<iframe src="/away"></iframe>')`),
    );
    expect(asked.map(({ path }) => path)).toContain('/away');
    expect(reached).toEqual([]);
    expect(look.html).toContain('refused');
    expect(look.html).not.toContain('secret');
  });

  test('the page leads on to a private address by itself: it stays where it is', async () => {
    reached.length = 0;
    const leads = [
      `location.href = 'http://127.0.0.1:${closedPort}/'`,
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0; url=http://127.0.0.1:${closedPort}/">')`,
      `location.href = 'file:///etc/passwd'`,
      `location.href = 'view-source:http://127.0.0.1:${closedPort}/'`,
      `location.href = 'chrome://version'`,
    ];
    for (const leave of sampleRows(leads, 2)) {
      const look = await lookAt(script(leave));
      expect(look.url).toBe(`${origin}/`);
      expect(look.html).toContain('These words are in the raw HTML.');
    }
    expect(reached).toEqual([]);
  });

  test('meta refresh within the site is followed; one that goes on for ever ends', async () => {
    serve('/next', script(`document.getElementById('p').textContent = 'the next page'`));
    const led = await lookAt(
      '<!doctype html><title>x</title><meta http-equiv="refresh" content="0; url=/next"><p>first</p>',
    );
    expect(led.url).toBe(`${origin}/next`);
    expect(led.html).toContain('the next page');
    pages.set('/loop', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<meta http-equiv="refresh" content="0; url=/loop?${Math.random()}"><p>round</p>`);
    });
    const looped = await lookAt('<!doctype html><meta http-equiv="refresh" content="0; url=/loop"><p>first</p>');
    expect(asked.filter(({ path }) => path === '/loop').length).toBeLessThanOrEqual(4);
    expect(looped.requests.refused['too_many_navigations']).toBeGreaterThan(0);
  });

  const scripts = [
    ['never ends', 'for (;;) {}'],
    ['never ends after a while', `setTimeout(() => { for (;;) {} }, 300)`],
    ['begins again and again', 'setInterval(() => { for (;;) {} }, 0)'],
    ['calls itself by promises', 'const again = () => Promise.resolve().then(again); again()'],
    ['asks without end', 'for (;;) alert(1)'],
    ['asks again and again', `setInterval(() => { confirm('?'); prompt('?'); print(); }, 0)`],
    ['keeps who leaves', `onbeforeunload = () => 'stay'; setInterval(() => { location.href = '/x' }, 10)`],
    [
      'scrolls without end',
      `const grow = () => { for (let i = 0; i < 200; i += 1) document.body.append(document.createElement('p')); scrollTo(0, 1e9); setTimeout(grow, 0); }; grow()`,
    ],
    ['opens windows', `setInterval(() => { open('/a' + Math.random()); open('about:blank') }, 0)`],
    [
      'downloads',
      `for (let i = 0; i < 20; i += 1) { const a = document.createElement('a'); a.href = 'data:application/octet-stream,x'; a.download = 'x'; document.body.append(a); a.click(); }`,
    ],
    [
      'asks for permissions',
      `Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => document.body.append('located')); navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => 0)`,
    ],
    [
      'requests without end',
      `let n = 0; setInterval(() => { for (let i = 0; i < 50; i += 1) fetch('/r' + n++).catch(() => 0) }, 0)`,
    ],
    [
      'nests frames',
      `document.body.insertAdjacentHTML('beforeend', '<iframe src="/?f=' + Math.random() + '"></iframe>')`,
    ],
    [
      'replaces what it is read by',
      `Element.prototype.getBoundingClientRect = () => { throw 1 }; document.querySelectorAll = () => { throw 1 }; Array.prototype.push = () => { throw 1 }; JSON.stringify = () => 'x'; Object.defineProperty(document, 'documentElement', { get() { throw 1 } })`,
    ],
    [
      'writes itself anew',
      `document.open(); document.write('<p>These words are in the raw HTML.</p>'); document.close()`,
    ],
    ['fills memory', `const all = []; for (let i = 0; i < 1e6; i += 1) all.push(new Array(1e6).fill(i))`],
    [
      'takes the whole window',
      `document.documentElement.requestFullscreen?.().catch(() => 0); document.body.requestPointerLock?.()`,
    ],
    ['throws for ever', `setInterval(() => { throw new Error('x'.repeat(1e5)) }, 0)`],
  ] as const;
  test.each(sampleRows(scripts, 3))('a script that %s', async (_name, code) => {
    serve('/x', script(''));
    const { rendered } = await auditPage(script(code));
    if (rendered?.ok === true) expect(rendered.html).toMatch(/words are in the raw HTML|round|Plain words/);
    else expect(rendered?.reason).toMatch(/^(?:page_busy|page_crashed|browser_failed)$/);
    expect(asked.length).toBeLessThan(130);
    expect(JSON.stringify(rendered)).not.toContain('located');
    await expectNoBrowser();
  });

  const kinds = [
    [
      '5 MB',
      Buffer.from(
        `<!doctype html><title>big</title><h1>Big</h1>${'<p>word after word after word</p>'.repeat(160_000)}`,
      ),
      {},
    ],
    ['a hundred thousand levels', Buffer.from(`<!doctype html><title>deep</title>${'<div>'.repeat(100_000)}deep`), {}],
    [
      'the wrong charset',
      Buffer.from('<!doctype html><meta charset="utf-8"><title>x</title><p>Gr\xfc\xdfe aus K\xf6ln</p>', 'latin1'),
      { 'content-type': 'text/html; charset=utf-8' },
    ],
    [
      'no charset',
      Buffer.from('<!doctype html><title>x</title><p>Gr\xfc\xdfe</p>', 'latin1'),
      { 'content-type': 'text/html' },
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFF<!doctype html><title>x</title><p>sixteen</p>', 'utf16le'),
      { 'content-type': 'text/html; charset=utf-16' },
    ],
    [
      'frames',
      Buffer.from(
        '<!doctype html><title>x</title><frameset cols="50%,50%"><frame src="/a"><frame src="/b"></frameset>',
      ),
      {},
    ],
    [
      'XHTML with a fault',
      Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>one<p>two</body></html>'),
      { 'content-type': 'application/xhtml+xml' },
    ],
    [
      'a policy that forbids everything',
      Buffer.from('<!doctype html><title>x</title><p>strict</p><script>document.body.append(1)</script>'),
      { 'content-security-policy': "default-src 'none'; sandbox" },
    ],
    ['nothing', Buffer.from(''), {}],
    ['zero bytes', Buffer.from(`<!doctype html><title>x\0</title><p>a\0b</p>`), {}],
  ] as const;
  test.each(sampleRows(kinds, 3))('a page of %s', async (_name, body, headers) => {
    const snapshot = await auditPage(body, { ...headers });
    expect(snapshot.rendered).toBeDefined();
    if (snapshot.rendered?.ok === false) expect(snapshot.rendered.reason).toMatch(/^[a-z_]+$/);
    const report = await reportOn(snapshot, { scores: ['agent'] });
    expect(report.ok).toBe(true);
    await expectNoBrowser();
  });
});

test('a browser that is named and is none: unknown with the reason, and no crash', async () => {
  expect(await findChromium({ CHROMIUM: '/nowhere/chromium' })).toBeUndefined();
  serve('/', script(''));
  const { guardedFetch } = await createLocalTools();
  const url = `${origin}/`;
  const none = createLocalBrowser({ CHROMIUM: '/bin/false' });
  const snapshot = await gatherAudit(url, {
    fetch: guardedFetch(url),
    clockMs: 0,
    scores: ['agent'],
    renderer: buildRenderer(url, { openBrowser: none, guardedFetch }),
  });
  expect(snapshot.rendered?.ok).toBe(false);
  const { status, note } = await judge(snapshot, 'agent.content.raw-vs-rendered');
  expect({ status, note }).toEqual({ status: 'unknown', note: expect.stringMatching(/^Not rendered \(/) as string });
});
