import { html } from 'hono/html';
import type { Html } from '../design/shell.tsx';

/** Characters that could end a script element or open another, as JSON may spell them too. */
const SPELLED: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/**
 * Structured data as a script element, which browsers do not run. Inside it HTML knows no escapes, so the text goes in as
 * it is: it is JSON without `<`, `>` and `&`, and can neither end the element nor begin anything else.
 */
export function jsonLd(graph: readonly Readonly<Record<string, unknown>>[]): Html {
  const data = { '@context': 'https://schema.org', '@graph': graph };
  const text = JSON.stringify(data).replaceAll(/[<>&]/g, (sign) => SPELLED[sign] ?? '');
  return literally(`<script type="application/ld+json">${text}</script>`);
}

/** Text that stands for itself: `html` takes the strings of its template so, and escapes only what is put between them. */
const literally = (text: string): Html => html(Object.assign([text], { raw: [text] }));
