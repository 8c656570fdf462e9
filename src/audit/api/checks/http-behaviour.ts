import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { type AgentDiscovery, type AgentFile, API_FILE } from '../../agent-files/facts/agent-files.ts';
import { extractCaching, isRetryAfter } from '../facts/http-behaviour.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { buildHeaderEvidence, buildRequestEvidence } from '../../core/evidence.ts';

const RFC9110 = 'https://www.rfc-editor.org/rfc/rfc9110';
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/** Checks of how the site speaks HTTP to programs. */
export const httpBehaviourChecks = [
  defineCheck({
    id: 'agent.http.head',
    title: 'HEAD works',
    failureTitle: 'Answer HEAD requests',
    weight: 1,
    grade: 'B',
    why: 'Link checkers and agents ask with HEAD whether a page is there and what it is. Content-Length is not asked for: the standard lets a server leave it out where only GET would tell.',
    source: `${RFC9110}#section-9.3.2`,
    fix: 'Answer HEAD with the status and the headers of GET, Content-Type included, and no body.',
    needs: ['httpBehaviour'],
    judge: judgeHead,
  }),
  defineCheck({
    id: 'agent.http.conditional',
    title: 'Conditional requests work',
    failureTitle: 'Answer conditional requests with 304',
    weight: 1,
    grade: 'A',
    why: 'A crawler that may ask "only if it changed" comes back more often and costs less.',
    source: `${RFC9110}#section-13`,
    fix: 'Send an ETag (a weak one is fine) or Last-Modified with the page, and answer 304 when a request brings it back unchanged.',
    needs: ['httpBehaviour'],
    judge: judgeConditional,
  }),
  defineCheck({
    id: 'agent.http.cache',
    title: 'Discovery files are cacheable and not stale',
    failureTitle: 'Set a cache lifetime for discovery files',
    weight: 1,
    grade: 'B',
    why: 'Without a lifetime every agent fetches these files again; with one of weeks agents act on rules and addresses that are gone. A minute to a day is expected; a file without such a lifetime counts half.',
    source:
      'MCP server card discovery (max-age=3600 in its example); https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.1',
    fix: 'Send Cache-Control: public, max-age=3600 with robots.txt, llms.txt and the cards.',
    needs: ['agentDiscovery'],
    judge: judgeCache,
  }),
  defineCheck({
    id: 'agent.http.cors',
    title: 'Public discovery files allow CORS',
    failureTitle: 'Allow CORS for public discovery files',
    weight: 1,
    grade: 'B',
    why: 'An agent inside a browser page can read these public files only if their answer says so. A server that decides by the Origin header (Vary: Origin) is not judged: we send none.',
    source: 'https://fetch.spec.whatwg.org/#http-cors-protocol; A2A and MCP discovery documents',
    fix: 'Send Access-Control-Allow-Origin: * with llms.txt, the agent card, the AI catalog and the API description, without Access-Control-Allow-Credentials.',
    needs: ['agentDiscovery'],
    judge: judgeCors,
  }),
  defineCheck({
    id: 'agent.http.link-headers',
    title: 'Link header advertises services',
    failureTitle: 'Name the services in a Link header',
    weight: 1,
    grade: 'B',
    why: 'A program that reads the header finds the API without parsing HTML. Targets are not fetched for this: those that the audit read anyway must be there.',
    source: 'https://www.rfc-editor.org/rfc/rfc8288; RFC 8631 (service-desc, service-doc); RFC 9727 (api-catalog)',
    fix: 'Send Link: </openapi.json>; rel="service-desc" (or api-catalog, service-doc, ai-catalog, describedby) with the start page.',
    needs: ['serviceLinks'],
    judge: judgeLinkHeader,
  }),
  defineCheck({
    id: 'agent.http.rate-limit',
    title: '429/503 carry Retry-After',
    failureTitle: 'Send Retry-After with 429 and 503',
    weight: 1,
    grade: 'A',
    why: 'An agent that knows when to come back waits; one that does not tries again at once. Only answers met by chance are judged: the audit provokes none.',
    source: `${RFC9110}#section-10.2.3; https://www.rfc-editor.org/rfc/rfc6585#section-4; what is left before it happens: draft-ietf-httpapi-ratelimit-headers-11 (May 2026)`,
    read: '2026-11-23',
    fix: 'Send Retry-After with every 429 and 503: seconds, or an HTTP date.',
    ofRefusals: true,
    needs: ['rateLimits'],
    judge: judgeRateLimits,
  }),
];

