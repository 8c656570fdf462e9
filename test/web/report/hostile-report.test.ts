import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CapabilityName, capabilityNames } from '../../../src/capabilities/capability-name.ts';
import { listReportForms } from '../../../src/web/report/forms.ts';
import { readStored } from '../../../src/web/report/stored.ts';
import { formatStoredMarkdown, formatStoredSarif } from '../../../src/web/report/texts.ts';
import { views } from '../../../src/web/report/openers.tsx';
import { foreignAddresses, treeOf } from '../../support/audit/page-tree.ts';
import { pageOf } from '../../support/pages/report-view.ts';
import { type Json, type Path, stringsIn, thinned, withStrings } from '../../support/audit/slots.ts';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

/**
 * Every string stands in every slot once: the slots of page n hold the strings from n on, so that after as many pages as
 * there are strings each string has met each slot. Results of the same shape are shown by the same view: one of each
 * shape meets all strings, the others meet every 40th of them.
 */
const FAR_STEP = budgetFor(320, 40);
/** Of the texts for programs every string meets one slot in eight. */
const TEXT_STEP = budgetFor(64, 8);
/** And of the pages that are shown in full. */
const PAGE_STEP = budgetFor(8, 1);
const SHOWN_IN_FULL: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
  'check_schema',
  'full_report',
  'compare',
  'visibility_check',
  'visibility_vs_competitor',
  'visibility_fix_pack',
]);

/** No address, no id of ours, and no two the same: what takes its place may not change more than texts. */
const harmlessIn = (slot: number): string => `A harmless text ${slot}`;
const TIMEOUT_MS = 300_000;

type Example = { json: Json; slots: readonly Path[] };
const examples = new Map<CapabilityName, Example>();

beforeAll(async () => {
  for (const [capability, text] of await storedExamples()) {
    const json = thinned(JSON.parse(text) as Json);
    // Where a schema knows all words, no other can stand: such a result is not shown at all.
    const free = stringsIn(json).filter((path) => {
      const changed = withStrings(json, [path], harmlessIn);
      return path[0] !== 'capability' && views[capability](changed) !== undefined;
    });
    examples.set(capability, { json, slots: free });
  }
}, TIMEOUT_MS);

function exampleOf(capability: CapabilityName): Example {
  const example = examples.get(capability);
  if (!example) throw new Error(`no example of ${capability}`);
  return example;
}

const filled = ({ json, slots }: Example, make: (index: number) => string): string =>
  JSON.stringify(withStrings(json, slots, make));

/** Stored results in which every string meets every slot, or every 40th page of those. */
function* hostile(capability: CapabilityName, nearStep = PAGE_STEP): Generator<string> {
  const example = exampleOf(capability);
  const step = SHOWN_IN_FULL.has(capability) ? nearStep : FAR_STEP;
  for (let page = 0; page < xssStrings.length; page += step)
    yield filled(example, (slot) => xssStrings[(page + slot) % xssStrings.length] ?? '');
}

const isOurs = (address: string): boolean =>
  address.startsWith('/') || address.startsWith('#') || address.startsWith('https://sightline.test/');

test('there are at least 1,000 strings, and no two are the same', () => {
  expect(xssStrings.length).toBeGreaterThanOrEqual(1000);
  expect(new Set(xssStrings).size).toBe(xssStrings.length);
});

describe.each(capabilityNames)('a report of %s', (capability) => {
  test('has slots that reach the page', async () => {
    const example = exampleOf(capability);
    const page = await pageOf(filled(example, (slot) => `slot-${slot}-`));
    const reached = example.slots.filter((_path, slot) => page.includes(`slot-${slot}-`));
    expect(reached.length).toBeGreaterThanOrEqual(5);
  });

  test(
    'X6: the parsed tree of its page is the same whatever stands in any slot',
    async () => {
      const harmless = treeOf(await pageOf(filled(exampleOf(capability), harmlessIn)));
      for (const text of hostile(capability)) {
        const page = await pageOf(text);
        expect(treeOf(page)).toEqual(harmless);
        expect(foreignAddresses(page, isOurs)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'X7: its Markdown makes no link, image, HTML or script of any slot',
    () => {
      for (const text of hostile(capability, TEXT_STEP)) {
        const markdown = formatStoredMarkdown(readStored(text)) ?? '';
        expect(markdown.length).toBeGreaterThan(50);
        expect(activeIn(markdown)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  test('X7: its SARIF links to nothing but where a finding was seen', () => {
    if (!listReportForms(capability).includes('sarif')) {
      expect(formatStoredSarif(readStored(filled(exampleOf(capability), harmlessIn)), '1.0.0')).toBeUndefined();
      return;
    }
    for (const text of hostile(capability, TEXT_STEP)) {
      const sarif = formatStoredSarif(readStored(text), '1.0.0') ?? '';
      expect(sarif).not.toContain('"helpUri"');
      const paths = uriMembers(JSON.parse(sarif) as Json);
      expect(paths.filter((uri) => !/^(?:[A-Za-z0-9._~/-]|%[0-9A-Fa-f]{2})+$/.test(uri))).toEqual([]);
    }
  });
});

/** What Markdown may become: structure and text. An attribute is the side of a column or the language of a block. */
const INERT = new Set(
  'h1 h2 h3 h4 p ul ol li table thead tbody tr th td code pre blockquote strong em br hr'.split(' '),
);

function activeIn(markdown: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!INERT.has(name)) found.push(`<${name}>`);
      for (const [key, value] of Object.entries(attributes)) {
        const known = key === 'align' || key === 'start' || (name === 'code' && key === 'class');
        if (!known) found.push(`${name}[${key}]=${value}`);
      }
    },
  });
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  parser.end(micromark(markdown, { ...options, allowDangerousHtml: true, allowDangerousProtocol: true }));
  return found;
}

/** The value of every member of a SARIF log that is an address. */
function uriMembers(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(uriMembers);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    /uri$/i.test(name) && typeof member === 'string' ? [member] : uriMembers(member),
  );
}
