import { HTMLRewriter } from 'htmlrewriter';
import type { CheckOutcome, ScoreName } from '../../../src/audit/core/check.ts';
import { getStartOutcome } from '../../../src/audit/core/join-pages.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import { computeScore } from '../../../src/audit/core/scores.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import type { Audited, DeployableFile } from '../../../src/fixes/files/generated-file.ts';
import type { PackedFix } from '../../../src/fixes/files/fix.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { type FixTools, buildPatchedPage } from '../../../src/fixes/core/patched-files.ts';
import { SLOTS, type Slot, formatSlot } from '../../../src/fixes/core/fix-slots.ts';
import { snapshotOf } from './audit.ts';
import { SITE, type SiteMap, html } from './site-fetch.ts';

/** The polyfill that Node uses. */
export const tools: FixTools = { newRewriter: () => new HTMLRewriter() };

type Options = { path?: string; profile?: ProfileName; origin?: string };

/** Audits a fixture site as the fix pack sees it. */
export async function auditedOf(map: SiteMap, { path = '/', profile, origin = SITE }: Options = {}): Promise<Audited> {
  const snapshot = await snapshotOf(map, { url: `${origin}${path}`, origin });
  return { snapshot, ...judgeSite(snapshot, profile === undefined ? {} : { profile }) };
}

/** The fix of one check. */
export async function fixFor(id: string, audited: Audited): Promise<PackedFix> {
  const found = (await buildFixes(audited, tools)).find((fix) => fix.id === id);
  if (!found) throw new Error(`no fix for ${id}: ${outcomeIn(audited, id).status}, ${outcomeIn(audited, id).note}`);
  return found;
}

/** How a check judged the start page, which fixes are written for. */
export function outcomeIn({ judged }: Audited, id: string): CheckOutcome {
  const found = judged.find(({ check }) => check.id === id);
  if (!found) throw new Error(`no check ${id}`);
  return getStartOutcome(found);
}

/** An audit that looked at the start page only. */
export const ofStartPage = (audited: Audited): Audited => ({
  ...audited,
  judged: audited.judged.map((one) => ({ check: one.check, outcome: getStartOutcome(one) })),
});

/** Audits the site again with the fixes of these checks (all when absent) made in its page. */
export async function reaudited(
  map: SiteMap,
  before: Audited,
  options: Options & { ids?: readonly string[]; filled?: true } = {},
): Promise<Audited> {
  const patched = await buildPatchedPage(before, tools, options.ids);
  if (!patched.ok) throw new Error(patched.why);
  const page = options.filled ? filled(patched.html) : patched.html;
  return auditedOf({ ...map, [options.path ?? '/']: html(page) }, options);
}

/** What the owner of the fixture sites would fill in, by the slot. */
const FACTS: Readonly<Partial<Record<Slot, string>>> = {
  agentUrl: 'https://acme.example/a2a',
  agentVersion: '1.2.0',
  answer: 'A rack takes nine days: six to cut and oil it, and three for the carrier to bring it to your door.',
  author: 'Ann Oak',
  authorUrl: 'https://acme.example/ann',
  availability: 'https://schema.org/InStock',
  brand: 'RACK-1',
  contact: 'mailto:security@acme.example',
  currency: 'EUR',
  dateModified: '2026-10-05',
  datePublished: '2026-10-01',
  description: 'Oak tool racks made to measure: sizes, prices, care and delivery in one place.',
  email: 'shop@acme.example',
  image: 'https://acme.example/rack.jpg',
  language: 'en',
  logo: 'https://acme.example/logo.svg',
  mcpVersion: '1.0.0',
  name: 'Acme',
  olderAgentUrl: 'https://acme.example/a2a/older',
  otherProfile: 'https://github.com/acme',
  pageTitle: 'Oak tool racks',
  price: '49.00',
  profile: 'https://www.wikidata.org/wiki/Q1',
  serverName: 'racks',
};

/** The text with its slots filled in. */
export const filled = (text: string): string =>
  (Object.keys(SLOTS) as Slot[]).reduce(
    (done, name) => done.replaceAll(formatSlot(name), FACTS[name] ?? `A ${name}`),
    text,
  );

/** Generated files with their slots filled in. */
export const filledFiles = (files: readonly DeployableFile[]): readonly DeployableFile[] =>
  files.map((file) => ({ ...file, content: filled(file.content) }));

export const scoreIn = ({ judged }: Audited, name: ScoreName): number => computeScore(name, judged).score;
