import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { chooseLanguage, type PageLanguage } from '../../src/web/language/language.ts';

/** Says which language someone chose, and nothing else: no secret, and no one is recognised by it. */
const LANGUAGE_COOKIE = 'sightline-language';
const YEAR_S = 365 * 24 * 3600;

/** The language that the pages of this request are in. */
export const readLanguage = (c: Context): PageLanguage =>
  chooseLanguage(getCookie(c, LANGUAGE_COOKIE), c.req.header('accept-language'));

/** Has the browser remember a choice of language. */
export const setLanguageCookie = (c: Context, language: PageLanguage, isSecure: boolean): void =>
  setCookie(c, LANGUAGE_COOKIE, language, { path: '/', sameSite: 'Lax', secure: isSecure, maxAge: YEAR_S });
