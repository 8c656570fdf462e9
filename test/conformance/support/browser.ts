import { freshCaller } from './caller.ts';

/** Redirects that one click may take. */
const MAX_REDIRECTS = 5;

/** A form of a page as a person finds it. */
export type PageForm = { action: string; fields: { name: string; value: string; kind: string; isChecked: boolean }[] };

/** A page where a browser ended up, or the URL outside the service that it was sent to. */
export type Page = { url: string; status: number; headers: Headers; html: string };

export type Browser = {
  /** Cookies by name; a test may change them. */
  cookies: Map<string, string>;
  /** One request without following anything. `path` may be a full URL. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Opens a page and follows redirects within the service. */
  open: (path: string) => Promise<Page>;
  /** Posts a form of `page` with the values of its fields, `changes` over them; undefined leaves a field out. */
  submit: (page: Page, form: PageForm, changes?: Record<string, string | undefined>) => Promise<Page>;
};

/** A browser with one tab and a cookie jar for one origin, which runs no scripts. */
export function newBrowser(baseUrl: string): Browser {
  const cookies = new Map<string, string>();
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', cookieHeader(cookies));
    if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', freshCaller());
    if (!headers.has('accept')) headers.set('accept', 'text/html');
    const answer = await fetch(new URL(path, baseUrl), { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  };
  const follow = async (answer: Response, url: string): Promise<Page> => {
    let [current, at] = [answer, url];
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const location = current.headers.get('location');
      if (location === null || current.status < 300 || current.status > 399) break;
      at = new URL(location, at).href;
      if (new URL(at).origin !== new URL(baseUrl).origin)
        return { url: at, status: current.status, headers: current.headers, html: '' };
      current = await request(at);
    }
    return { url: at, status: current.status, headers: current.headers, html: await current.text() };
  };
  return {
    cookies,
    request,
    open: async (path) => follow(await request(path), new URL(path, baseUrl).href),
    submit: async (page, form, changes = {}) => {
      const body = new URLSearchParams();
      for (const { name, value, kind, isChecked } of form.fields) {
        if (Object.hasOwn(changes, name) || kind === 'submit') continue;
        if ((kind === 'checkbox' || kind === 'radio') && !isChecked) continue;
        body.append(name, value);
      }
      for (const [name, value] of Object.entries(changes)) if (value !== undefined) body.append(name, value);
      const url = new URL(form.action, page.url).href;
      const answer = await request(url, {
        method: 'POST',
        body,
        headers: { origin: new URL(baseUrl).origin, 'sec-fetch-site': 'same-origin' },
      });
      return follow(answer, url);
    },
  };
}

const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const name = pair.slice(0, pair.indexOf('=')).trim();
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  if (value === '' || attributes.some((one) => /^\s*max-age=0\s*$/i.test(one))) cookies.delete(name);
  else cookies.set(name, value);
}

/** The forms of a page with their inputs and buttons. Our own pages are plain enough for this. */
export function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => ({
    action: attribute(head, 'action') ?? '',
    fields: [...inside.matchAll(/<(input|button)\b([^>]*)>/g)].flatMap(([, tag, attributes = '']) => {
      const name = attribute(attributes, 'name');
      if (name === undefined) return [];
      const kind = attribute(attributes, 'type') ?? (tag === 'button' ? 'submit' : 'text');
      return [{ name, value: attribute(attributes, 'value') ?? '', kind, isChecked: /\bchecked\b/.test(attributes) }];
    }),
  }));
}

function attribute(text: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
