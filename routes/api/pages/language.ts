import type { Hono } from 'hono';
import { LANGUAGE_PATH } from '../../../src/web/design/shell.tsx';
import { parseLanguage } from '../../../src/web/language/language.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { isSameOrigin } from '../../shared/cookies.ts';
import { setLanguageCookie } from '../../shared/language.ts';
import type { AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { readPosted, refuseRequest } from './pages.ts';

/** `POST /language`: the form of the switch in the foot of each page. It leads back to the page. */
export function registerLanguageRoute(app: Hono<AppEnv>): void {
  app.post(LANGUAGE_PATH, guardFreeRoute, async (c) => {
    const { BASE_URL } = c.get('settings');
    if (!isSameOrigin(c.req.raw, BASE_URL)) return refuseRequest(c, buildProblem('foreign_origin'));
    const posted = await readPosted(c);
    if (posted instanceof Response) return posted;
    const language = parseLanguage(posted.get('language'));
    if (language === undefined) {
      const detail = 'The field language is none of the languages of these pages';
      return refuseRequest(c, buildProblem('invalid_body', { detail }));
    }
    setLanguageCookie(c, language, BASE_URL.startsWith('https:'));
    return c.redirect(findOwnPath(posted.get('to'), BASE_URL), 303);
  });
}

/** Path and query of a page of ours; the start page for anything else. Two slashes would begin the name of another host. */
function findOwnPath(given: string | undefined, baseUrl: string): string {
  const url = URL.parse(given ?? '/', baseUrl);
  const isOurs = url?.origin === new URL(baseUrl).origin && !url.pathname.startsWith('//');
  return isOurs ? `${url.pathname}${url.search}` : '/';
}
