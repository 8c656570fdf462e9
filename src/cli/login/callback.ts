import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LoginRefused } from './refused.ts';

const LOOPBACK = '127.0.0.1';
const PATH = '/callback';
const MAX_URL_CHARS = 8_192;
/** Parameters of an authorization response; each may stand once (RFC 6749, section 3.1). */
const PARAMETERS = ['code', 'state', 'iss', 'error'] as const;

const PAGE = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`;
const RECEIVED = PAGE('Answer received', 'You may close this window and go back to the terminal.');
const NOT_OURS = PAGE('Not this login', 'This address waits for the answer to another login.');

/** What came back through the browser, with the right `state`. */
export type AuthorizationAnswer = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

export type Callback = {
  /** `http://127.0.0.1:<port>/callback` (RFC 8252, section 7.3). */
  redirectUrl: string;
  /** The one answer. @throws LoginRefused `no_answer` after `waitMs`. */
  answer: () => Promise<AuthorizationAnswer>;
  stop: () => void;
};

/**
 * Listens on this machine alone for one answer with `state` (C12, C13). Whatever else asks gets a static page and
 * changes nothing: any page of the browser may send requests here. Nothing of a request is echoed.
 */
export async function listenForAnswer(state: string, waitMs: number): Promise<Callback> {
  let settle: (answer: AuthorizationAnswer) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const received = new Promise<AuthorizationAnswer>((resolve, reject) => {
    settle = resolve;
    const late = new LoginRefused('no_answer', `no answer came within ${Math.round(waitMs / 1000)} s`);
    timer = setTimeout(() => reject(late), waitMs);
  });
  received.catch(() => undefined); // It may fail before anybody waits for it.
  const server = createServer((request, response) => {
    const answer = answerOf(request, state);
    reply(response, answer === undefined ? 400 : 200, answer === undefined ? NOT_OURS : RECEIVED);
    if (answer !== undefined) settle(answer);
  });
  const port = await listen(server);
  const stop = (): void => {
    clearTimeout(timer);
    server.close();
  };
  return { redirectUrl: `http://${LOOPBACK}:${port}${PATH}`, answer: () => received, stop };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

function answerOf({ method, url = '' }: IncomingMessage, state: string): AuthorizationAnswer | undefined {
  if (method !== 'GET' || url.length > MAX_URL_CHARS || !URL.canParse(url, 'http://callback')) return undefined;
  const { pathname, searchParams } = new URL(url, 'http://callback');
  if (pathname !== PATH || PARAMETERS.some((name) => searchParams.getAll(name).length > 1)) return undefined;
  if (!same(searchParams.get('state') ?? '', state)) return undefined;
  const given = PARAMETERS.map((name) => [name, searchParams.get(name)] as const).filter(([, value]) => value !== null);
  return Object.fromEntries(given);
}

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function reply(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(page);
}
