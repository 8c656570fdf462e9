import { MIN_NOTICE_DAYS } from '../openapi/deprecations/deprecations.ts';

/** How the HTTP API changes, in Markdown of code spans alone: the reference and the page both say it. */
export const deprecationPolicy = {
  lead: 'How the HTTP API changes, and how a program learns of it in time.',
  unchanged: [
    'There is no version in the paths. An address, its method, a documented member, a problem `code` and a price that you have signed mean tomorrow what they mean today. We add: operations, optional parameters, members, codes and headers. Ignore members that you do not know, and treat an unknown code by its status.',
    'Texts for people (`title`, `detail`, `next`, summaries, notes) may be reworded at any time. A hole in security or in the rules of money is closed at once; the change list says so.',
  ],
  steps: [
    'What replaces it is there first.',
    'It is announced: a line in the change list, a row on this page, `deprecated: true` in the OpenAPI document, and headers on every answer to a request that uses it.',
    `It works as before for at least ${MIN_NOTICE_DAYS} days after the announcement.`,
    'Once the day of its end is fixed, `Sunset` names it. After that day it may be gone: an address answers 404, a parameter or member is refused or left out.',
  ],
  headers: [
    ['`Deprecation: @1795737600`', 'The day of the announcement as Unix seconds (RFC 9745)'],
    [
      '`Sunset: Mon, 31 May 2027 00:00:00 GMT`',
      'The first day on which it may be gone (RFC 8594); absent while none is fixed',
    ],
    ['`Link: <...>; rel="deprecation"`', 'This page'],
  ],
  seen: 'A deprecated parameter is announced on requests that send it. A deprecated member of a body or an answer has no header, which would speak of the whole resource: OpenAPI and this page name it. Log these headers where you log errors.',
} as const;
