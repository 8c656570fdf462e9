import { parseMediaType } from '../../../lib/media-type.ts';
import type { SnapshotAnswer, Exchange } from '../../core/snapshot.ts';
import { findChallenge } from '../../reach/facts/blocked-crawler.ts';
import { type Existence, readExistence } from '../../reach/facts/existence.ts';
import { parseSiteJson } from '../../structured-data/facts/json-document.ts';
import { getPageFacts } from '../../reach/facts/html-page.ts';

/** A document that answered, held JSON of the wanted kind, and is not what the site answers for any path. */
export type AvailableDocument<T> = {
  state: 'found';
  url: string;
  exchange: Exchange;
  answer: SnapshotAnswer;
  document: T;
};

/**
 * Why there is no document. `absent`: the site says so. `invalid`: something is there that no reader can use.
 * `unreadable`: we could not look, which is never "no". `not_read`: the audit had no reason to ask.
 */
export type MissingDocument = {
  state: 'absent' | 'invalid' | 'unreadable' | 'not_read';
  url: string;
  why: string;
  exchange?: Exchange;
};

export type DocumentState<T> = AvailableDocument<T> | MissingDocument;

/**
 * Judges one answer. `recognise` returns the document when the parsed JSON is of the wanted kind, else undefined.
 * @param control the answer for a path that cannot exist; undefined on another host, and for documents that must be
 * public, where a 401 is a fault of theirs and a 403 may be meant for us alone.
 */
export function readDocument<T>(
  exchange: Exchange | undefined,
  control: Exchange | undefined,
  recognise: (value: unknown, url: string) => T | undefined,
): DocumentState<T> {
  if (!exchange) return { state: 'not_read', url: '', why: 'was not asked for' };
  const { url, answer } = exchange;
  if (!answer.ok) return { state: 'unreadable', url, why: `could not be read (${answer.reason})`, exchange };
  if (answer.status === 429 || answer.status >= 500) {
    return { state: 'unreadable', url, why: `answered ${answer.status}`, exchange };
  }
  if (control ? isRefusal(answer.status) && getAnswerStatus(control) !== answer.status : answer.status === 403) {
    return { state: 'unreadable', url, why: `answered ${answer.status}`, exchange };
  }
  if (findChallenge(answer, () => getPageFacts(answer).words) !== undefined) {
    return { state: 'unreadable', url, why: `answered ${answer.status} with a challenge to robots`, exchange };
  }
  const existence = readExistence(exchange, control, 'any');
  if (existence.state !== 'exists') return { state: 'absent', url, why: explainAbsence(existence, answer), exchange };
  if (answer.truncated) return { state: 'invalid', url, why: 'is larger than a discovery document may be', exchange };
  const parsed = parseSiteJson(answer.body);
  if (!parsed.ok && !isMeantAsJson(answer)) return { state: 'absent', url, why: 'is no JSON document', exchange };
  if (!parsed.ok) return { state: 'invalid', url, why: parsed.message, exchange };
  const document = recognise(parsed.value, answer.url);
  if (document === undefined) return { state: 'invalid', url, why: 'is JSON of another kind', exchange };
  return { state: 'found', url: answer.url, exchange, answer, document };
}

/** `unknown` means HTML without a control to compare it with, and HTML is no discovery document. */
function explainAbsence(existence: Existence, answer: SnapshotAnswer): string {
  if (existence.state !== 'absent') return 'is no JSON document';
  if (existence.reason === 'status') return `answered ${answer.status}`;
  return existence.reason === 'same_as_control' ? 'answers like any unknown path' : 'is empty';
}

/** Such an answer says how we are treated, unless the site answers so for any path it does not have. */
const isRefusal = (status: number): boolean => status === 401 || status === 403;
const getAnswerStatus = (exchange: Exchange): number | undefined =>
  exchange.answer.ok ? exchange.answer.status : undefined;

const isMeantAsJson = (answer: SnapshotAnswer): boolean =>
  parseMediaType(answer.headers['content-type'] ?? '').endsWith('json') || /^\s*[[{]/.test(answer.body.slice(0, 200));
