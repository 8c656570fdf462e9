import { deprecatedThings } from '../../src/openapi/deprecations-data.ts';
import { type DeprecatedThing, MIN_NOTICE_DAYS } from '../../src/openapi/deprecations.ts';
import { escapeProse, formatCellCode, formatGeneratedPage, formatTable } from './markdown.ts';

/** `docs/reference/deprecations.md`: how this service changes what programs depend on. */
export const deprecationsPage = (): string =>
  formatGeneratedPage('Changes and deprecations', '`src/openapi/deprecations-data.ts`', [
    'How the HTTP API changes, and how a program learns of it in time.',
    '## What does not change',
    'There is no version in the paths. An address, its method, a documented member, a problem `code` and a price that you have signed mean tomorrow what they mean today. We add: operations, optional parameters, members, codes and headers. Ignore members that you do not know, and treat an unknown code by its status.',
    'Texts for people (`title`, `detail`, `next`, summaries, notes) may be reworded at any time. A hole in security or in the rules of money is closed at once; the change list says so.',
    '## How something goes away',
    [
      '1. What replaces it is there first.',
      '2. It is announced: a line in the change list, a row on this page, `deprecated: true` in the OpenAPI document, and headers on every answer to a request that uses it.',
      `3. It works as before for at least ${MIN_NOTICE_DAYS} days after the announcement.`,
      '4. Once the day of its end is fixed, `Sunset` names it. After that day it may be gone: an address answers 404, a parameter or member is refused or left out.',
    ].join('\n'),
    '## What a program sees',
    formatTable(
      ['Header', 'What it says'],
      [
        ['`Deprecation: @1795737600`', 'The day of the announcement as Unix seconds (RFC 9745)'],
        [
          '`Sunset: Mon, 31 May 2027 00:00:00 GMT`',
          'The first day on which it may be gone (RFC 8594); absent while none is fixed',
        ],
        ['`Link: <...>; rel="deprecation"`', 'This page'],
      ],
    ),
    'A deprecated parameter is announced on requests that send it. A deprecated member of a body or an answer has no header, which would speak of the whole resource: OpenAPI and this page name it. Log these headers where you log errors.',
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
