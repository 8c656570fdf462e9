import { deprecatedThings } from '../../src/openapi/deprecations/deprecations-data.ts';
import { deprecationPolicy } from '../../src/about/deprecation-policy.ts';
import type { DeprecatedThing } from '../../src/openapi/deprecations/deprecations.ts';
import { escapeProse, formatCellCode, formatGeneratedPage, formatTable } from './markdown.ts';

/** `docs/reference/deprecations.md`: how this service changes what programs depend on. */
export const deprecationsPage = (): string =>
  formatGeneratedPage('Changes and deprecations', '`src/openapi/deprecations/deprecations-data.ts`', [
    deprecationPolicy.lead,
    '## What does not change',
    ...deprecationPolicy.unchanged,
    '## How something goes away',
    deprecationPolicy.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## What a program sees',
    formatTable(['Header', 'What it says'], deprecationPolicy.headers),
    deprecationPolicy.seen,
    '## Deprecated now',
    deprecatedThings.length === 0
      ? 'Nothing.'
      : formatTable(
          ['What', 'Since', 'Gone from', 'Why', 'Use instead'],
          deprecatedThings.map((thing) => [
            nameThing(thing),
            thing.since,
            thing.sunset ?? 'not fixed',
            escapeProse(thing.why),
            escapeProse(thing.instead),
          ]),
        ),
  ]);

function nameThing({ method, path, parameter, member }: DeprecatedThing): string {
  const route = formatCellCode(`${method} ${path}`);
  if (parameter !== undefined) return `parameter ${formatCellCode(parameter)} of ${route}`;
  return member === undefined ? route : `member ${formatCellCode(member)} of ${route}`;
}
