import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildHeaderEvidence, buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { withoutDocument } from '../../core/missing-document.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { parseChallenges, type Challenge } from '../../mcp/facts/www-authenticate.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import { decodeBase64Json } from '../facts/x402-offer.ts';

/** Checks of protocols for agents that few sites use: a site without them is not judged by them. */
export const youngProtocolChecks = [
  defineCheck({
    id: 'agent.pay.mpp',
    title: 'A Payment challenge is complete',
    failureTitle: 'Complete the Payment challenge',
    weight: 1,
    grade: 'B',
    why: 'Clients of the Machine Payments Protocol read the price from the challenge of a 402 answer. Without id, realm, method, intent and request there is nothing that they can answer.',
    source: 'https://datatracker.ietf.org/doc/draft-httpauth-payment/01/ (9 September 2026)',
    read: '2026-11-26',
    fix: 'Answer 402 with WWW-Authenticate: Payment id="...", realm="...", method="...", intent="charge", request="<base64url of JSON>", and expires.',
    needs: ['payments'],
    judge: judgeChallenges,
  }),
  defineCheck({
    id: 'agent.pay.bazaar-ready',
    title: 'An x402 offer says what a catalogue needs',
    failureTitle: 'Add what a catalogue needs to the x402 offer',
    weight: 1,
    grade: 'C',
    why: 'Catalogues list an x402 resource by what its 402 answer says: a name of the service, tags, the bazaar extension with info and schema, and the address that was asked. What they cannot read they leave out, and no seller hears of it.',
    source: 'https://docs.x402.org/extensions/bazaar; https://docs.cdp.coinbase.com/x402/validate-endpoint',
    read: '2026-11-26',
    fix: 'Add resource.serviceName, resource.tags and extensions.bazaar with info and schema to the offer, and let resource.url be the address itself.',
    needs: ['payments'],
    judge: judgeBazaar,
  }),
  defineCheck({
    id: 'agent.pay.acp',
    title: 'The ACP discovery document is valid when present',
    failureTitle: 'Correct the ACP discovery document',
    weight: 1,
    grade: 'B',
    why: 'A shopping agent reads version, transports and services from it before it opens a checkout. Most sites sell nothing to agents: absence is no fault.',
    source:
      'https://github.com/agentic-commerce-protocol/agentic-commerce-protocol rfcs/rfc.discovery.md, sections 4.1 and 4.2',
    read: '2026-11-26',
    fix: 'Serve /.well-known/acp.json with protocol {name, version, supported_versions}, api_base_url, transports and capabilities.services, and Cache-Control: public, max-age=3600 or more.',
    needs: ['acpDocument'],
    judge: judgeAcp,
  }),
  defineCheck({
    id: 'agent.pay.ap2',
    title: 'AP2 is declared in the agent card when used',
    failureTitle: 'Declare AP2 in the agent card',
    weight: 0,
    grade: 'C',
    why: 'The Agent Payments Protocol is an extension in the card of an agent; it is only reported.',
    source: 'https://github.com/google-agentic-commerce/AP2 (extension of the A2A agent card)',
    read: '2026-11-23',
    fix: 'Declare the extension with its URI under capabilities.extensions of the agent card; without a shop there is nothing to do.',
    needs: ['agentCards'],
    judge: judgeAp2,
  }),
  defineCheck({
    id: 'agent.a2a.signed-card',
    title: 'Signatures of the agent card are well formed when present',
    failureTitle: 'Correct the signatures of the agent card',
    weight: 1,
    grade: 'C',
    why: 'A signature lets a reader see whose card it is. Signing is optional; a signature that no reader can parse, or of the algorithm "none", is worse than none. Whether it holds is not checked: keys are not fetched.',
    source: 'https://a2a-protocol.org/latest/specification/ (AgentCardSignature); RFC 7515, sections 4.1 and 7.2',
    read: '2026-11-23',
    fix: 'Give each item of signatures protected (base64url of a JSON header with alg and kid) and signature.',
    needs: ['agentCards'],
    judge: judgeSignatures,
  }),
  defineCheck({
    id: 'agent.auth.auth-md',
    title: 'auth.md is usable when present',
    failureTitle: 'Correct auth.md',
    weight: 1,
    grade: 'C',
    why: 'An agent that has no account reads here how to register one. It follows headings and the address of the protected-resource metadata, which holds the endpoints. Absence is no fault.',
    source: 'https://workos.com/auth-md/docs/auth-md',
    read: '2026-11-26',
    fix: 'Open /auth.md with a title, and name /.well-known/oauth-protected-resource as the place of the endpoints.',
    needs: ['authMd'],
    judge: judgeAuthMd,
  }),
];