/** How we are treated, or how the server fares just now: no word about HEAD or conditions. */
const isInconclusive = (status: number): boolean =>
  [401, 403, 429].includes(status) || (status >= 500 && status !== 501);

const isSuccess = ({ answer }: ExchangeWithAnswer): boolean => answer.status >= 200 && answer.status < 300;

function judgeHead({ httpBehaviour: { start, head } }: FactsOf<'httpBehaviour'>): CheckOutcome {
  if (!isSuccess(start))
    return verdict.notApplicable('The start page does not answer with success, so there is nothing to compare.');
  if (!head) return verdict.unknown('HEAD was not asked: the budget of requests was used up.');
  const { answer } = head;
  if (!answer.ok) return verdict.unknown(`HEAD gave no answer (${answer.reason}).`, buildRequestEvidence(head));
  const { status } = answer;
  const evidence = buildHeaderEvidence(head, 'content-type');
  if (status === start.answer.status) {
    const [type, meant] = [answer, start.answer].map(({ headers }) => parseMediaType(headers['content-type'] ?? ''));
    if (type === meant && type !== '') return verdict.pass('HEAD has the status and the media type of GET.', evidence);
    return verdict.partial(0.5, 'HEAD has the status of GET and not its media type.', evidence);
  }
  if (status === 405 || status === 501)
    return verdict.partial(0.5, `HEAD is answered ${status}: the server does not know the method.`, evidence);
  if (isInconclusive(status))
    return verdict.unknown(`HEAD is answered ${status}, which may be a refusal of us.`, evidence);
  return verdict.fail(`HEAD is answered ${status} where GET is answered ${start.answer.status}.`, evidence);
}

function judgeConditional({ httpBehaviour: { start, validators, replay } }: FactsOf<'httpBehaviour'>): CheckOutcome {
  if (!isSuccess(start))
    return verdict.notApplicable('The start page does not answer with success, so there is nothing to keep.');
  const said = [buildHeaderEvidence(start.exchange, 'etag'), buildHeaderEvidence(start.exchange, 'last-modified')];
  if (Object.keys(validators).length === 0) return verdict.fail('The page has neither ETag nor Last-Modified.', said);
  if (!replay)
    return verdict.unknown('The conditional request was not made: the budget of requests was used up.', said);
  const { answer } = replay;
  if (!answer.ok) return verdict.unknown(`The conditional request gave no answer (${answer.reason}).`, said);
  const evidence = [buildRequestEvidence(replay), ...said];
  if (answer.status === 304) return verdict.pass('The page answers 304 when it has not changed.', evidence);
  if (isInconclusive(answer.status))
    return verdict.unknown(`The conditional request is answered ${answer.status}.`, evidence);
  return verdict.partial(
    0.5,
    `The page names its version and still answers ${answer.status} when that is brought back.`,
    evidence,
  );
}

function withoutFiles({ blind }: AgentDiscovery): CheckOutcome {
  return blind
    ? verdict.unknown('No discovery file was found, and some places could not be read.')
    : verdict.notApplicable('The site has no discovery file.');
}

function judgeCache({ agentDiscovery: found }: FactsOf<'agentDiscovery'>): CheckOutcome {
  const files = found.files.filter(({ name }) => name !== API_FILE);
  if (files.length === 0) return withoutFiles(found);
  const rows = files.map((file) => ({ file, caching: extractCaching(file.answer) }));
  const stale = rows.filter(({ caching }) => (caching.maxAge ?? 0) > WEEK_SECONDS);
  const good = rows.filter(({ caching: { maxAge, uncached } }) => {
    return !uncached && maxAge !== undefined && maxAge >= MINUTE_SECONDS && maxAge <= DAY_SECONDS;
  });
  const shown = (list: typeof rows) => list.map(({ file }) => buildHeaderEvidence(file.exchange, 'cache-control'));
  const names = (list: typeof rows): string => list.map(({ file }) => file.name).join(', ');
  if (stale.length > 0) return verdict.fail(`Cached for more than seven days: ${names(stale)}.`, shown(stale));
  if (good.length === rows.length)
    return verdict.pass(
      `Each of ${formatCount(rows.length, 'discovery file')} that we read is cached for a minute to a day.`,
      shown(good),
    );
  const rest = rows.filter((row) => !good.includes(row));
  const value = Math.round((1000 * (good.length + rest.length / 2)) / rows.length) / 1000;
  return verdict.partial(value, `Without a lifetime of a minute to a day: ${names(rest)}.`, shown(rest));
}

