import type { Child } from 'hono/jsx';
import { html, raw } from 'hono/html';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import type { TrafficSection } from '../../traffic/report/sections.ts';
import { brand } from '../brand.ts';
import { OutLink } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { capabilityTitles } from '../../capabilities/titles-data.ts';
import type { ShownAnswers } from './answers/shown-answer.ts';
import { TrafficPart } from './parts/traffic-section.tsx';
import { createScoresOpener, views } from './openers.tsx';
import { escapeForPage, getSubject, type StoredResult } from './stored.ts';

/** Nothing may run, load or be sent from a report, wherever it is opened. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Room that the styles of the service leave for what its scripts bring to life. There are none in a file. */
const WITHOUT_SCRIPTS =
  '.report .filter[hidden],body .report .code>button[hidden][hidden]{display:none!important}body .report .code>button+pre{padding-top:.75rem}';

const LINK_START = '<a href="/';
const LINK_END = '</a>';

/** Links to the page of a check have its id as their text, which a reader of the file needs as well. */
const CHECK_PAGES = 'docs/reference/checks/';

/** Leaves out links to pages of the service, which a file is not beside. Texts of the site are escaped: none looks like one. */
const dropServiceLinks = (text: string): string =>
  text
    .split(LINK_START)
    .map((piece, index) => (index === 0 ? piece : dropLink(piece)))
    .join('');

/** @param piece begins inside of the address of a link */
function dropLink(piece: string): string {
  const end = piece.indexOf(LINK_END);
  const words = piece.startsWith(CHECK_PAGES) ? piece.slice(piece.indexOf('>') + 1, end) : '';
  return `${words}${piece.slice(end + LINK_END.length)}`;
}

/**
 * A report as one file: the view of the service's page, with its styles inside. No script, no form, nothing that is
 * loaded. Every text in it is escaped, ours and the site's alike (rules X6 and X7).
 * @throws when the result has no view: it is one that this version made
 */
export function renderStandaloneReport(
  stored: StoredResult,
  styles: string,
  { answers, section }: { answers?: ShownAnswers | undefined; section?: TrafficSection | undefined } = {},
): string {
  const shown = escapeForPage(stored);
  const body = views[shown.capability](shown.json) ?? openScores(shown.json);
  if (body === undefined) throw new Error(`no view of a result of ${shown.capability}`);
  const at = answers === undefined ? {} : { answers: { shown: answers } };
  const whole = () => (
    <>
      {body(at)}
      {section === undefined ? null : <TrafficPart section={section} />}
    </>
  );
  const page = renderFile(shown, whole, styles);
  if (page instanceof Promise) throw new Error('a view waits for something'); // None does.
  return dropServiceLinks(page.toString());
}

/** An audit of some of the scores, which is sold under no name of its own. */
function openScores(json: unknown): ReturnType<ReturnType<typeof createScoresOpener>> {
  const scores = typeof json === 'object' && json !== null && 'scores' in json ? Object.keys(json.scores ?? {}) : [];
  return createScoresOpener(scoreNames.filter((name): name is ScoreName => scores.includes(name)))(json);
}

function renderFile(shown: StoredResult, body: () => Child, styles: string): Html {
  const { capability, url, warnings } = shown;
  const title = [getSubject(shown), capabilityTitles[capability]].filter((part) => part !== undefined).join(': ');
  return html`<!doctype html>${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content={POLICY} />
          <meta name="robots" content="noindex" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          <style>{raw(`${styles}${WITHOUT_SCRIPTS}`)}</style>
        </head>
        <body>
          <main id="main">
            <article class="report">
              <header class="about">
                <p class="small">{brand.name} report</p>
                <h1>{title}</h1>
                {url === undefined ? null : (
                  <p>
                    <OutLink href={url} />
                  </p>
                )}
              </header>
              {warnings.length === 0 ? null : (
                <ul class="note warnings" aria-label="Warnings">
                  {warnings.map((text) => (
                    <li>{text}</li>
                  ))}
                </ul>
              )}
              {body()}
            </article>
          </main>
        </body>
      </html>
    )}`;
}
