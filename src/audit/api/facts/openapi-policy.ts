import { getString, isJsonRecord, type JsonRecord } from '../../structured-data/facts/json-document.ts';
import { followReference, listObjectEntries, readOperations, type RawOperation } from './openapi-operations.ts';

/** One thing by which a program keeps up with an API, and whether it was found. */
export type PolicyPart = { name: string; isThere: boolean };

/** Operations and parts of one that are looked at. */
const MAX_OPERATIONS = 200;
const MAX_PARTS = 50;

const CHANGES = /change-?logs?\b|release-?notes|what'?s-?new|\bchanges\b/i;
const STATUS = /\/\/status\.|\/status(?:[/?#]|$)|statuspage|\bstatus page\b/i;
const WRITES = new Set(['post', 'patch']);

/** What the document and the links of the start page say about changes; parts that do not apply are left out. */
export function readChangePolicy(source: JsonRecord, links: readonly string[]): readonly PolicyPart[] {
  const operations = readOperations(source).slice(0, MAX_OPERATIONS);
  const deprecated = operations.filter(({ source: own }) => own['deprecated'] === true);
  const writes = operations.filter(({ operation }) => WRITES.has(operation.method));
  const texts = [...links, ...listDocumentTexts(source)].map((text) => text.slice(0, 2_000));
  return [
    { name: 'a change log', isThere: texts.some((text) => CHANGES.test(text)) },
    { name: 'a status page', isThere: texts.some((text) => STATUS.test(text)) },
    ...(deprecated.length === 0
      ? []
      : [
          {
            name: 'Deprecation or Sunset of deprecated operations',
            isThere: deprecated.every((one) => hasAnswerHeader(source, one, /^(?:deprecation|sunset)$/i)),
          },
        ]),
    ...(writes.length === 0
      ? []
      : [{ name: 'Idempotency-Key for writes', isThere: writes.some((one) => hasIdempotencyKey(source, one)) }]),
  ];
}

function listDocumentTexts(source: JsonRecord): readonly string[] {
  const { info, externalDocs } = source;
  const listed: readonly unknown[] = Array.isArray(source['tags']) ? source['tags'].slice(0, MAX_PARTS) : [];
  return [
    getString(info, 'description') ?? '',
    getString(externalDocs, 'url') ?? '',
    getString(externalDocs, 'description') ?? '',
    ...listed.flatMap((tag) => (isJsonRecord(tag) ? [getString(tag['externalDocs'], 'url') ?? ''] : [])),
  ];
}

function hasAnswerHeader(source: JsonRecord, { source: own }: RawOperation, name: RegExp): boolean {
  return listObjectEntries(own['responses'])
    .slice(0, MAX_PARTS)
    .some(([, value]) => {
      const answer = followReference(source, value);
      return isJsonRecord(answer) && listObjectEntries(answer['headers']).some(([header]) => name.test(header));
    });
}

function hasIdempotencyKey(source: JsonRecord, { item, source: own }: RawOperation): boolean {
  const listed = [item['parameters'], own['parameters']].flatMap((list): readonly unknown[] =>
    Array.isArray(list) ? list.slice(0, MAX_PARTS) : [],
  );
  return listed.some((parameter) =>
    /^idempotency-key$/i.test(getString(followReference(source, parameter), 'name') ?? ''),
  );
}