function judgeCors({ agentDiscovery: found }: FactsOf<'agentDiscovery'>): CheckOutcome {
  const files = found.files.filter(({ forBrowsers }) => forBrowsers);
  if (files.length === 0) return withoutFiles(found);
  const shown = (list: readonly AgentFile[]) =>
    list.map(({ exchange }) => buildHeaderEvidence(exchange, 'access-control-allow-origin'));
  const names = (list: readonly AgentFile[]): string => list.map(({ name }) => name).join(', ');
  const confused = files.filter(
    (file) => isOpenToAnyOrigin(file) && file.answer.headers['access-control-allow-credentials'],
  );
  if (confused.length > 0)
    return verdict.fail(
      `Every origin and credentials are allowed at once: ${names(confused)}. Browsers refuse that.`,
      shown(confused),
    );
  const judged = files.filter((file) => isOpenToAnyOrigin(file) || !hasOriginVary(file));
  if (judged.length === 0)
    return verdict.unknown('The answers depend on the Origin header, which we do not send.', shown(files));
  const shut = judged.filter((file) => !isOpenToAnyOrigin(file));
  const note =
    shut.length === 0 ? 'Pages of every origin may read them.' : `Not readable from other origins: ${names(shut)}.`;
  const share = 1 - shut.length / judged.length;
  return verdict.byShare(share, { passAt: 1, partialAt: 0.001 }, note, shown(shut.length === 0 ? judged : shut));
}

const isOpenToAnyOrigin = ({ answer }: AgentFile): boolean =>
  answer.headers['access-control-allow-origin']?.trim() === '*';

const hasOriginVary = ({ answer }: AgentFile): boolean =>
  (answer.headers['vary'] ?? '')
    .toLowerCase()
    .split(',')
    .some((name) => name.trim() === 'origin');

function judgeLinkHeader({ serviceLinks: { start, links, surfaces } }: FactsOf<'serviceLinks'>): CheckOutcome {
  if (surfaces.length === 0) return verdict.notApplicable('Nothing on the site speaks of an API or an agent surface.');
  const header = buildHeaderEvidence(start.exchange, 'link');
  if (links.length === 0)
    return verdict.fail('The site offers something to programs, and its Link header does not say so.', header);
  const live = links.find(({ target }) => target === 'resolves');
  if (live)
    return verdict.pass(`The Link header leads to a ${live.rel} that is there.`, [
      header,
      ...(live.exchange ? [buildRequestEvidence(live.exchange)] : []),
    ]);
  const dead = links.filter(({ target }) => target === 'dead');
  if (dead.length === links.length)
    return verdict.fail('The Link header leads nowhere.', [
      header,
      ...dead.flatMap(({ exchange }) => (exchange ? [buildRequestEvidence(exchange)] : [])),
    ]);
  return verdict.unknown('The targets of the Link header were not read.', header);
}

function judgeRateLimits({ rateLimits: answers }: FactsOf<'rateLimits'>): CheckOutcome {
  if (answers.length === 0) return verdict.notApplicable('No request of this audit was answered 429 or 503.');
  const silent = answers.filter(({ answer }) => !isRetryAfter(answer.headers['retry-after'] ?? ''));
  const note = `${answers.length - silent.length} of ${formatCount(answers.length, 'answer')} with 429 or 503 say when to come back.`;
  const shown = (silent.length === 0 ? answers : silent).map(({ exchange }) =>
    buildHeaderEvidence(exchange, 'retry-after'),
  );
  return verdict.byShare(1 - silent.length / answers.length, { passAt: 1, partialAt: 0.001 }, note, shown);
}
