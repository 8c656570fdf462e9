import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Response } from 'miniflare';
import { escapeHtml } from '../../src/lib/safe-text.ts';
import { findMailFolder } from '../stack-state.ts';

/** Mails that the page shows. */
const SHOWN = 20;
const LINK = /https?:\/\/\S+/g;

/** The page of the newest mails of a stack, whose files are in the folder of its state. */
export function answerMails(state: string): Response {
  const folder = findMailFolder(state);
  const names = listNames(folder)
    .filter((name) => extname(name) === '.txt')
    .toReversed()
    .slice(0, SHOWN);
  const mails = names.map(
    (name) =>
      `<article><h2>${escapeHtml(name)}</h2><pre>${linkText(readFileSync(join(folder, name), 'utf8'))}</pre></article>`,
  );
  const body = mails.join('') || '<p>No mail was sent yet.</p>';
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails of this local stack</title><meta name="viewport" content="width=device-width"><h1>Mails of this local stack</h1><p>Nothing is sent anywhere. The newest is first.</p>${body}</html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    },
  );
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []; // Made with the first mail.
    throw error;
  }
}

const linkText = (text: string): string =>
  text
    .split(LINK)
    .map(escapeHtml)
    .reduce((linked, part, i) => `${linked}${formatLink(text.match(LINK)?.[i - 1] ?? '')}${part}`);

const formatLink = (url: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
