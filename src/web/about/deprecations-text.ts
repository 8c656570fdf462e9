import { deprecationPolicy } from '../../about/deprecation-policy.ts';
import { deprecatedThings } from '../../openapi/deprecations/deprecations-data.ts';
import type { DeprecatedThing } from '../../openapi/deprecations/deprecations.ts';
import {
  buildCode,
  buildLink,
  buildText,
  type Inline,
  type PageText,
  type TextBlock,
  type TextSection,
} from '../start/document.ts';
import { WORDS_CHANGED } from '../start/text.ts';
import { CHANGELOG_PATH, readInlines } from './changelog-text.ts';

const buildPart = (id: string, heading: string, ...blocks: readonly TextBlock[]): TextSection => ({
  id,
  heading,
  level: 2,
  blocks,
});

/** How the service changes what programs depend on, and what is deprecated now. */
export const buildDeprecationsPage = (things: readonly DeprecatedThing[] = deprecatedThings): PageText => ({
  path: '/deprecations',
  title: 'Changes and deprecations',
  description:
    'How the HTTP API changes and how programs learn of it in time: what stays, the 180 days of notice, the headers, and what is deprecated now.',
  changed: WORDS_CHANGED,
  lead: [deprecationPolicy.lead, ' What has changed already is in ', buildLink('the change log', CHANGELOG_PATH), '.'],
  sections: [
    buildPart('unchanged', 'What does not change', ...deprecationPolicy.unchanged.map(buildParagraph)),
    buildPart('steps', 'How something goes away', {
      kind: 'steps',
      items: deprecationPolicy.steps.map((step) => readInlines(step)),
    }),
    buildPart(
      'headers',
      'What a program sees',
      buildRows('Headers of an answer', ['Header', 'What it says'], deprecationPolicy.headers),
      buildParagraph(deprecationPolicy.seen),
    ),
    buildPart('now', 'Deprecated now', listDeprecated(things)),
  ],
});

const buildParagraph = (text: string): TextBlock => buildText(...readInlines(text));

const buildRows = (caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): TextBlock => ({
  kind: 'table',
  caption,
  columns,
  rows: rows.map((cells) => ({ cells: cells.map((cell) => readInlines(cell)) })),
});

function listDeprecated(things: readonly DeprecatedThing[]): TextBlock {
  if (things.length === 0) return buildText('Nothing.');
  return {
    kind: 'table',
    caption: 'Deprecated now',
    columns: ['What', 'Since', 'Gone from', 'Use instead'],
    rows: things.map((thing) => ({
      cells: [describeDeprecated(thing), [thing.since], [thing.sunset ?? 'not fixed'], [thing.instead]],
    })),
  };
}

function describeDeprecated({ method, path, parameter, member }: DeprecatedThing): readonly Inline[] {
  const route = buildCode(`${method} ${path}`);
  const part = parameter ?? member;
  if (part === undefined) return [route];
  return [parameter === undefined ? 'member ' : 'parameter ', buildCode(part), ' of ', route];
}
