import { isSameText, computeSha256Hex } from '../../src/lib/digest.ts';
import { classifyAddress } from '../../src/net/address.ts';
import { createSettingsReader } from '../../src/lib/settings-reader.ts';
import { frontSettingsSchema } from '../../src/settings/front-settings.ts';
import { logLine } from './telemetry.ts';
import { generateRequestId } from './request-id.ts';
import { commonProblems } from '../../src/problems/common.ts';
import { buildProblemResponse } from '../../src/problems/problem.ts';

/** What a front of one's own proves itself with; it never goes further than this file. */
export const FRONT_SECRET_HEADER = 'x-front-secret';
/** Where every limit per caller finds the address: the platform's own header. */
const ADDRESS_HEADER = 'cf-connecting-ip';

const readFrontSettings = createSettingsReader(frontSettingsSchema);

type Fetch<E, C> = (request: Request, env: E, context: C) => Response | Promise<Response>;
type FrontRefusal = { code: 'front_secret_wrong' | 'caller_address_missing'; steps?: string[] };

const SELF_HOSTED = [
  'Behind a front of your own: set FRONT_SECRET (32 characters or more) for the Worker and send it as X-Front-Secret from the front',
  "There, set CF-Connecting-IP (or the header that CALLER_ADDRESS_HEADER names) to the client's address, replacing what the client sent",
];

/** The reason was logged by this isolate. */
let isLogged = false;

/**
 * Wraps the fetch of a deployed Worker, so that no request reaches a limit without its caller's address: without one all
 * callers would share every limit, and where a client may write the header itself there would be none. Cloudflare always
 * sends it, and `request.cf` says that Cloudflare did. Anywhere else a front must prove itself by FRONT_SECRET: a socket with
 * workerd's option `cfBlobHeader`, as each of miniflare and `wrangler dev` has, lets clients write `request.cf`. What is
 * missing is logged once per isolate, and every path but `/health` answers 503 with what to set.
 */
export function wrapBehindFront<E extends object, C>(answer: Fetch<E, C>): Fetch<E, C> {
  return async (request, env, context) => {
    if (new URL(request.url).pathname === '/health') return answer(request, env, context);
    const settings = readFrontSettings(env);
    const known = await withCaller(request, settings);
    return 'code' in known ? refuse(known, settings.BASE_URL) : answer(known.request, env, context);
  };
}

async function withCaller(
  request: Request,
  { FRONT_SECRET: secret, CALLER_ADDRESS_HEADER: named }: ReturnType<typeof readFrontSettings>,
): Promise<{ request: Request } | FrontRefusal> {
  if (secret === undefined) {
    // Without a secret only the platform is believed, and only its own header.
    const isOnPlatform = request.cf !== undefined && (named ?? ADDRESS_HEADER).toLowerCase() === ADDRESS_HEADER;
    return isOnPlatform && isAddress(request.headers.get(ADDRESS_HEADER)) ? { request } : MISSING;
  }
  if (!(await isSame(request.headers.get(FRONT_SECRET_HEADER) ?? '', secret))) return WRONG_SECRET;
  const address = request.headers.get(named ?? ADDRESS_HEADER)?.trim() ?? '';
  if (!isAddress(address)) return MISSING;
  const headers = new Headers(request.headers);
  headers.delete(FRONT_SECRET_HEADER);
  headers.set(ADDRESS_HEADER, address);
  return { request: new Request(request, { headers }) };
}

const MISSING: FrontRefusal = { code: 'caller_address_missing', steps: SELF_HOSTED };
const WRONG_SECRET: FrontRefusal = { code: 'front_secret_wrong' };

const isAddress = (text: string | null): boolean => text !== null && classifyAddress(text).kind !== 'malformed';

const isSame = async (given: string, secret: string): Promise<boolean> =>
  isSameText(await computeSha256Hex(given), await computeSha256Hex(secret));

function refuse({ code, steps }: FrontRefusal, baseUrl: string): Response {
  const { status, title, means, next } = commonProblems[code];
  if (!isLogged) logLine({ event: 'refused_at_front', status, code });
  isLogged = true;
  const requestId = generateRequestId();
  return buildProblemResponse(requestId, baseUrl, {
    status,
    code,
    title,
    means,
    next,
    ...(steps === undefined ? {} : { howToConfigure: steps }),
  });
}
