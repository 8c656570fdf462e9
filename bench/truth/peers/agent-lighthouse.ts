import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Peer, PeerVerdict } from '../../audit/peers.ts';

/** Folder of a checkout that was built, for a run anew. */
const VARIABLE = 'AGENT_LIGHTHOUSE';
const REPORT = 'agent-lighthouse-report.json';

const Report = z.object({
  categories: z.array(z.object({ checks: z.array(z.object({ id: z.string(), status: z.string() })) })),
});
/** `sites`: outcome by rule, by the folder of the planted site. */
const Recording = z.object({
  name: z.string(),
  version: z.string(),
  repository: z.string(),
  commit: z.string(),
  date: z.string(),
  address: z.string(),
  sites: z.record(z.string(), z.record(z.string(), z.string())),
});
export type LighthouseRecording = z.infer<typeof Recording>;

const words: Readonly<Record<string, PeerVerdict>> = { pass: 'fine', warn: 'half', fail: 'defect' };

/** The outcomes that are kept in the repository: the tool itself is in no registry. */
export const readLighthouseRecording = (): LighthouseRecording =>
  Recording.parse(JSON.parse(readFileSync(new URL('agent-lighthouse.json', import.meta.url), 'utf8')));

/** Verdicts by rule; outcomes such as `na` judge nothing. */
export function readLighthouseOutcomes(outcomes: Readonly<Record<string, string>>): ReadonlyMap<string, PeerVerdict> {
  return new Map(
    Object.entries(outcomes).flatMap(([rule, status]) => {
      const verdict = words[status];
      return verdict === undefined ? [] : [[rule, verdict] as const];
    }),
  );
}

/** What a run in this folder reported. @throws when there is no report. */
export function readLighthouseReport(folder: string): Readonly<Record<string, string>> {
  const { categories } = Report.parse(JSON.parse(readFileSync(join(folder, REPORT), 'utf8')));
  return Object.fromEntries(categories.flatMap(({ checks }) => checks.map(({ id, status }) => [id, status] as const)));
}

/** The command line of a checkout, whose result is a file in the folder where it runs. */
export function describeLighthouse(checkout: string, folder: string): Pick<Peer, 'script' | 'args' | 'read'> {
  return {
    script: resolve(checkout, 'packages/cli/dist/main.js'),
    args: (url) => [url, '--silent', '-o', 'json', '-d', '.'],
    read: () => readLighthouseOutcomes(readLighthouseReport(folder)),
  };
}

export const readLighthouseVersion = (checkout: string): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(checkout, 'packages/cli/package.json'), 'utf8')))
    .version;

/** The checkout that the variable names. @throws Error when it was not built. */
export function findLighthouseCheckout(): string | undefined {
  const checkout = process.env[VARIABLE];
  if (checkout === undefined || checkout === '') return undefined;
  const { script } = describeLighthouse(checkout, '.');
  if (!existsSync(script)) throw new Error(`${VARIABLE} names no checkout that was built: ${script} is missing`);
  return checkout;
}
