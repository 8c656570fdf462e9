import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { aiAgents } from '../../../src/audit/crawlers/facts/ai-agents-data.ts';

const FORMATS = ['combined', 'nginx-json', 'caddy', 'cloudflare', 'cloudfront', 'alb', 'vercel'] as const;
const OURS = new Set(['ours', 'roster']);

const rowSchema = z.strictObject({
  id: z.string().regex(/^l\d{4}$/),
  format: z.enum(FORMATS),
  line: z.string().min(1),
  class: z.enum(['search', 'user', 'training', 'multi-purpose', 'automation', 'person']),
  token: z.string().nullable(),
  verification: z.enum(['verified', 'pretended', 'claimed']).nullable(),
  referral: z.string().nullable(),
  origin: z.enum(['crawler-user-agents', 'user-agents', 'top-user-agents', 'woothee', 'roster', 'ours']),
});
type Row = z.infer<typeof rowSchema>;

const brokenSchema = z
  .strictObject({
    id: z.string().regex(/^b\d{3}$/),
    format: z.enum(FORMATS),
    line: z.string().optional(),
    base64: z.base64().optional(),
    generate: z
      .strictObject({ before: z.string(), repeat: z.string().min(1), times: z.int().positive(), after: z.string() })
      .optional(),
    expect: z.enum(['unreadable', 'ignored', 'readable']),
    missing: z
      .array(z.enum(['address', 'atMs', 'method', 'path', 'status', 'bytes', 'referrer', 'userAgent']))
      .optional(),
    atMs: z.int().optional(),
    why: z.string().min(1),
  })
  .refine((row) => [row.line, row.base64, row.generate].filter((one) => one !== undefined).length === 1)
  .refine((row) => (row.missing !== undefined) === (row.expect === 'readable'));

const readRows = (file: string): unknown[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

const jsonSchema = z.looseObject({});
const readJson = (line: string): Record<string, unknown> => jsonSchema.parse(JSON.parse(line));
const field = (value: unknown, ...names: (string | number)[]): string => {
  let at = value;
  for (const name of names) at = z.record(z.string(), z.unknown()).or(z.array(z.unknown())).parse(at)[name as never];
  return typeof at === 'string' ? at : '';
};

/** Address and raw User-Agent of a row; each format is read as plainly as its form allows. */
const split: Record<Row['format'], (line: string) => [string, string]> = {
  combined: (line) => {
    const [, address = '', agent = ''] =
      /^(\S+) - \S+ \[[^\]]+\] "(?:[^"\\]|\\.)*" \d{3} (?:\d+|-) "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"$/.exec(line) ??
      [];
    return [address, agent];
  },
  'nginx-json': (line) => {
    const row = readJson(line);
    return [field(row, 'remote_addr'), field(row, 'http_user_agent')];
  },
  caddy: (line) => {
    const row = readJson(line);
    const headers = z.looseObject({ 'User-Agent': z.array(z.string()).optional() });
    const agent = z.looseObject({ request: z.looseObject({ headers }) }).parse(row).request.headers['User-Agent'];
    return [field(row, 'request', 'client_ip'), agent?.[0] ?? ''];
  },
  cloudflare: (line) => {
    const row = readJson(line);
    return [field(row, 'ClientIP'), field(row, 'ClientRequestUserAgent')];
  },
  cloudfront: (line) => {
    const fields = line.split('\t');
    expect(fields).toHaveLength(33);
    return [fields[4] ?? '', decodeURIComponent(fields[10] ?? '')];
  },
  alb: (line) => {
    const [, address = '', agent = ''] = /^\S+ \S+ \S+ ([^ :]+):\d+ [^"]+"[^"]*" "([^"]*)" /.exec(line) ?? [];
    return [address, agent];
  },
  vercel: (line) => {
    const row = readJson(line);
    return [field(row, 'proxy', 'clientIp'), field(row, 'proxy', 'userAgent', 0)];
  },
};

