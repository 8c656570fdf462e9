import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const MAX_FILE_LINES = 400;
const MAX_ROOM_FILES = 30;
const MAX_TYPE_CYCLES = 3;
const MAX_FUNCTION_LINES = 70;
const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const sources = globSync(['src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}', 'durable-objects/**/*.ts', 'local/**/*.ts'], {
  cwd: root,
}).toSorted();

/** Tables of facts: data, no behaviour. */
const tables = [/-data\.ts$/, /-addresses\.ts$/, /\.generated\./];
const isTable = (file: string): boolean => tables.some((pattern) => pattern.test(file));

/**
 * What each folder may import of ours, from the kernel upwards; the first match decides. `src/*.ts` are entries and may
 * import anything. `routes` are HTTP and bindings, `src` is what the service knows.
 */
const allowed: readonly { from: RegExp; to: readonly string[] }[] = [
  { from: /^src\/lib\//, to: [] },
  { from: /^src\/net\//, to: ['lib'] },
  { from: /^src\/(payment|authorization|telemetry)\//, to: ['lib', 'net'] },
  { from: /^src\/bot\//, to: ['lib', 'net'] },
  { from: /^src\/hybrid\//, to: ['lib'] },
  { from: /^src\/client\//, to: [] },
  { from: /^src\/seller\//, to: ['lib', 'net', 'audit', 'payment'] },
  { from: /^src\/problems\//, to: ['lib', 'payment'] },
  { from: /^src\/rate-limits\//, to: ['lib', 'net', 'authorization'] },
  { from: /^src\/models\//, to: ['lib', 'net'] },
  { from: /^src\/audit\/[^/]+\/fixes\//, to: ['lib', 'net', 'fixes'] },
  { from: /^src\/audit\//, to: ['lib', 'net', 'fixes'] },
  { from: /^src\/fixes\//, to: ['lib', 'audit'] },
  { from: /^src\/report\//, to: ['lib', 'audit', 'fixes'] },
  { from: /^src\/visibility\//, to: ['lib', 'net', 'models', 'fixes'] },
  {
    from: /^src\/capabilities\//,
    to: ['lib', 'net', 'audit', 'fixes', 'models', 'report', 'seller', 'visibility'],
  },
  { from: /^src\/results\//, to: ['lib', 'audit', 'capabilities', 'visibility'] },
  { from: /^src\/ownership\//, to: ['lib', 'net'] },
  { from: /^src\/statements\//, to: ['lib'] },
  { from: /^src\/traffic\//, to: ['lib', 'net', 'audit', 'capabilities'] },
  { from: /^src\/monitors\//, to: ['lib', 'net', 'models', 'audit', 'visibility', 'capabilities'] },
  {
    from: /^src\/sales\//,
    to: 'lib net a2a capabilities mcp models monitors ownership payment problems rate-limits results statements visibility'.split(
      ' ',
    ),
  },
  { from: /^src\/search\//, to: ['lib', 'net', 'audit', 'models', 'rate-limits'] },
  { from: /^src\/management\//, to: ['lib', 'net', 'hybrid', 'models', 'rate-limits', 'search'] },
  { from: /^src\/notifications\//, to: ['lib', 'net', 'authorization', 'problems', 'telemetry'] },
  {
    from: /^src\/console-api\//,
    to: ['authorization', 'notifications', 'payment', 'rate-limits', 'visibility'],
  },
  {
    from: /^src\/openapi\//,
    to: 'lib authorization capabilities monitors ownership payment problems results statements traffic'.split(' '),
  },
  { from: /^src\/about\//, to: ['lib', 'authorization', 'notifications', 'openapi'] },
  { from: /^src\/a2a\//, to: ['lib', 'capabilities', 'mcp'] },
  { from: /^src\/mcp\//, to: ['lib', 'net', 'audit', 'capabilities', 'monitors', 'payment', 'problems', 'results'] },
  { from: /^src\/deploy\//, to: ['lib', 'net', 'payment'] },
  {
    from: /^src\/web\//,
    to: [
      'lib',
      'net',
      'about',
      'openapi',
      'audit',
      'capabilities',
      'console-api',
      'monitors',
      'ownership',
      'fixes',
      'models',
      'payment',
      'problems',
      'report',
      'results',
      'statements',
      'traffic',
      'visibility',
    ],
  },
  {
    from: /^src\/settings\//,
    to: ['lib', 'authorization', 'management', 'models', 'notifications', 'payment', 'sales', 'telemetry'],
  },
  {
    from: /^src\/cli\//,
    to: 'lib net audit authorization capabilities deploy fixes hybrid mcp models monitors notifications payment problems report results seller settings statements traffic visibility web'.split(
      ' ',
    ),
  },
  { from: /^src\/[^/]+\.ts$/, to: ['*'] },
  {
    from: /^durable-objects\//,
    to: 'lib net a2a authorization management mcp models monitors notifications ownership payment rate-limits search traffic visibility'.split(
      ' ',
    ),
  },
  { from: /^routes\//, to: ['*'] },
  { from: /^local\//, to: ['*'] },
];

/** `later`: loaded when it is first used. */
type Import = { specifier: string; typeOnly: boolean; later: boolean };

/** The imports of a module; one whose every name is a type leaves nothing at run time. */
function readImports(text: string): readonly Import[] {
  const statements = text.matchAll(/^\s*(?:import|export)\s+(type\s)?([^'";]*?)from\s+'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, isType, names = '', specifier = '']) => ({
      specifier,
      later: false,
      typeOnly: isType !== undefined || /^\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\s*\}\s*$/.test(names),
    })),
    ...[...dynamic].map((match) => ({ specifier: match[1] ?? '', typeOnly: false, later: true })),
  ];
}

const resolveImport = (file: string, specifier: string): string => normalize(join(dirname(file), specifier));

/** The room of `src`, or the top folder. */
const findLayer = (file: string): string => (file.startsWith('src/') ? file.split('/')[1] : file.split('/')[0]) ?? '';

function mayImport(file: string, target: string, typeOnly: boolean): boolean {
  if (target.startsWith('durable-objects/') && file.startsWith('routes/')) return typeOnly;
  const to = allowed.find(({ from }) => from.test(file))?.to ?? [];
  const layer = findLayer(target);
  if (to.includes('*')) return true;
  return (
    (target.startsWith('src/') && to.includes(layer)) || (layer === findLayer(file) && !/^src\/[^/]+$/.test(target))
  );
}

type Resolved = Import & { target: string | undefined };

const imports = new Map<string, readonly Resolved[]>(
  sources.map((file) => [
    file,
    readImports(read(file)).map((found) => ({
      ...found,
      target: found.specifier.startsWith('.') ? resolveImport(file, found.specifier) : undefined,
    })),
  ]),
);

test('there are source files to judge', () => {
  expect(sources.length).toBeGreaterThan(40);
});

test('each folder imports only what its layer may', () => {
  const offenders = [...imports].flatMap(([file, found]) =>
    found
      .filter(({ specifier, target, typeOnly }) => {
        if (target !== undefined) return !mayImport(file, target, typeOnly);
        if (/^hono(\/|$)/.test(specifier))
          return (
            !/^(routes|local)\//.test(file) && !(file.startsWith('src/web/') && /^hono\/(jsx|html)/.test(specifier))
          );
        if (specifier.startsWith('cloudflare:')) return file.startsWith('src/') && !/^src\/[^/]+\.ts$/.test(file);
        if (specifier.startsWith('node:')) return !/^(src\/cli(\/|\.ts)|src\/client\/node\.ts|local\/)/.test(file);
        return false;
      })
      .map(({ specifier }) => `${file} imports ${specifier}`),
  );
  expect(offenders).toEqual([]);
});

test(`a file has at most ${MAX_FILE_LINES} lines, tables aside`, () => {
  const long = sources.filter((file) => !isTable(file) && read(file).split('\n').length > MAX_FILE_LINES + 1);
  expect(long).toEqual([]);
});

test(`a room has at most ${MAX_ROOM_FILES} files`, () => {
  const rooms = Map.groupBy(sources, dirname);
  const crowded = [...rooms].filter(([, files]) => files.length > MAX_ROOM_FILES).map(([room]) => room);
  expect(crowded).toEqual([]);
});

/** Files that reach themselves by their imports: Tarjan's strongly connected components of more than one file. */
function findCycles(typesToo: boolean): readonly (readonly string[])[] {
  const order = new Map<string, { index: number; low: number; onStack: boolean }>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): { low: number } => {
    const node = { index: order.size, low: order.size, onStack: true };
    order.set(file, node);
    stack.push(file);
    for (const { target, typeOnly, later } of imports.get(file) ?? []) {
      if (target === undefined || !imports.has(target) || later || (typeOnly && !typesToo)) continue;
      const seen = order.get(target);
      if (seen === undefined) node.low = Math.min(node.low, visit(target).low);
      else if (seen.onStack) node.low = Math.min(node.low, seen.index);
    }
    if (node.low !== node.index) return node;
    const members = stack.splice(stack.indexOf(file));
    for (const member of members) Object.assign(order.get(member) ?? {}, { onStack: false });
    if (members.length > 1) cycles.push(members.toSorted());
    return node;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

test('no files import each other by value', () => {
  expect(findCycles(false)).toEqual([]);
});

test(`at most ${MAX_TYPE_CYCLES} groups of files import each other by types`, () => {
  expect(findCycles(true).slice(MAX_TYPE_CYCLES)).toEqual([]);
});

/** Functions of formatted code: from a line that opens one to the line that closes its brace at the same indentation. */
function longFunctions(text: string): readonly string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  for (const [start, line] of lines.entries()) {
    const opens =
      /^(\s*)(?:export )?(?:async )?(?:function\b|(?:static |private |override )*(?:async )?[#\w]+\([^)]*\)[^=;]*\{$|const \w+ = (?:async )?\(?[^=]*\)? =>)/.exec(
        line,
      );
    if (!opens || !line.trimEnd().endsWith('{')) continue;
    const indent = opens[1] ?? '';
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${indent}}`));
    if (end - start + 1 > MAX_FUNCTION_LINES) found.push(`${line.trim()} (${end - start + 1} lines)`);
  }
  return found;
}

test(`no function has over ${MAX_FUNCTION_LINES} lines`, () => {
  const offenders = sources
    .filter((file) => !isTable(file))
    .flatMap((file) => longFunctions(read(file)).map((found) => `${file}: ${found}`));
  expect(offenders).toEqual([]);
});

test('the function cap is seen by the test that keeps it', () => {
  const body = Array.from({ length: MAX_FUNCTION_LINES }, () => '  x();').join('\n');
  expect(longFunctions(`export function long(): void {\n${body}\n}\n`)).toHaveLength(1);
  expect(longFunctions('export function short(): void {\n  x();\n}\n')).toEqual([]);
});

/** Ways to the global `fetch`: calling it, taking it from the global object, giving it another name, and handing it on. */
const waysToFetch = [
  /(?<![.\w#])fetch(?:\(|\.(?:call|apply|bind)\b)/,
  /\b(?:globalThis|self)\s*(?:\?\.|\.)?\s*(?:\[\s*['"`])?fetch\b/,
  /\bimport\b[^;]*\bfetch(?: as \w+)?\s*[,}][^;]*\bfrom\b/,
  /\bfetch\b[^={}]*\}\s*=\s*(?:globalThis|self)\b/,
  /(?:[=(,?:]|=>|\|\|)\s*fetch\s*(?:;|$|\)\s*=>)/m,
  /(?:(?<![=!<>])=|\?\?|\|\||=>)\s*fetch\s*[,)\]}]/,
];
const handsFetchOn = /[(,{]\s*fetch\s*[,)}]/;
/** Files that got a `fetch` by a parameter, or made one, hand on that one. */
const bindsFetch = /[(,]\s*\{[^{}()]*\bfetch\b[^{}()]*\}\s*(?::|\)\s*=>)|\bconst fetch = \w+\(/;

const reachesFetch = (text: string): boolean => {
  const code = text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return waysToFetch.some((way) => way.test(code)) || (handsFetchOn.test(code) && !bindsFetch.test(code));
};

test('F5: outside src/net and named adapters nothing calls fetch on a URL of its own', () => {
  // Deploy-configured URLs (RPC, facilitator) get `fetch` as an argument; only entries, and the commands and the client
  // that dial the service which the user named, hand out the global one.
  const named =
    /^(src\/net\/|src\/deploy\/api\.ts$|src\/web\/islands\/|src\/[^/]+\.ts$|src\/client\/client\.ts$|src\/cli\/(audit\/typed-engine|buy\/tools|channels\/command|core\/node-fetch|deploy\/ports|doctor\/check-ports|login\/token-command|mcp\/command|monitor\/command)\.ts$|local\/|routes\/(api|control)\/bindings\/|durable-objects\/(card-ledger|payment-ledger|channel-registry|notification-inbox|entry-store|search-instance)\.ts$)/;
  expect(sources.filter((file) => !named.test(file) && reachesFetch(read(file)))).toEqual([]);
});

test.each([
  'await fetch(url);',
  'globalThis.fetch(url);',
  'globalThis?.fetch(url);',
  "globalThis['fetch'](url);",
  'self.fetch(url);',
  'const f = fetch;',
  'let get = fetch\nget(url);',
  'const f = fetch.bind(null);',
  'fetch.call(undefined, url);',
  'const { fetch: f } = globalThis;',
  'const { fetch } = self;',
  'const f = given ?? fetch;',
  'function get(url: string, f = fetch) {}',
  'const get = () => fetch;',
  'open({ url, fetch });',
  "import { Agent, fetch as dial } from 'undici';",
  'await open(url, fetch);',
])('F5: the test that keeps it sees %j', (planted) => {
  expect(reachesFetch(`export const x = 1;\n${planted}\n`)).toBe(true);
});

test.each([
  '// fetch(url) is for others',
  'await tools.fetch(url);',
  'type Fetch = typeof fetch;',
  'export type Tools = { fetch: typeof fetch };',
  'const open = ({ fetch, url }: Tools) => open({ fetch, url });',
  'await guardedFetch(url);',
])('F5: and lets %j pass', (innocent) => {
  expect(reachesFetch(`export const x = 1;\n${innocent}\n`)).toBe(false);
});

test('B9: every Worker judges tokens behind the gate that counts failures: nothing else asks about one', () => {
  const found = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));
  expect(found(/\bvalidateToken\(/)).toEqual([
    'src/authorization/oauth/provider.ts', // Inside an object.
    'src/authorization/oauth/tokens.ts',
    'src/rate-limits/token-gate.ts',
  ]);
  expect(found(/\b(?:AUTHORIZATION|judge|getTokenRouter\([^)]*\))\.validate\b/)).toEqual([
    'routes/api/bindings/authorization-entrypoint.ts', // For the gates of the other Workers.
    'src/authorization/oauth/tokens.ts',
  ]);
  const judges = found(/\bjudge: (?:\w+\.)*(?:AUTHORIZATION|getTokenRouter)\b/);
  expect(judges.map((file) => file.split('/', 2)[1])).toEqual(['api', 'api', 'control', 'control', 'webhook']);
  expect(judges.filter((file) => !read(file).includes('judgeCredential('))).toEqual([]);
});

test('B2: bytes of others are inflated in one place, which never holds more than it was asked for', () => {
  const inflates =
    /\bDecompressionStream\b|\bcreate(?:Gunzip|Unzip|Inflate|BrotliDecompress|ZstdDecompress)|(?:gunzip|unzip|inflate|inflateRaw|Decompress)Sync\(/;
  const found = sources.filter((file) => inflates.test(read(file).replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')));
  // The command line unpacks logs of its own machine piece by piece, and holds no more than one.
  expect(found).toEqual(['src/cli/logs/read-log.ts', 'src/net/inflate.ts']);
});

test('B1: only the Worker of PDFs carries what reads them', () => {
  const readers = globSync('src/*worker.ts', { cwd: root }).filter((entry) =>
    carriedBy(entry).includes('src/search/pdf/text.ts'),
  );
  expect(readers).toEqual(['src/pdf-worker.ts']);
});

test('B1: every Worker says how much of the processor an invocation may take, in each environment and with its reason', () => {
  const tomls = globSync('wrangler*.toml', { cwd: root });
  expect(tomls).toHaveLength(5);
  for (const toml of tomls) {
    const limits = [...read(toml).matchAll(/^\[(?:env\.(?:production|staging)\.)?limits\]\ncpu_ms = ([\d_]+)$/gm)].map(
      ([, ms]) => ms,
    );
    expect([toml, limits.length, new Set(limits).size]).toEqual([toml, 3, 1]);
    expect(read(toml)).toMatch(/^# Of one .+\n\[limits\]$/m);
  }
});

test('the source files that wrangler*.toml name are there', () => {
  const named = globSync('wrangler*.toml', { cwd: root }).flatMap((toml) =>
    [...read(toml).matchAll(/= "(?:\.\/)?(src\/[^"]+)"/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !sources.includes(file))).toEqual([]);
});

/** Each Worker that has Durable Objects: its entry and its configuration. */
const workersWithObjects = [
  { entry: 'src/worker.ts', config: 'wrangler.toml' },
  { entry: 'src/control-worker.ts', config: 'wrangler.control.toml' },
  { entry: 'src/webhook-worker.ts', config: 'wrangler.webhook.toml' },
] as const;

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '').toSorted();

describe('Durable Objects', () => {
  const exportedBy = (entry: string): readonly string[] =>
    namesIn(read(entry), /export \{ (\w+) \} from '\.\.\/durable-objects/g);

  test('every class has a file and is exported by exactly one Worker, but for what two have of their own', () => {
    const classes = globSync('durable-objects/*.ts', { cwd: root }).flatMap((file) =>
      namesIn(read(file), /export class (\w+) extends DurableObject/g),
    );
    const exported = workersWithObjects.flatMap(({ entry }) => exportedBy(entry));
    const expected = [...classes, 'RateCounter', 'TargetGate', 'EngineMeter'].toSorted((a, b) => a.localeCompare(b));
    expect(exported.toSorted((a, b) => a.localeCompare(b))).toEqual(expected);
  });

  describe.each(workersWithObjects)('of $entry', ({ entry, config }) => {
    const toml = read(config);
    const [common = ''] = toml.split(/^\[env\.production\]$/m);

    test('every class has a binding and a migration', () => {
      const declared = namesIn(common, /class_name = "(\w+)"/g);
      const migrated = [...toml.matchAll(/new_sqlite_classes = \[([^\]]*)\]/g)]
        .flatMap((match) => namesIn(match[1] ?? '', /"(\w+)"/g))
        .toSorted();
      const exported = exportedBy(entry);
      expect(exported.length).toBeGreaterThan(1);
      expect({ declared, migrated }).toEqual({ declared: exported, migrated: exported });
    });
  });
});

test('entries of the Workers have at most 40 lines', () => {
  const entries = globSync('src/*worker.ts', { cwd: root });
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter((file) => read(file).split('\n').length > 41)).toEqual([]);
});

/** Files of ours that an entry takes into its bundle. */
function carriedBy(entry: string): readonly string[] {
  const found = new Set([entry]);
  for (const file of found) {
    const local = readImports(read(file)).filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'));
    for (const { specifier } of local) if (/\.tsx?$/.test(specifier)) found.add(resolveImport(file, specifier));
  }
  return [...found];
}

/**
 * AI Search reads websites with the gatherer of audits, and asks the same engines; the meter counts what those cost. The
 * console names what was sold.
 */
const usedByControl =
  /^src\/(capabilities\/titles-data\.ts$|audit\/(core\/(decode|gather|limits|rubric-version|snapshot)\.ts$|language\/|[^/]+\/(facts|gather)\/)|visibility\/run\/|payment\/ledger\/engine-meter\.ts$)/;

test('of the pages the control Worker carries the console and the design, and nothing that the api shows', () => {
  const pages = carriedBy('src/control-worker.ts').filter((file) => file.startsWith('src/web/'));
  expect(pages).toContain('src/web/console/shell.tsx');
  expect(pages.filter((file) => !/^src\/web\/(console\/|design\/|language\/|brand\.ts$)/.test(file))).toEqual([]);
});

test.each([
  ['control', 'src/management/core/interfaces.ts'],
  ['webhook', 'src/notifications/channels/channel.ts'],
])(
  'the %s Worker carries no more of the audit service than it uses: its start and its memory are its own',
  (name, known) => {
    const carried = carriedBy(`src/${name}-worker.ts`);
    expect(carried).toContain(known);
    expect(carriedBy('src/worker.ts')).toContain('src/audit/core/run.ts'); // The walk sees such files where they are.
    const foreign = carried.filter((file) => /^src\/(audit|capabilities|fixes|visibility|payment|mcp)\//.test(file));
    expect(foreign.filter((file) => name !== 'control' || !usedByControl.test(file))).toEqual([]);
  },
);
