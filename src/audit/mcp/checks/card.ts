import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, type FactsOf, verdict } from '../../core/check.ts';
import { buildHeaderEvidence, buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { issueNote, formatIssues } from '../../structured-data/facts/json-document.ts';
import type { ServerCardFinding } from '../facts/cards.ts';
import { SERVER_CARD_TYPE } from '../facts/server-card.ts';
import { isRefusalStatus } from '../../reach/facts/blocked-crawler.ts';
import type { Site } from '../../core/site.ts';
import { CARD_DISCOVERY, defineMcpCheck } from './common.ts';

const SEP = 'SEP-2127, https://modelcontextprotocol.io/seps/2127-mcp-server-cards';
const NO_CARD = 'There is no Server Card.';

/** The card itself and how it is served. SEP-2127 is reported both as final and as open, so what rests on it alone is grade B. What it claims is compared with the world in `card-claims.ts`. */
export const mcpCardChecks = [
  defineMcpCheck({
    id: 'mcp.card.found',
    title: 'A Server Card exists',
    failureTitle: 'Publish a Server Card',
    weight: 4,
    grade: 'B',
    why: 'The card says to a client, before it connects, who the server is, where it listens and which protocol versions it speaks.',
    source: `${SEP}; ${CARD_DISCOVERY}, "Server Card Location"`,
    fix: 'Serve a Server Card at <your MCP URL>/server-card and list it in /.well-known/ai-catalog.json.',
    capabilities: ['check_mcp'],

    judge: judgeFound,
  }),
  defineMcpCheck({
    id: 'mcp.card.schema',
    title: 'The card matches the v1 schema',
    failureTitle: 'Correct the card by its schema',
    weight: 4,
    grade: 'B',
    why: 'Clients and registries validate a card against its schema and refuse one that does not match.',
    source: `${SEP}; https://github.com/modelcontextprotocol/experimental-ext-server-card schema.json`,
    fix: 'Correct the members at the JSON pointers shown: $schema, name (namespace/name), version (one, not a range), description (1 to 100 characters) and remotes.',
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }) => judgeSchema(mcpDiscovery.card),
  }),
  defineMcpCheck({
    id: 'mcp.card.media-type',
    title: `Content-Type ${SERVER_CARD_TYPE}`,
    failureTitle: 'Serve the card as application/mcp-server-card+json',
    weight: 1,
    grade: 'B',
    why: 'The media type is how a client knows that the URL of a catalog entry really holds what the entry promised.',
    source: `${CARD_DISCOVERY}, "Server Card Location": servers SHOULD respect the media type wherever they host the card`,
    fix: `Send Content-Type: ${SERVER_CARD_TYPE} with the card.`,
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }) => judgeMediaType(mcpDiscovery.card),
  }),
  defineMcpCheck({
    id: 'mcp.card.cors',
    title: 'Card allows CORS GET',
    failureTitle: 'Allow other sites to read the card',
    weight: 2,
    grade: 'B',
    why: 'A client that runs in a browser cannot read the card of another origin without this header.',
    source: `${CARD_DISCOVERY}, "CORS Requirements": discovery endpoints MUST include CORS headers`,
    fix: 'Send Access-Control-Allow-Origin: * and Access-Control-Allow-Methods: GET with the card.',
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }, site) => judgeCors(mcpDiscovery.card, site),
  }),
  defineMcpCheck({
    id: 'mcp.card.no-secrets',
    title: 'No secret in the card or mcp.json',
    failureTitle: 'Remove the secret from the card or mcp.json',
    weight: 3,
    grade: 'A',
    why: 'These files are public: a key in one is a key given away to everybody who looks.',
    source: 'Server Card schema, Input.isSecret and Input.value; docs/discovery.md, "Information Disclosure"',
    fix: 'Remove the value, describe it as a variable with isSecret instead, and replace the key: it must count as known to strangers.',
    gate: { caps: { mcp: 40 } },

    judge: judgeSecrets,
  }),
];

