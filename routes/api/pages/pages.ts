import type { MiddlewareHandler } from 'hono';
import { isUsableSecret } from '../../../src/authorization/operators/sign-in.ts';
import { errorPage, type Html } from '../../../src/web/layout.tsx';
import { bytesOf, mediaTypeOf } from '../../../src/net/request-body.ts';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import { isSameOrigin } from '../../shared/cookies.ts';
import { pageHeaders, type Shown } from '../../shared/page-headers.ts';
import { peopleStore } from '../bindings/people-store.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';

export { pageHeaders } from '../../shared/page-headers.ts';

/** Longest form or JSON body of these routes. */
const MAX_BODY_BYTES = 32_768;

/** What somebody posted: a form of our pages, or JSON of a program. Only texts are read. */
export type Posted = {
  form: boolean;
  /** The first value of a field. */
  get: (name: string) => string | undefined;
  all: (name: string) => readonly string[];
};

/** A page as the answer. */
export const showPage = (c: AppContext, content: Html, shown: Shown = {}) => c.html(content, 200, pageHeaders(shown));

/** A refusal: a page for who came by browser, a problem for programs. */
export function refuse(c: AppContext, input: ProblemInput): Response | Promise<Response> {
  if (!wantsPage(c.req.raw)) return failWith(c, input);
  const requestId = c.get('requestId');
  const { status, code, title, detail = title, retryAfterS } = input;
  logLine({ event: 'refused', request_id: requestId, status, code });
  for (const [name, value] of Object.entries(pageHeaders())) c.header(name, value);
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  c.status(status as 400); // A status of our own tables.
  return c.html(errorPage({ title, detail, requestId }));
}

/** Refuses a POST that another site's page made, before anything of it is read. */
export const ownPagesOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method === 'POST' && !isSameOrigin(c.req.raw, c.get('settings').BASE_URL))
    return refuse(c, { status: 403, code: 'foreign_origin', title: 'Only pages of this service may send this' });
  await next();
  return undefined;
};

/** Without anybody who could sign in as an operator there is nothing of it: nothing else is said of a request (rule A4). */
export const operatorSignInOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!(await hasOperators(c))) return c.notFound();
  await next();
  return undefined;
};

/** Whether anybody can sign in as an operator: by the secret of this deployment, or by one of their own. */
export const hasOperators = async (c: AppContext): Promise<boolean> =>
  isUsableSecret(c.get('settings').OPERATOR_SECRET) || peopleStore(c).hasNamedOperators();

/** Reads a form or a JSON object; a response says why it cannot. */
export async function readPosted(c: AppContext): Promise<Posted | Response> {
  const type = mediaTypeOf(c.req.raw);
  if (type !== JSON_TYPE && type !== FORM_TYPE)
    return refuse(c, {
      status: 415,
      code: 'unsupported_media_type',
      title: `The body is neither ${JSON_TYPE} nor ${FORM_TYPE}`,
    });
  const bytes = await bytesOf(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined)
    return refuse(c, { status: 413, code: 'body_too_large', title: `The body is larger than ${MAX_BODY_BYTES} bytes` });
  const text = new TextDecoder().decode(bytes);
  if (type === FORM_TYPE) return postedForm(new URLSearchParams(text));
  return postedJson(text) ?? refuse(c, { status: 400, code: 'invalid_json', title: 'The body is not a JSON object' });
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Programs say `application/json` in what they send or in what they accept. */
function wantsPage(request: Request): boolean {
  if (request.method === 'POST') return mediaTypeOf(request) === FORM_TYPE;
  return !(request.headers.get('accept') ?? '').toLowerCase().startsWith(JSON_TYPE);
}

const postedForm = (form: URLSearchParams): Posted => ({
  form: true,
  get: (name) => form.get(name) ?? undefined,
  all: (name) => form.getAll(name),
});

function postedJson(text: string): Posted | undefined {
  if (text.trim() === '') return postedObject({});
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? postedObject(value) : undefined;
  } catch {
    return undefined; // Not JSON: said to the caller.
  }
}

function postedObject(value: object): Posted {
  const texts = new Map(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    form: false,
    get: (name) => texts.get(name),
    all: (name) => [texts.get(name)].filter((text) => text !== undefined),
  };
}
