import { type CheckOutcome, formatCount, verdict } from '../../core/check.ts';
import { buildHeaderEvidence, buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import { listBearerIssues, findBearerChallenge } from '../facts/auth.ts';
import type { DocumentState } from '../facts/document.ts';
import {
  findFirstDocument,
  findResourceFit,
  selectServerMetadata,
  type DescribedProtection,
  type EndpointProtection,
  type McpProtection,
} from '../facts/protection.ts';
import { parseChallenges } from '../facts/www-authenticate.ts';
import type { Site } from '../../core/site.ts';
import { defineMcpCheck, isLoopbackHost, type McpSurface } from './common.ts';

const AUTH = 'MCP 2026-07-28 basic/authorization';

export const mcpAuthChecks = [
  defineMcpCheck({
    id: 'mcp.auth.challenge',
    title: '401 carries a usable challenge',
    failureTitle: 'Send a usable challenge with the 401',
    weight: 3,
    grade: 'A',
    why: 'The challenge is where a client starts: it says that a token is wanted and where to learn how to get one.',
    source: `${AUTH}, "Scope Selection Strategy"; RFC 6750 section 3; RFC 9728 section 5.1`,
    fix: 'Answer 401 with WWW-Authenticate: Bearer resource_metadata="https://.../.well-known/oauth-protected-resource/<path>", scope="...".',
    needs: ['mcpProtection'],
    judge: onProtected(judgeChallenge),
  }),
  defineMcpCheck({
    id: 'mcp.auth.prm',
    title: 'Protected Resource Metadata is valid',
    failureTitle: 'Correct the Protected Resource Metadata',
    weight: 4,
    grade: 'A',
    why: 'Without this document no client can find the authorization server; with a wrong resource it must not use it.',
    source: `${AUTH}, "Overview" 4: MCP servers MUST implement RFC 9728; RFC 9728 sections 2, 3.1 and 3.3`,
    fix: 'Serve /.well-known/oauth-protected-resource/<MCP path> as JSON with resource equal to the MCP URL and at least one https authorization server.',
    needs: ['mcpProtection'],
    judge: onDescribed(judgeResourceMetadata),
  }),
  defineMcpCheck({
    id: 'mcp.auth.as-metadata',
    title: 'AS metadata resolves',
    failureTitle: 'Repair the authorization server metadata',
    weight: 4,
    grade: 'A',
    why: 'Clients learn the authorization and token endpoints only from here, and must refuse a document of another issuer.',
    source: `${AUTH}, "Overview" 5: authorization servers MUST provide RFC 8414 or OpenID metadata; RFC 8414 sections 3.1 and 3.3`,
    fix: 'Serve /.well-known/oauth-authorization-server/<issuer path> with issuer spelled exactly as in authorization_servers.',
    needs: ['mcpProtection'],
    judge: onDescribed(judgeServerMetadata),
  }),
  defineMcpCheck({
    id: 'mcp.auth.pkce',
    title: 'PKCE S256 is advertised',
    failureTitle: 'Advertise PKCE with S256',
    weight: 3,
    grade: 'A',
    why: 'A client must refuse an authorization server that does not say it supports PKCE.',
    source: `${AUTH}/security-considerations: clients MUST refuse when code_challenge_methods_supported is absent; RFC 7636 section 4.2`,
    fix: 'Add "code_challenge_methods_supported": ["S256"] to the metadata of the authorization server.',
    needs: ['mcpProtection'],
    judge: onServerMetadata(({ challengeMethods }, evidence) => {
      if (challengeMethods === undefined)
        return verdict.fail('code_challenge_methods_supported is absent: clients must stop here.', evidence);
      return challengeMethods.includes('S256')
        ? verdict.pass('S256 is among the code challenge methods.', evidence)
        : verdict.fail(
            `S256 is not among the code challenge methods: the metadata lists ${formatCount(challengeMethods.length, 'other')}.`,
            evidence,
          );
    }),
  }),
  defineMcpCheck({
    id: 'mcp.auth.registration',
    title: 'Clients can register',
    failureTitle: 'Give clients a way to register',
    weight: 2,
    grade: 'B',
    why: 'A client the server has never met can only join if it may introduce itself; else a person must enter it by hand.',
    source: `${AUTH}/client-registration: client ID metadata documents SHOULD be supported; Dynamic Client Registration (RFC 7591) is deprecated, earliest removal 2027-07-28`,
    fix: 'Support client ID metadata documents and set client_id_metadata_document_supported to true.',
    needs: ['mcpProtection'],
    judge: onServerMetadata(({ clientIdMetadataDocuments, endpoints }, evidence) => {
      if (clientIdMetadataDocuments) return verdict.pass('Client ID metadata documents are supported.', evidence);
      return endpoints['registration_endpoint'] === undefined
        ? verdict.partial(0.25, 'Only clients registered in advance can join.', evidence)
        : verdict.partial(0.5, 'Only Dynamic Client Registration is offered, which is deprecated.', evidence);
    }),
  }),
  defineMcpCheck({
    id: 'mcp.auth.endpoints-https',
    title: 'OAuth endpoints are https',
    failureTitle: 'Serve OAuth endpoints by https',
    weight: 2,
    grade: 'A',
    why: 'Codes, tokens and keys pass through these endpoints.',
    source: 'OAuth 2.1 section 1.5; RFC 8414 section 2',
    fix: 'Use https for the authorization, token, registration and jwks URLs, on hosts that answer themselves.',
    needs: ['mcpProtection'],
    judge: onServerMetadata(judgeEndpointsHttps),
  }),
  defineMcpCheck({
    id: 'mcp.auth.bad-token',
    title: 'Garbage token is refused',
    failureTitle: 'Refuse a made-up token with 401',
    weight: 2,
    grade: 'A',
    why: 'A server that lets an invented token in checks none.',
    source: `${AUTH}, "Access Token Usage": servers MUST validate tokens, invalid ones MUST get 401; RFC 6750 section 3.1`,
    fix: 'Validate every token and answer 401 with error="invalid_token" to one you did not expect.',
    needs: ['mcpProtection'],
    judge: onProtected(judgeBadToken),
  }),
];

export type AuthFacts = McpSurface & { mcpProtection: McpProtection };
type Metadata = NonNullable<ReturnType<typeof selectServerMetadata>>['metadata'];

/** Runs a judge over a protected endpoint; an open server needs no authorization. */
export function onProtected(
  judge: (protection: EndpointProtection, site: Site, facts: AuthFacts) => CheckOutcome,
): (facts: AuthFacts, site: Site) => CheckOutcome {
  return (facts, site) =>
    facts.mcpProtection.state === 'protected'
      ? judge(facts.mcpProtection, site, facts)
      : verdict.notApplicable('No protected endpoint was seen.');
}

/** The same over an endpoint that answered no 401, too, where the site has Protected Resource Metadata. */
export function onDescribed(
  judge: (protection: DescribedProtection, site: Site, facts: AuthFacts) => CheckOutcome,
): (facts: AuthFacts, site: Site) => CheckOutcome {
  return (facts, site) =>
    facts.mcpProtection.state === 'open'
      ? verdict.notApplicable('No endpoint answered 401, and no Protected Resource Metadata was found.')
      : judge(facts.mcpProtection, site, facts);
}

/** Runs a judge over the metadata that `mcp.auth.as-metadata` found; whether it should be there is that check's question. */
export function onServerMetadata(
  judge: (
    metadata: Metadata,
    evidence: CheckEvidence,
    at: { site: Site; protection: DescribedProtection },
  ) => CheckOutcome,
) {
  return onDescribed((protection, site) => {
    const found = selectServerMetadata(protection);
    if (!found) {
      return protection.serverMetadata.some(isUnread)
        ? verdict.unknown('The metadata of the authorization server could not be read.')
        : verdict.notApplicable('No metadata of an authorization server was found.');
    }
    const state = protection.serverMetadata.find((one) => one.state === 'found' && one.document === found.metadata);
    return judge(found.metadata, state?.exchange ? buildRequestEvidence(state.exchange) : { url: protection.url }, {
      site,
      protection,
    });
  });
}

export const isUnread = (state: DocumentState<unknown>): boolean => state.state === 'unreadable';

function judgeChallenge({ challenged, bearer, resourceMetadata }: EndpointProtection): CheckOutcome {
  const evidence = buildHeaderEvidence(challenged, 'www-authenticate');
  const metadata = findFirstDocument(resourceMetadata);
  if (!bearer) {
    return metadata
      ? verdict.partial(
          0.5,
          'The 401 has no Bearer challenge; only clients that try the well-known URL find the metadata.',
          evidence,
        )
      : verdict.fail(
          'The 401 has no Bearer challenge, and no Protected Resource Metadata is at a well-known URL.',
          evidence,
        );
  }
  const issues = listBearerIssues(bearer);
  if (issues.length > 0)
    return verdict.partial(0.5, `The Bearer challenge is not well formed: ${issues.join('; ')}.`, evidence);
  const named = bearer.params.get('resource_metadata');
  if (named === undefined) {
    return metadata
      ? verdict.pass('A Bearer challenge, with metadata at the well-known URL.', evidence)
      : verdict.fail('The Bearer challenge names no resource_metadata, and none is at a well-known URL.', evidence);
  }
  const leads = resourceMetadata[0]?.state;
  if (leads === 'found') return verdict.pass('The Bearer challenge leads to the resource metadata.', evidence);
  return leads === 'unreadable'
    ? verdict.unknown('The URL in resource_metadata could not be read.', evidence)
    : verdict.partial(0.5, 'The URL in resource_metadata holds no metadata.', evidence);
}

function judgeResourceMetadata(protection: DescribedProtection, site: Site): CheckOutcome {
  const states = protection.resourceMetadata;
  const evidence = buildStateEvidence(states);
  const metadata = findFirstDocument(states);
  if (!metadata) return judgeMissingMetadata(states, 'Protected Resource Metadata', 'No Protected Resource Metadata');
  if (metadata.issues.length > 0) return verdict.fail(`${issueNote(metadata.issues)}.`, evidence);
  const fit = findResourceFit(protection);
  if (fit === 'other')
    return verdict.fail('resource is another address than that of the endpoint.', [
      { url: protection.url, excerpt: `resource: ${metadata.resource?.slice(0, 200)}` },
      ...evidence,
    ]);
  const plain = metadata.authorizationServers.filter((server) => !isSecure(server, site));
  if (plain.length > 0) return verdict.fail('An authorization server is not https.', evidence);
  const note =
    fit === 'exact'
      ? 'resource is the endpoint'
      : 'resource is a parent of the endpoint, or differs by a slash, which strict clients refuse';
  return verdict.pass(`The metadata is valid; ${note}.`, evidence);
}

function judgeServerMetadata(protection: DescribedProtection): CheckOutcome {
  const { issuer, serverMetadata } = protection;
  if (issuer === undefined) {
    return protection.resourceMetadata.some(isUnread)
      ? verdict.unknown('The issuer is not known: Protected Resource Metadata could not be read.')
      : verdict.fail('No Protected Resource Metadata names an issuer, so no client can find its metadata.', {
          url: protection.url,
        });
  }
  const evidence = buildStateEvidence(serverMetadata);
  const found = selectServerMetadata(protection);
  if (!found) return judgeMissingMetadata(serverMetadata, 'The metadata of the issuer', 'No metadata of the issuer');
  if (!found.sameIssuer)
    return verdict.fail(
      'The issuer in the document is not the one that was looked up: clients must not use it.',
      evidence,
    );
  if (found.metadata.issues.length > 0) return verdict.partial(0.5, `${issueNote(found.metadata.issues)}.`, evidence);
  return verdict.pass('The metadata resolves, with the very same issuer.', evidence);
}

function judgeEndpointsHttps(
  { endpoints }: Metadata,
  evidence: CheckEvidence,
  at: { site: Site; protection: DescribedProtection },
): CheckOutcome {
  if (at.site.local) return verdict.notApplicable('A local site needs no https.');
  const plain = Object.entries(endpoints).filter(([, url]) => !isSecure(url, at.site));
  if (Object.keys(endpoints).length === 0) return verdict.notApplicable('The metadata names no endpoint.');
  if (plain.length > 0) return verdict.fail(`Not https: ${plain.map(([name]) => name).join(', ')}.`, evidence);
  const { jwks } = at.protection;
  if (jwks?.answer.ok && new URL(jwks.answer.url).host !== new URL(jwks.url).host) {
    return verdict.fail('jwks_uri redirects to another host.', [evidence, buildRequestEvidence(jwks)]);
  }
  return verdict.pass(`${Object.keys(endpoints).join(', ')} are https.`, evidence);
}

function judgeBadToken({ badToken }: EndpointProtection): CheckOutcome {
  if (!badToken) return verdict.unknown('No request with an invented token was made.');
  const { exchange } = badToken;
  if (!exchange.answer.ok)
    return verdict.unknown('The answer to an invented token could not be read.', buildRequestEvidence(exchange));
  const { status, headers } = exchange.answer;
  const evidence = buildHeaderEvidence(exchange, 'www-authenticate');
  if (status === 429 || status >= 502) return verdict.unknown(`An invented token was answered ${status}.`, evidence);
  if (status !== 401) return verdict.fail(`An invented token is answered ${status} instead of 401.`, evidence);
  const error = findBearerChallenge(parseChallenges(headers['www-authenticate'] ?? ''))?.params.get('error');
  return error === 'invalid_token'
    ? verdict.pass('An invented token is refused with invalid_token.', evidence)
    : verdict.partial(
        0.5,
        'An invented token is refused, but without error="invalid_token", so clients cannot tell why.',
        evidence,
      );
}

const buildStateExcerpt = (state: DocumentState<unknown>): { excerpt: string } => ({
  excerpt: state.state === 'found' ? state.answer.body.slice(0, 300) : state.why,
});

const buildStateEvidence = (states: readonly DocumentState<unknown>[]): readonly CheckEvidence[] =>
  states.flatMap((state) => (state.exchange ? [buildRequestEvidence(state.exchange, buildStateExcerpt(state))] : []));

/** The outcome where none of the places holds a document, with its name as it begins a sentence, and denied. */
function judgeMissingMetadata(states: readonly DocumentState<unknown>[], name: string, none: string): CheckOutcome {
  const evidence = buildStateEvidence(states);
  return states.length === 0 || states.some(isUnread)
    ? verdict.unknown(`${name} could not be read.`, evidence)
    : verdict.fail(`${none} at any place a client would ask.`, evidence);
}

/** https, or plain http where a loopback host talks to itself. */
function isSecure(url: string, site: Site): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.protocol === 'https:' || (site.local && isLoopbackHost(parsed.hostname)));
}