const rows = z.array(rowSchema).parse(readRows('lines.jsonl'));
const parts = rows.map((row) => {
  const [address, agent] = split[row.format](row.line);
  return { ...row, address, agent };
});
const count = (keep: (row: (typeof parts)[number]) => boolean): number => parts.filter(keep).length;

describe('the labelled lines', () => {
  test('are enough, of every format, half of them combined', () => {
    expect(rows.length).toBeGreaterThanOrEqual(2200);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const format of FORMATS) expect(count((row) => row.format === format)).toBeGreaterThanOrEqual(100);
    expect(count(({ format }) => format === 'combined')).toBeGreaterThanOrEqual(rows.length / 2);
  });

  test('have an address each, of both kinds', () => {
    expect(parts.filter(({ address }) => isIP(address) === 0).map(({ id }) => id)).toEqual([]);
    expect(count(({ address }) => isIP(address) === 6)).toBeGreaterThanOrEqual(200);
  });

  test('have a thousand distinct User-Agent strings, half of them from public lists', () => {
    const origins = new Map(parts.map(({ agent, origin }) => [agent, origin]));
    expect(origins.size).toBeGreaterThanOrEqual(1000);
    const listed = [...origins.values()].filter((origin) => !OURS.has(origin)).length;
    expect(listed).toBeGreaterThanOrEqual(origins.size / 2);
  });

  test('name every agent of the roster, by its class', () => {
    const classes = new Map(aiAgents.map((agent) => [agent.token, agent.class]));
    for (const row of rows) {
      const named = row.class !== 'automation' && row.class !== 'person';
      expect({ id: row.id, named: row.token !== null, verified: row.verification !== null }).toEqual({
        id: row.id,
        named,
        verified: named,
      });
      if (row.token !== null) expect([row.id, classes.get(row.token)]).toEqual([row.id, row.class]);
    }
    expect(new Set(rows.flatMap(({ token }) => token ?? []))).toEqual(new Set(classes.keys()));
  });

  test('have forged and true agents, strangers and people, and guests of assistants', () => {
    expect(count(({ verification }) => verification === 'pretended')).toBeGreaterThanOrEqual(200);
    expect(count(({ verification }) => verification === 'verified')).toBeGreaterThanOrEqual(250);
    expect(count(({ verification }) => verification === 'claimed')).toBeGreaterThanOrEqual(200);
    for (const visitor of ['automation', 'person'] as const) {
      expect(count((row) => row.class === visitor)).toBeGreaterThanOrEqual(400);
    }
    expect(new Set(rows.flatMap(({ referral }) => referral ?? [])).size).toBe(10);
  });

  test('say the same of the same string', () => {
    const said = new Map<string, string>();
    for (const { agent, class: visitor, token } of parts) {
      const label = `${visitor} ${token ?? ''}`;
      expect([agent, said.get(agent) ?? label]).toEqual([agent, label]);
      said.set(agent, label);
    }
  });
});

describe('the broken lines', () => {
  const broken = z.array(brokenSchema).parse(readRows('broken.jsonl'));

  test('have each expectation, in every format', () => {
    expect(broken.length).toBeGreaterThanOrEqual(80);
    expect(new Set(broken.map(({ id }) => id)).size).toBe(broken.length);
    expect(new Set(broken.map((row) => row.format))).toEqual(new Set(FORMATS));
    for (const wanted of ['unreadable', 'ignored', 'readable']) {
      expect(broken.filter((row) => row.expect === wanted).length).toBeGreaterThanOrEqual(4);
    }
  });

  test('have lines of a megabyte and the ends of time', () => {
    const sizes = broken.flatMap(({ generate }) => (generate ? generate.repeat.length * generate.times : []));
    expect(sizes.filter((size) => size >= 1_000_000).length).toBeGreaterThanOrEqual(3);
    const times = new Set(broken.map(({ atMs }) => atMs));
    expect(times.has(2 ** 31 * 1000) && times.has(0)).toBe(true);
  });
});
