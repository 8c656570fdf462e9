import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import type { ApiDescription } from '../facts/api-description.ts';
import {
  readDeclaredSecurity,
  tallyDescribedParts,
  tallyDocumentedErrors,
  type PartTally,
} from '../facts/openapi-quality.ts';
import { withoutDescription } from './api-description.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';

const OAS = 'https://spec.openapis.org/oas/v3.2.0.html';
const MAX_SHOWN = 10;

/** Checks of how well an API description serves a program that has nothing else to go by. */
export const apiQualityChecks = [
  defineCheck({
    id: 'agent.api.described-params',
    title: 'Parameters, bodies and responses are described',
    failureTitle: 'Describe parameters, bodies and responses',
    weight: 1,
    grade: 'B',
    why: 'A model fills arguments from the descriptions: a bare name makes it guess. Counted are parameters, request bodies and successful responses that have a schema and a description; 80% pass, half is partial.',
    source: `${OAS}#parameter-object, #request-body-object, #response-object`,
    fix: 'Give the parts shown a schema and a description that says what the value means, with its unit and format.',
    needs: ['openapi'],
    judge: ({ openapi }) => judgeTally(openapi, tallyDescribedParts, { passAt: 0.8, partialAt: 0.5 }, DESCRIBED),
  }),
  defineCheck({
    id: 'agent.api.errors-examples',
    title: 'Error responses and examples are present',
    failureTitle: 'Add error responses and examples',
    weight: 1,
    grade: 'C',
    why: 'From a documented error an agent learns what to correct, and from an example what a good call looks like. Half of the operations should have both; a quarter is partial.',
    source: `${OAS}#responses-object, #example-object`,
    fix: 'Document the 4xx answers of the operations shown, and add one example of a request or an answer.',
    needs: ['openapi'],
    judge: ({ openapi }) => judgeTally(openapi, tallyDocumentedErrors, { passAt: 0.5, partialAt: 0.25 }, ERRORS),
  }),
  defineCheck({
    id: 'agent.api.security-declared',
    title: 'Auth is declared',
    failureTitle: 'Declare how to authenticate to the API',
    weight: 1,
    grade: 'B',
    why: 'An agent has to know before the first call whether it needs a credential, and which. Silence counts half; a 401 without a scheme fails.',
    source: `${OAS}#security-requirement-object, #security-scheme-object`,
    fix: 'Declare the schemes under components.securitySchemes and name them in security, or write "security": [] where nothing is needed.',
    needs: ['openapi', 'apiProbes'],
    judge: judgeSecurity,
  }),
  defineCheck({
    id: 'agent.api.servers',
    title: 'servers URL resolves and is https',
    failureTitle: 'Correct the servers URL',
    weight: 1,
    grade: 'B',
    why: 'Every call is built from this address. A relative one counts as the absolute one that OpenAPI makes of it; the first server on another origin is asked whether it answers, with any status.',
    source: `${OAS}#server-object`,
    fix: 'Name the public https address of the API in servers, with defaults for its variables, and leave out localhost and example hosts.',
    needs: ['openapi', 'apiProbes'],
    judge: judgeServers,
  }),
];

const DESCRIBED = { one: 'part', done: 'have a schema and a description' };
const ERRORS = { one: 'operation', done: 'document an error and hold an example' };

function judgeTally(
  openapi: ApiDescription,
  count: (source: ApiDescriptionSource) => PartTally,
  bounds: { passAt: number; partialAt: number },
  words: { one: string; done: string },
): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  const { total, good, lacking } = count(found.document.source);
  if (total === 0) return verdict.notApplicable('The document has nothing of the kind to judge.');
  const note = `${formatShare(good / total)} of ${formatCount(total, words.one)} ${words.done}.`;
  const evidence = lacking
    .slice(0, MAX_SHOWN)
    .map(({ pointer, what }) => buildRequestEvidence(found.exchange, { selector: pointer, excerpt: what }));
  return verdict.byShare(
    good / total,
    bounds,
    note,
    evidence.length === 0 ? buildRequestEvidence(found.exchange) : evidence,
  );
}

