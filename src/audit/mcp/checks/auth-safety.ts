import { type CheckOutcome, type FactsOf, verdict } from '../../core/check.ts';
import { buildHeaderEvidence, buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { isServerCardEntry } from '../../agent-files/facts/ai-catalog.ts';
import type { McpDiscovery } from '../facts/discovery.ts';
import type { DocumentState } from '../facts/document.ts';
import { findFirstDocument, type EndpointProtection } from '../facts/protection.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { isUnread, onProtected, onServerMetadata } from './auth.ts';
import { defineMcpCheck } from './common.ts';

const AUTH = 'MCP 2026-07-28 basic/authorization';

/** How tokens travel, what they may do, and that learning how to get one needs no token. */
export const mcpAuthSafetyChecks = [
  defineMcpCheck({
    id: 'mcp.auth.query-token',
    title: 'Token in query string is not accepted or advertised',
    failureTitle: 'Stop taking tokens in the query string',
    weight: 1,
    grade: 'A',
    why: 'URLs end up in logs, histories and Referer headers: a token in one is a token published.',
    source: `${AUTH}, "Access Token Usage": tokens MUST NOT be included in the URI query string; OAuth 2.1 section 5.1; RFC 9728 section 2, bearer_methods_supported`,
    fix: 'Set "bearer_methods_supported": ["header"] in the resource metadata, and take tokens and keys out of every declared URL.',
    needs: ['mcpProtection'],
    judge: onProtected((protection, _, { mcpDiscovery }) => judgeQueryTokens(protection, mcpDiscovery)),
  }),
  defineMcpCheck({
    id: 'mcp.auth.scopes',
    title: 'Scopes are published',
    failureTitle: 'Publish the scopes',
    weight: 1,
    grade: 'B',
    why: 'A client that does not know the scopes asks for all of them, or for none and fails.',
    source: `${AUTH}, "Scope Selection Strategy": servers SHOULD include scope in the challenge, clients fall back to scopes_supported; RFC 9728 section 2`,
    fix: 'List the scopes of basic use in scopes_supported of the resource metadata, and name those a request needs in scope="..." of its 401.',
    needs: ['mcpProtection'],
    judge: onProtected(judgeScopes),
  }),
  defineMcpCheck({
    id: 'mcp.auth.resource-param',
    title: 'AS supports resource indicators',
    failureTitle: 'Check the support of resource indicators',
    weight: 0,
    grade: 'A',
    why: 'A token bound to its resource is worth nothing elsewhere. Whether the server binds it shows only to a client that gets one, and the audit gets none.',
    source: `${AUTH}, "Resource Parameter Implementation"; RFC 8707 section 2`,
    fix: 'Honour the resource parameter in authorization and token requests, and issue tokens for that audience alone.',
    needs: ['mcpProtection'],
    judge: onProtected(() =>
      verdict.notApplicable('RFC 8707 cannot be observed without a token; the audit registers no client.'),
    ),
  }),
  defineMcpCheck({
    id: 'mcp.auth.iss',
    title: 'AS returns iss',
    failureTitle: 'Announce iss in the metadata',
    weight: 1,
    grade: 'B',
    why: 'With iss in the response a client sees which server answered: the defence against one server passing for another.',
    source: `${AUTH}, "Authorization Response Validation": iss SHOULD be included, and a later revision is expected to demand it; RFC 9207 sections 2 and 3`,
    fix: 'Add iss to authorization responses, errors included, and set "authorization_response_iss_parameter_supported": true.',
    needs: ['mcpProtection'],
    judge: onServerMetadata(({ issuerInResponses }, evidence) =>
      issuerInResponses
        ? verdict.pass('Authorization responses carry iss.', evidence)
        : verdict.partial(0.5, 'authorization_response_iss_parameter_supported is not true.', evidence),
    ),
  }),
  defineMcpCheck({
    id: 'mcp.auth.public-discovery',
    title: 'Discovery documents need no token',
    failureTitle: 'Serve discovery documents without a token',
    weight: 1,
    grade: 'A',
    why: 'These documents tell a client how to get its first token: behind one, they can never be read.',
    source:
      'RFC 9728 section 3.1 (an unauthenticated GET); RFC 8414 section 3; https://github.com/modelcontextprotocol/experimental-ext-server-card docs/discovery.md, "Information Disclosure": publicly accessible by design',
    fix: 'Exempt /.well-known/ and the Server Card from authentication and from protection against bots.',
    needs: ['mcpProtection'],
    judge: judgePublic,
  }),
];

const TOKEN_PARAMETERS = ['access_token', 'token', 'api_key', 'apikey', 'key'];

function judgeQueryTokens({ resourceMetadata }: EndpointProtection, { sources }: McpDiscovery): CheckOutcome {
  const leaky = sources.flatMap(({ url, endpoints }) =>
    endpoints
      .filter((endpoint) => hasTokenParameter(endpoint.url))
      .map(() => ({ url, excerpt: 'an endpoint URL with a token in its query' })),
  );
  const metadata = findFirstDocument(resourceMetadata);
  const read = resourceMetadata.flatMap((state) =>
    state.state === 'found' ? [buildRequestEvidence(state.exchange)] : [],
  );
  if (metadata?.bearerMethods?.includes('query') === true)
    return verdict.fail('bearer_methods_supported lists query.', [...read, ...leaky]);
  if (leaky.length > 0)
    return verdict.fail(`${leaky.length} declared endpoint URL(s) carry a token in the query.`, leaky);
  if (metadata) return verdict.pass('No document sends a token in a query string.', read);
  return resourceMetadata.some(isUnread)
    ? verdict.unknown('Protected Resource Metadata could not be read.')
    : verdict.notApplicable('No metadata says how tokens travel; see mcp.auth.prm.');
}

const hasTokenParameter = (url: string): boolean => {
  const query = URL.parse(url.replaceAll(/[{}]/g, 'x'))?.searchParams;
  return TOKEN_PARAMETERS.some((name) => query?.has(name) === true);
};

function judgeScopes({ resourceMetadata, bearer, challenged }: EndpointProtection): CheckOutcome {
  const metadata = findFirstDocument(resourceMetadata);
  const listed = metadata?.scopes?.length ?? 0;
  const challenge = bearer?.params.get('scope');
  const evidence: readonly CheckEvidence[] = [
    buildHeaderEvidence(challenged, 'www-authenticate'),
    ...resourceMetadata.flatMap((state) => (state.state === 'found' ? [buildRequestEvidence(state.exchange)] : [])),
  ];
  if (challenge !== undefined && challenge.trim() !== '')
    return verdict.pass('The challenge names the scopes that are needed.', evidence);
  if (listed > 0) return verdict.pass(`scopes_supported lists ${listed} scope(s).`, evidence);
  return !metadata && resourceMetadata.some(isUnread)
    ? verdict.unknown('Protected Resource Metadata could not be read.', evidence)
    : verdict.fail('Neither the challenge nor scopes_supported names a scope.', evidence);
}

type DocumentExposure = {
  name: string;
  state: 'public' | 'guarded' | 'unread' | 'none';
  evidence: readonly CheckEvidence[];
};

function judgePublic({
  mcpDiscovery: discovery,
  mcpProtection: protection,
}: FactsOf<'mcpDiscovery' | 'mcpProtection'>): CheckOutcome {
  const documents: readonly DocumentExposure[] = [
    // Absent also where the site wants a token for any path it does not have.
    mergeExposures('the AI Catalog', discovery.catalog.state === 'absent' ? [] : [discovery.catalog]),
    ...listCardExposures(discovery),
    ...(protection.state === 'protected'
      ? [
          mergeExposures('Protected Resource Metadata', protection.resourceMetadata),
          mergeExposures('authorization server metadata', protection.serverMetadata),
        ]
      : []),
  ];
  const of = (state: DocumentExposure['state']): readonly DocumentExposure[] =>
    documents.filter((document) => document.state === state);
  const [open, guarded] = [of('public'), of('guarded')];
  const evidence = [...guarded, ...open].flatMap((document) => document.evidence);
  // One guarded document stops a client as surely as all of them.
  if (guarded.length > 0)
    return verdict.fail(`A token is wanted for ${guarded.map(({ name }) => name).join(' and ')}.`, evidence);
  if (open.length > 0)
    return verdict.pass(`Read without a token: ${open.map(({ name }) => name).join(', ')}.`, evidence);
  return of('unread').length > 0
    ? verdict.unknown('No discovery document could be read.')
    : verdict.notApplicable('There is no discovery document.');
}

/** A document that may be at one of several places: found at one it is public, asked for a token at one it is guarded. */
function mergeExposures(name: string, states: readonly DocumentState<unknown>[]): DocumentExposure {
  const found = states.find((state) => state.state === 'found');
  if (found?.exchange) return { name, state: 'public', evidence: [buildRequestEvidence(found.exchange)] };
  const guarded = states.find((state) => isTokenRequired(state.exchange));
  if (guarded?.exchange)
    return { name, state: 'guarded', evidence: [buildHeaderEvidence(guarded.exchange, 'www-authenticate')] };
  return { name, state: states.some(isUnread) ? 'unread' : 'none', evidence: [] };
}

/** The cards that a catalog promises; a place where one might merely be proves nothing by a 401. */
function listCardExposures({ catalogUrls, card }: McpDiscovery): readonly DocumentExposure[] {
  const guarded = catalogUrls.find(
    ({ entry, exchange }) => isServerCardEntry(entry) && isTokenRequired(exchange),
  )?.exchange;
  if (guarded)
    return [
      { name: 'the Server Card', state: 'guarded', evidence: [buildHeaderEvidence(guarded, 'www-authenticate')] },
    ];
  return card?.exchange
    ? [{ name: 'the Server Card', state: 'public', evidence: [buildRequestEvidence(card.exchange)] }]
    : [];
}

const isTokenRequired = (exchange: Exchange | undefined): boolean =>
  exchange?.answer.ok === true && exchange.answer.status === 401;
