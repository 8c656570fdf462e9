import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import {
  NOT_OWN_DOCS,
  OWN_DOCS_LABELS,
  PRIMARY_DOMAINS,
  PRIMARY_SECOND_LEVELS,
  PRIMARY_SUFFIXES,
} from './primary-sources-data.ts';

const parseWordList = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SUFFIXES = parseWordList(PRIMARY_SUFFIXES);
const SECOND_LEVELS = parseWordList(PRIMARY_SECOND_LEVELS);
const DOMAINS = parseWordList(PRIMARY_DOMAINS);
const DOCS_LABELS = parseWordList(OWN_DOCS_LABELS);
const NOT_DOCS = parseWordList(NOT_OWN_DOCS);

/** Whether a URL is of a primary source: a public body, a place of research, a standard, a study or a maker's own documentation. */
export function isPrimarySource(url: string): boolean {
  const { hostname } = new URL(url);
  const labels = hostname.split('.');
  const [top = '', second = ''] = labels.toReversed();
  if (SUFFIXES.has(top) || (top.length === 2 && labels.length > 2 && SECOND_LEVELS.has(second))) return true;
  if (DOMAINS.has(hostname.replace(/^www\./, '')) || DOMAINS.has(getRegistrableDomain(hostname))) return true;
  return labels.length > 2 && DOCS_LABELS.has(labels[0] ?? '') && !NOT_DOCS.has(hostname);
}