/** Parameters that a challenge must have (draft-httpauth-payment, 5.1). */
const REQUIRED = ['id', 'realm', 'method', 'intent', 'request'] as const;

function judgeChallenges({ payments: { offers, asked } }: FactsOf<'payments'>): CheckOutcome {
  const challenges = asked.flatMap((exchange) => {
    const { answer } = exchange;
    const header = answer.ok && answer.status === 402 ? (answer.headers['www-authenticate'] ?? '') : '';
    return parseChallenges(header)
      .filter(({ scheme }) => scheme === 'payment')
      .map((challenge) => ({ exchange, challenge }));
  });
  if (challenges.length === 0)
    return verdict.notApplicable(
      offers.length === 0 ? 'No 402 answer was seen.' : 'No 402 answer has a Payment challenge.',
    );
  const faulty = challenges.flatMap(({ exchange, challenge }) =>
    listChallengeFaults(challenge).map((fault) => ({ exchange, fault })),
  );
  const show = ({ exchange }: { exchange: Exchange }): CheckEvidence =>
    buildHeaderEvidence(exchange, 'www-authenticate');
  if (faulty.length === 0)
    return verdict.pass(
      `${formatCount(challenges.length, 'Payment challenge')} with all it needs.`,
      challenges.map(show),
    );
  const faults = [...new Set(faulty.map(({ fault }) => fault))].join(', ');
  return verdict.fail(`The Payment challenge cannot be answered: ${faults}.`, faulty.slice(0, 1).map(show));
}

function listChallengeFaults({ params, malformed }: Challenge): readonly string[] {
  const missing = REQUIRED.filter((name) => (params.get(name) ?? '') === '');
  const request = params.get('request') ?? '';
  return [
    ...(malformed ? ['its syntax is broken'] : []),
    ...missing.map((name) => `no ${name}`),
    ...(request !== '' && decodeBase64Json(request) === undefined ? ['request is no base64url of JSON'] : []),
  ];
}

function judgeBazaar({ payments: { offers } }: FactsOf<'payments'>): CheckOutcome {
  const [first] = offers.flatMap(({ exchange, reading }) =>
    reading.state === 'offer' && reading.offer.version === 2 ? [{ exchange, offer: reading.offer }] : [],
  );
  if (!first) return verdict.notApplicable('No x402 offer of version 2 was seen.');
  const { exchange, offer } = first;
  const parts = [
    ['resource.serviceName', offer.resource.serviceName],
    ['resource.tags', offer.resource.tags],
    ['extensions.bazaar with info and schema', offer.bazaarComplete],
    ['resource.url as it was asked', isSameAddress(offer.resource.url, exchange.url)],
  ] as const;
  const missing = parts.filter(([, isThere]) => !isThere).map(([name]) => name);
  const evidence = buildHeaderEvidence(exchange, 'payment-required');
  if (missing.length === 0) return verdict.pass('The offer says all that a catalogue needs.', evidence);
  const note = `Missing for a catalogue: ${missing.join(', ')}.`;
  const value = 1 - missing.length / parts.length;
  return value === 0 ? verdict.fail(note, evidence) : verdict.partial(value, note, evidence);
}

const isSameAddress = (named: string, asked: string): boolean =>
  URL.canParse(named) && new URL(named).href.split('#')[0] === new URL(asked).href.split('#')[0];

const MIN_CACHE_SECONDS = 3600;

function judgeAcp({ acpDocument: document }: FactsOf<'acpDocument'>): CheckOutcome {
  if (document.state !== 'found')
    return withoutDocument(document, 'The ACP document', verdict.notApplicable('There is no ACP discovery document.'));
  const { exchange } = document;
  const { issues, version, services } = document.document;
  if (issues.length > 0)
    return verdict.fail(
      `The document has faults: ${issueNote(issues, 3)}.`,
      issues.map(({ pointer, message }) => buildRequestEvidence(exchange, { selector: pointer, excerpt: message })),
    );
  const seconds = Number(
    /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(document.answer.headers['cache-control'] ?? '')?.[1] ?? 0,
  );
  const note = `ACP ${version} with ${services.join(', ')}.`;
  return seconds >= MIN_CACHE_SECONDS
    ? verdict.pass(note, buildRequestEvidence(exchange))
    : verdict.partial(0.5, `${note} It may not be cached for an hour.`, buildHeaderEvidence(exchange, 'cache-control'));
}

