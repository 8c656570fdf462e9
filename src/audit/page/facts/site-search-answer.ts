import { readExistence } from '../../reach/facts/existence.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import type { PageFacts } from './page-facts.ts';
import type { SiteSearch } from './site-search.ts';

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
export function searchAnswerOf(search: SiteSearch, page: PageFacts): SearchAnswer {
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
  const results = pageOf(answer);
  if (results.text === page.text) return { state: 'same_page' };
  return { state: results.words >= FEW_WORDS ? 'text' : 'little_text', words: results.words };
}