function judgeFound({ mcpDiscovery: { card, tried, catalogUrls } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  if (card) {
    const evidence = buildCardEvidence(card);
    if (card.where === 'catalog') return verdict.pass('The AI Catalog leads to a Server Card.', evidence);
    if (card.where === 'beside_endpoint') return verdict.pass('A Server Card is at <MCP URL>/server-card.', evidence);
    return verdict.partial(
      0.5,
      'A Server Card is only at a place of older drafts, where current clients do not look.',
      evidence,
    );
  }
  const listed = catalogUrls.flatMap(({ exchange }) => exchange ?? []);
  const evidence = [
    ...tried.map(({ exchange, saw }) => buildRequestEvidence(exchange, { excerpt: saw })),
    ...listed.map((exchange) => buildRequestEvidence(exchange)),
  ];
  const blind =
    tried.some((place) => place.blind) ||
    listed.some(({ answer }) => !answer.ok || answer.status >= 500 || isRefusalStatus(answer.status));
  return blind
    ? verdict.unknown('No Server Card was seen, but not every place could be read.', evidence)
    : verdict.fail(
        'No Server Card was found: no catalog entry leads to one, and none is beside the endpoint.',
        evidence,
      );
}

function judgeSchema(card: ServerCardFinding | undefined): CheckOutcome {
  if (!card) return verdict.notApplicable(NO_CARD);
  const { issues } = card.card;
  if (issues.length === 0) return verdict.pass('The card is valid by the v1 schema.', buildCardEvidence(card));
  return verdict.fail(`${issueNote(issues)}.`, {
    ...buildCardEvidence(card),
    excerpt: formatIssues(issues, 10).slice(0, 300),
  });
}

function judgeMediaType(card: ServerCardFinding | undefined): CheckOutcome {
  if (!card) return verdict.notApplicable(NO_CARD);
  if (!card.exchange?.answer.ok)
    return verdict.notApplicable('The card is inline in the catalog and has no media type of its own.');
  const served = parseMediaType(card.exchange.answer.headers['content-type'] ?? '');
  const evidence = buildHeaderEvidence(card.exchange, 'content-type');
  if (served === SERVER_CARD_TYPE) return verdict.pass('The card has its own media type.', evidence);
  if (served === 'application/json') return verdict.partial(0.5, 'The card is served as plain JSON.', evidence);
  return verdict.fail(
    served === '' ? 'The card is served without a Content-Type.' : 'The card is served as another media type.',
    evidence,
  );
}

function judgeCors(card: ServerCardFinding | undefined, site: Site): CheckOutcome {
  if (site.local) return verdict.notApplicable('CORS matters to public hosts; this site is local.');
  if (!card) return verdict.notApplicable(NO_CARD);
  if (!card.exchange?.answer.ok)
    return verdict.notApplicable('The card is inline in the catalog and has no headers of its own.');
  const { headers } = card.exchange.answer;
  const evidence = buildHeaderEvidence(card.exchange, 'access-control-allow-origin');
  if (headers['access-control-allow-origin']?.trim() !== '*') {
    return verdict.fail(
      'Access-Control-Allow-Origin: * is absent, so clients in browsers cannot read the card.',
      evidence,
    );
  }
  const methods = headers['access-control-allow-methods'];
  if (methods === undefined)
    return verdict.pass('Any origin may read the card; a plain GET needs no list of methods.', evidence);
  return /(?:^|[\s,])(?:GET|\*)(?:$|[\s,])/i.test(methods)
    ? verdict.pass('Any origin may GET the card.', evidence)
    : verdict.partial(0.5, 'Any origin is allowed, but Access-Control-Allow-Methods leaves GET out.', evidence);
}

function judgeSecrets({ mcpDiscovery: { card, mcpJson, servers } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  const documents = [
    ...(card ? [{ evidence: buildCardEvidence(card), secrets: card.secrets }] : []),
    ...[mcpJson, servers].flatMap((state) =>
      state.state === 'found'
        ? [{ evidence: buildRequestEvidence(state.exchange), secrets: state.document.secrets }]
        : [],
    ),
  ];
  if (documents.length === 0) return verdict.notApplicable('There is neither a Server Card nor an mcp.json.');
  const leaks = documents.flatMap(({ evidence, secrets }) =>
    secrets.map(({ pointer, why, starts }) => ({
      ...evidence,
      excerpt: `${pointer}: ${why}, starts with "${starts}"`.slice(0, 300),
    })),
  );
  if (leaks.length > 0) return verdict.fail(`${leaks.length} value(s) look like live secrets.`, leaks);
  return verdict.pass(
    `No secret in ${documents.length} document(s).`,
    documents.map(({ evidence }) => evidence),
  );
}

/** Where the card was found; an inline card is part of the catalog's answer. */
export const buildCardEvidence = (card: ServerCardFinding): CheckEvidence =>
  card.exchange ? buildRequestEvidence(card.exchange) : { url: card.url, selector: 'entries[].data' };