const getCard = ({ card, legacy }: FactsOf<'agentCards'>['agentCards']) =>
  card.state !== 'found' && legacy.state === 'found' ? legacy : card;

function judgeAp2({ agentCards }: FactsOf<'agentCards'>): CheckOutcome {
  const card = getCard(agentCards);
  if (card.state !== 'found')
    return withoutDocument(card, 'The agent card', verdict.notApplicable('There is no agent card.'));
  const named = card.document.extensions.filter((uri) => /(?:^|[/.])ap2(?:[/.]|$)/i.test(uri));
  if (named.length === 0) return verdict.notApplicable('The agent card does not declare AP2.');
  const evidence = named.map((uri) =>
    buildRequestEvidence(card.exchange, { selector: '/capabilities/extensions', excerpt: uri }),
  );
  return named.every((uri) => URL.canParse(uri))
    ? verdict.pass('The agent card declares AP2.', evidence)
    : verdict.fail('The extension of AP2 has no URI.', evidence);
}

function judgeSignatures({ agentCards }: FactsOf<'agentCards'>): CheckOutcome {
  const card = getCard(agentCards);
  if (card.state !== 'found')
    return withoutDocument(card, 'The agent card', verdict.notApplicable('There is no agent card.'));
  const { signatures } = card.document;
  if (signatures.length === 0) return verdict.notApplicable('The agent card is not signed, and need not be.');
  const faults = signatures.flatMap(({ header, signature }, index) => {
    const faulty = header === undefined ? 'protected is no base64url of a JSON header' : describeHeader(header);
    const fault = faulty ?? (/^[A-Za-z0-9_-]{20,}$/.test(signature) ? undefined : 'signature is no base64url');
    return fault === undefined ? [] : [{ pointer: `/signatures/${index}`, fault }];
  });
  if (faults.length === 0)
    return verdict.pass(
      `${formatCount(signatures.length, 'signature')} of a form that readers know.`,
      buildRequestEvidence(card.exchange),
    );
  return verdict.fail(
    `${faults.length} of ${formatCount(signatures.length, 'signature')} cannot be read: ${faults[0]?.fault ?? ''}.`,
    faults.map(({ pointer, fault }) => buildRequestEvidence(card.exchange, { selector: pointer, excerpt: fault })),
  );
}

function describeHeader(header: Readonly<Record<string, unknown>>): string | undefined {
  const { alg, kid } = header;
  if (typeof alg !== 'string' || alg === '') return 'the header has no alg';
  if (alg.toLowerCase() === 'none') return 'the algorithm is "none"';
  return typeof kid === 'string' && kid !== '' ? undefined : 'the header has no kid';
}

function judgeAuthMd({ authMd: file }: FactsOf<'authMd'>): CheckOutcome {
  if (file.state === 'absent') return verdict.notApplicable('There is no auth.md, and none is needed.');
  if (file.state !== 'found')
    return file.exchange
      ? verdict.unknown(`auth.md could not be read (${file.why}).`, buildRequestEvidence(file.exchange))
      : verdict.unknown('auth.md was not asked for: the budget of requests was used up.');
  const { body } = file.answer;
  const lines = body.slice(0, 100_000).split(/\r\n|\n|\r/);
  const hasTitle = lines.some((line) => /^# \S/.test(line));
  const hasPlace = body.includes('/.well-known/oauth-protected-resource');
  const evidence = buildRequestEvidence(file.exchange, { excerpt: lines.find((line) => line.trim() !== '') ?? '' });
  if (hasTitle && hasPlace)
    return verdict.pass('auth.md has a title and names the metadata with the endpoints.', evidence);
  if (!hasTitle && !hasPlace)
    return verdict.fail('auth.md has neither a title nor the place of the endpoints.', evidence);
  return verdict.partial(0.5, hasTitle ? 'auth.md does not name the metadata.' : 'auth.md has no title.', evidence);
}