type ApiDescriptionSource = NonNullable<ApiDescription['found']>['document']['source'];

function judgeSecurity({ openapi, apiProbes: { error } }: FactsOf<'openapi' | 'apiProbes'>): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  if (!found.document.operations.some(({ webhook }) => !webhook))
    return verdict.notApplicable('The document has no operations.');
  const { schemes, used, undeclared, explicit, documents401 } = readDeclaredSecurity(found.document.source);
  const refused = typeof error === 'object' && error.answer.ok && error.answer.status === 401 ? error : undefined;
  const evidence = [
    buildRequestEvidence(found.exchange, { selector: '/security' }),
    ...(refused ? [buildRequestEvidence(refused)] : []),
  ];
  if (undeclared.length > 0)
    return verdict.fail(`${formatCount(undeclared.length, 'scheme')} asked for and defined nowhere.`, [
      buildRequestEvidence(found.exchange, { selector: '/components/securitySchemes', excerpt: undeclared.join(', ') }),
    ]);
  if (used.length > 0) return verdict.pass(`${formatCount(used.length, 'scheme')} declared and asked for.`, evidence);
  if (documents401 || refused)
    return verdict.fail('A 401 is given or documented, and no scheme is asked for that would lead past it.', evidence);
  if (explicit) return verdict.pass('The document says that no credential is needed.', evidence);
  return schemes.length > 0
    ? verdict.partial(0.5, 'Schemes are defined, and no operation asks for one.', evidence)
    : verdict.partial(0.5, 'The document does not say whether a credential is needed.', evidence);
}

function judgeServers({ openapi, apiProbes: { servers, server } }: FactsOf<'openapi' | 'apiProbes'>): CheckOutcome {
  const { found } = openapi;
  if (!found) return withoutDescription(openapi);
  const asked = typeof server === 'object' ? server : undefined;
  const dead = asked && isDead(asked.answer) ? asked : undefined;
  const silent = asked !== undefined && !asked.answer.ok && !dead;
  const judged = servers.map(({ url, fault }) => ({
    url,
    fault: fault ?? (url === dead?.url ? 'does not answer' : undefined),
  }));
  const faulty = judged.filter(({ fault }) => fault !== undefined);
  const evidence = faulty
    .slice(0, MAX_SHOWN)
    .map(({ url, fault }) =>
      buildRequestEvidence(found.exchange, { selector: '/servers', excerpt: `${url} ${fault ?? ''}` }),
    );
  if (judged.length === 0)
    return verdict.fail(
      'The document names no server that a program could call.',
      buildRequestEvidence(found.exchange, { selector: '/servers' }),
    );
  if (faulty.length === 0 && (silent || server === 'not_asked'))
    return verdict.unknown(
      'The server of the API could not be asked.',
      asked ? buildRequestEvidence(asked) : buildRequestEvidence(found.exchange),
    );
  const note = `${judged.length - faulty.length} of ${formatCount(judged.length, 'server')} can be called.`;
  const good = [
    buildRequestEvidence(found.exchange, { selector: '/servers' }),
    ...(asked ? [buildRequestEvidence(asked)] : []),
  ];
  const shown = faulty.length === 0 ? good : [...evidence, ...(dead ? [buildRequestEvidence(dead)] : [])];
  return verdict.byShare(1 - faulty.length / judged.length, { passAt: 1, partialAt: 0.001 }, note, shown);
}

/**
 * No server there, or an address that leads a public site's callers into a private network; a timeout may be our fault.
 */
const isDead = (answer: { ok: boolean; reason?: string }): boolean =>
  !answer.ok && (answer.reason === 'connection_failed' || answer.reason === 'private_target');
