import type { MiddlewareHandler } from 'hono';
import { isUsableSecret } from '../../../src/authorization/operators/secret.ts';
import { type ErrorPageProps, renderErrorPage } from '../../../src/web/design/error-page.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import { listAcceptedTypes } from '../../../src/openapi/accept.ts';
import { readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import { isSameOrigin } from '../../shared/cookies.ts';
import { buildPageHeaders, buildTransportHeaders, type PageOptions } from '../../shared/page-headers.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';

/** Longest form or JSON body of these routes. */
const MAX_BODY_BYTES = 32_768;

/** Input of a POST: a form of our pages, or JSON of a program. Only texts are read. */
export type FormInput = {
  form: boolean;
  /** The first value of a field. */
  get: (name: string) => string | undefined;
  all: (name: string) => readonly string[];
};

/** A page as the answer. */
export const showPage = (c: AppContext, content: Html, shown: PageOptions = {}, status = 200) =>
  c.html(content, status as 200, {
    ...buildPageHeaders(shown),
    ...buildTransportHeaders(c.get('settings').BASE_URL),
  });

/** A refusal: a page for who came by browser, a problem for programs. */
export function refuseRequest(c: AppContext, input: ProblemInput): Response | Promise<Response> {
  return isPageWanted(c.req.raw) ? showRefusal(c, input) : failWith(c, input);
}

/** A refusal as a page, in the language of its reader. */
export function showRefusal(c: AppContext, input: ProblemInput, more: RefusalMore = {}): Response | Promise<Response> {
  const requestId = c.get('requestId');
  const { status, code, title, means, detail, next, errors, retryAfterS } = input;
  const language = c.get('language') as PageLanguage | undefined; // Absent where the settings are broken.
  logLine({ event: 'refused', request_id: requestId, status, code });
  for (const [name, value] of Object.entries(buildPageHeaders())) c.header(name, value);
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  c.status(status as 400); // A status of our own tables.
  const shown = { code, title, means, detail, next, errors, retryAfterS, requestId, language, ...more };
  const [report] = REPORT_PATH.exec(c.req.path) ?? [];
  return c.html(renderErrorPage({ ...shown, path: findReadPath(c), report }));
}

/** Where the page of a report is, in the addresses of its forms and of what can be done with it. */
const REPORT_PATH = /^\/reports\/[0-9a-f]{32}/;

/** What a page says beside its problem. */
type RefusalMore = Pick<ErrorPageProps, 'said' | 'url'>;

/** Longest address that a page of an error repeats, in characters. */
const MAX_PATH = 2048;

/** Path and query of a page that was read, and may be read again. Two slashes would begin the name of another host. */
function findReadPath({ req }: AppContext): string | undefined {
  const { pathname, search } = new URL(req.url);
  const path = `${pathname}${search}`;
  return req.method !== 'GET' || path.startsWith('//') || path.length > MAX_PATH ? undefined : path;
}

/** Refuses a POST that another site's page made, before anything of it is read. */
export const requireOwnPagePost: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method === 'POST' && !isSameOrigin(c.req.raw, c.get('settings').BASE_URL))
    return refuseRequest(c, buildProblem('foreign_origin'));
  await next();
  return undefined;
};

/** Where operators cannot sign in, these routes do not exist, and the request is not examined further (rule A4). */
export const requireOperatorSignIn: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!(await hasOperators(c))) return c.notFound();
  await next();
  return undefined;
};

/** Whether operators can sign in at all: by the secret of this deployment, or by one of their own. */
export const hasOperators = async (c: AppContext): Promise<boolean> =>
  isUsableSecret(c.get('settings').OPERATOR_SECRET) || getPeopleStore(c).hasNamedOperators();

/** Reads a form or a JSON object; a response says why it cannot. */
export async function readPosted(c: AppContext): Promise<FormInput | Response> {
  const type = readMediaType(c.req.raw);
  if (type !== JSON_TYPE && type !== FORM_TYPE)
    return refuseRequest(
      c,
      buildProblem('unsupported_media_type', { detail: `The body is neither ${JSON_TYPE} nor ${FORM_TYPE}` }),
    );
  const bytes = await readBodyBytes(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined)
    return refuseRequest(c, buildProblem('body_too_large', { detail: describeBodyLimit(MAX_BODY_BYTES) }));
  const text = new TextDecoder().decode(bytes);
  if (type === FORM_TYPE) return parseFormInput(new URLSearchParams(text));
  return (
    parseJsonInput(text) ?? refuseRequest(c, buildProblem('invalid_json', { detail: 'The body is not a JSON object' }))
  );
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Of a form with files: programs send none. */
export const UPLOAD_TYPE = 'multipart/form-data';

/** Programs say `application/json` in what they send or in what they accept. */
export function isPageWanted(request: Request): boolean {
  if (request.method === 'POST') return [FORM_TYPE, UPLOAD_TYPE].includes(readMediaType(request));
  return !(request.headers.get('accept') ?? '').toLowerCase().startsWith(JSON_TYPE);
}

const PREFERENCE = ['application/json', 'text/html'] as const;

/** Whether the client says that it likes a page better than JSON, as browsers do where they open an address. */
export const isPagePreferred = (c: AppContext): boolean =>
  listAcceptedTypes(c.req.header('accept') ?? null, PREFERENCE)[0] === 'text/html';

const parseFormInput = (form: URLSearchParams): FormInput => ({
  form: true,
  get: (name) => form.get(name) ?? undefined,
  all: (name) => form.getAll(name),
});

function parseJsonInput(text: string): FormInput | undefined {
  if (text.trim() === '') return toFormInput({});
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? toFormInput(value) : undefined;
  } catch {
    return undefined; // Not JSON: said to the caller.
  }
}

function toFormInput(value: object): FormInput {
  const texts = new Map(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    form: false,
    get: (name) => texts.get(name),
    all: (name) => [texts.get(name)].filter((text) => text !== undefined),
  };
}
