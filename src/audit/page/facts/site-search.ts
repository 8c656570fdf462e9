import { classifyForm, isSearchField, listFormFields } from '../../controls/facts/forms.ts';
import { findStateChangeWord } from '../../controls/facts/state-changes.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listPropertyNodes, listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import type { FormFacts, PageFacts } from './page-facts.ts';

/** Fewer visible words are no list of results, nor a page that says that there are none. */
const FEW_WORDS = 60;

/**
 * What a search led to. `text`: a page of its own with text. `little_text`: one with few words. `missing`: a status that
 * says so. `same_page`: the page that was searched, unchanged. `any_path`: what the site answers to every path.
 * `unread`: no answer, or a refusal that may be meant for us.
 */
export type SearchAnswer =
  | { state: 'text' | 'little_text'; words: number }
  | { state: 'missing'; status: number }
  | { state: 'same_page' | 'any_path' | 'not_html' }
  | { state: 'unread'; reason: string };

/** Reads what the search of a page answered. */
export function readSearchAnswer(search: SiteSearch, page: PageFacts): SearchAnswer {
  const { exchange, control } = search;
  if (!exchange) return { state: 'unread', reason: 'not_asked' };
  const { answer } = exchange;
  if (!answer.ok) return { state: 'unread', reason: answer.reason };
  if ([401, 403, 429].includes(answer.status) || answer.status >= 500)
    return { state: 'unread', reason: `http_${answer.status}` };
  if (answer.status < 200 || answer.status > 299) return { state: 'missing', status: answer.status };
  const existence = readExistence(exchange, control, 'any');
  if (existence.state === 'unknown') return { state: 'unread', reason: existence.reason };
  if (existence.state === 'absent') return { state: 'any_path' };
  if (!isHtmlAnswer(answer)) return { state: 'not_html' };
  const results = getPageFacts(answer);
  if (results.text === page.text) return { state: 'same_page' };
  return { state: results.words >= FEW_WORDS ? 'text' : 'little_text', words: results.words };
}

/** Role of the exchange for a page of search results. */
export const SEARCH_ROLE = 'site-search';

/** What is looked for, always: a word of no meaning to any site. */
export const SEARCH_WORD = 'test';

/** Longer names of a field are no names. */
const MAX_NAME_CHARS = 100;

/**
 * How the site is searched. `url`: by an address of its own, with `SEARCH_WORD` filled in. `elsewhere`: by an address of
 * another origin. `no_url`: there is a field for it, but no address: the form is sent by POST, its field has no name, or
 * only a script reads it.
 */
export type SearchTarget =
  | { state: 'none' }
  | { state: 'no_url'; line: number; why: 'post' | 'nameless' | 'no_form' | 'no_address' }
  | { state: 'elsewhere'; url: string }
  | { state: 'url'; url: string; from: 'form' | 'SearchAction'; form: number };

/** Finds how a page is searched: its search forms in order, then a `SearchAction` of its structured data. */
export function findSearchTarget(page: PageFacts, start: URL): SearchTarget {
  const found = [...listFormTargets(page, start), ...listActionTargets(page, start)];
  return (
    found.find(({ state }) => state === 'url') ??
    found.find(({ state }) => state === 'elsewhere') ??
    found[0] ?? { state: 'none' }
  );
}

function listFormTargets(page: PageFacts, start: URL): readonly SearchTarget[] {
  const inForms = page.forms.flatMap((form, index): SearchTarget[] => {
    const field = listFormFields(page, index).find(isSearchField);
    const isSearch = field !== undefined && (field.type === 'search' || classifyForm(page, index) === 'search');
    return isSearch ? [buildFormTarget(page, form, { index, name: field.name.trim(), start })] : [];
  });
  const loose = page.controls.find((control) => control.form === -1 && control.type === 'search');
  return loose ? [...inForms, { state: 'no_url', line: loose.line, why: 'no_form' }] : inForms;
}

function buildFormTarget(
  page: PageFacts,
  form: FormFacts,
  { index, name, start }: { index: number; name: string; start: URL },
): SearchTarget {
  const { line } = form;
  if (form.method !== 'get') return { state: 'no_url', line, why: 'post' };
  if (name === '' || name.length > MAX_NAME_CHARS) return { state: 'no_url', line, why: 'nameless' };
  if (!/^https?:/i.test(form.action)) return { state: 'no_url', line, why: 'no_address' };
  const url = new URL(form.action);
  // The fields of a GET form replace the query of its action (HTML, 4.10.22.3).
  url.search = new URLSearchParams([[name, SEARCH_WORD]]).toString();
  return buildSafeTarget(url, page, start, { from: 'form', form: index });
}

function listActionTargets(page: PageFacts, start: URL): readonly SearchTarget[] {
  const { graph } = getJsonLd(page);
  return listNodesOfType(graph, 'SearchAction').flatMap((action): SearchTarget[] => {
    const templates = [
      ...listPropertyNodes(graph, action, 'target').flatMap((entry) => listPropertyTexts(graph, entry, 'urlTemplate')),
      ...listPropertyTexts(graph, action, 'target'),
    ];
    const template = templates.find((text) => /\{[^{}]{1,100}\}/.test(text));
    if (template === undefined) return [];
    const filled = template.replaceAll(/\{[^{}]{1,100}\}/g, SEARCH_WORD);
    if (!URL.canParse(filled, page.baseUrl)) return [];
    return [buildSafeTarget(new URL(filled, page.baseUrl), page, start, { from: 'SearchAction', form: -1 })];
  });
}

/** Only the audited origin is asked, and nothing whose address speaks of a change. */
function buildSafeTarget(
  url: URL,
  page: PageFacts,
  start: URL,
  by: { from: 'form' | 'SearchAction'; form: number },
): SearchTarget {
  url.hash = '';
  const isOwn = url.origin === start.origin || url.origin === new URL(page.url).origin;
  if (!isOwn || !/^https?:$/.test(url.protocol) || findStateChangeWord(url) !== undefined)
    return { state: 'elsewhere', url: url.href };
  return { state: 'url', url: url.href, ...by };
}

/** How the start page is searched, and what one search answered; `exchange` is undefined when none was made. */
export type SiteSearch = { target: SearchTarget; exchange: Exchange | undefined; control: Exchange | undefined };

/** Artifact `siteSearch`. */
export function readSiteSearch(snapshot: Snapshot): Artifact<SiteSearch> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const find = getExchangeLookup(snapshot);
  const target = findSearchTarget(page.value, new URL(snapshot.url));
  return { state: 'ready', value: { target, exchange: find(SEARCH_ROLE), control: find('control') } };
}
