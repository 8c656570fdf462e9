import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireScore } from '../../../src/audit/core/report.ts';
import type { PackedFix } from '../../../src/fixes/files/fix.ts';
import { serveSite } from '../../audit/truth/serve.ts';
import { neglected } from '../../audit/truth/sites/neglected.ts';
import type { TruthSite } from '../../audit/truth/truth-site.ts';
import { html, type Served, SITE } from '../../support/audit/site-fetch.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const SHELL = readFileSync(join(ROOT, 'local/site/poor/index.html'), 'utf8');

/** What a server says of a file by its name. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.html$/u, 'text/html; charset=utf-8'],
  [/ai-catalog\.json$/u, 'application/ai-catalog+json'],
  [/\.json$/u, 'application/json'],
  [/./u, 'text/plain; charset=utf-8'],
];

/** Work of an hour or more, or waiting for a fact: what can be deployed as it is does not claim these points. */
const isDeployable = ({ file, state, facts_needed: facts, diff }: PackedFix, files: readonly string[]): boolean =>
  state !== 'work' && facts.length === 0 && (file === 'index.html' ? diff !== undefined : files.includes(file));

const poor: Pick<TruthSite, 'map' | 'catchAll' | 'path'> = { map: {}, catchAll: html(SHELL) };
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-reaudit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a site on which the files of sightline fix are deployed', () => {
  test.each([
    ['the poor demo site', 'poor', poor],
    ['a neglected site', 'neglected', neglected],
  ] as const)(
    '%s gains about the points that they promise, and loses none',
    async (_name, name, site) => {
      const out = join(folder, name);
      const running = await serveSite(site);
      try {
        await sightline('fix', running.origin + (site.path ?? '/'), '--out', out);
      } finally {
        await running.close();
      }
      const before = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
      const deployed = filesIn(join(out, 'site'));
      const again = await serveSite(deployedOn(site, out, running.origin));
      try {
        const after = JSON.parse(
          await sightline('audit', again.origin + (site.path ?? '/'), '--profile', before.profile.name, '--json'),
        ) as Report;
        const kept = before.fixes.filter((fix) => isDeployable(fix, deployed));
        expect(kept.length).toBeGreaterThan(2);
        for (const [score, { score: points, gates }] of Object.entries(before.scores)) {
          // A cap goes by the fix that lifts it, and none of these files does that.
          const counted = gates.length > 0 ? [] : kept;
          const promised = counted.reduce(
            (sum, fix) => sum + (fix.gains[score as keyof typeof fix.gains] ?? 0) * computeShare(before, fix),
            0,
          );
          expect({ score, gained: (after.scores[score]?.score ?? 0) - points }).toEqual({
            score,
            gained: expect.toSatisfy((gained: number) => gained >= Math.floor(ABOUT * promised)) as number,
          });
        }
        expect(kept.filter(({ id }) => valueOf(after, id) <= valueOf(before, id)).map(({ id }) => id)).toEqual([]);
        expect(worse(before, after)).toEqual([]);
      } finally {
        await again.close();
      }
    },
    30_000,
  );
});

/** Points are rounded, capped and shared between fixes: the sum of a part of them is held to this share. */
const ABOUT = 0.8;

type Report = { scores: Record<string, WireScore>; fixes: readonly PackedFix[]; profile: { name: string } };

const sightline = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, ...args], { maxBuffer: 50_000_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    );
  });

const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(root, path)).isFile());

/** The site with the files in place; addresses of the first run are those of the fixture again. */
function deployedOn(site: typeof poor, out: string, origin: string): typeof poor {
  const served = (path: string): Served => ({
    status: 200,
    headers: { 'content-type': TYPES.find(([name]) => name.test(path))?.[1] ?? '' },
    body: readFileSync(path, 'utf8').replaceAll(origin, SITE),
  });
  const files = filesIn(join(out, 'site')).map(
    (path) => [path === 'index.html' ? '/' : `/${path}`, served(join(out, 'site', path))] as const,
  );
  const page = join(out, 'audited-page.html');
  const audited = existsSync(page) ? [[site.path ?? '/', served(page)] as const] : [];
  return { ...site, map: { ...site.map, ...Object.fromEntries([...files, ...audited]) } };
}

/** A file for the audited page leaves the other pages as they are: its part of what falls short. */
function computeShare(report: Report, { id, file }: PackedFix): number {
  const pages = rows(report).find((row) => row.id === id)?.pages;
  return file !== 'index.html' || pages === undefined ? 1 : 1 / (pages.judged - pages.passed);
}

const rows = ({ scores }: Report): readonly WireScore['checks'][number][] =>
  Object.values(scores).flatMap(({ checks }) => checks);

/** 0 to 1. What is no longer there to be judged, such as a refresh that was taken out, is fixed too. */
function valueOf(report: Report, id: string): number {
  const row = rows(report).find((one) => one.id === id);
  return row?.status === 'not_applicable' ? 1 : (row?.value ?? 0);
}

/** Checks whose value is lower than it was; what was not assessed before can only be found, not lost. */
function worse(before: Report, after: Report): readonly unknown[] {
  const now = new Map(rows(after).map((row) => [row.id, row]));
  return rows(before).flatMap(({ id, status, value }) => {
    const row = now.get(id);
    const wasAssessed = status === 'pass' || status === 'partial';
    return wasAssessed && row?.status !== 'not_applicable' && (row?.value ?? 0) < value
      ? [{ id, was: status, is: row?.status, note: row?.note }]
      : [];
  });
}
