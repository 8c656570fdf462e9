import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { type CheckOutcome, verdict } from '../../core/check.ts';
import { getString } from '../../structured-data/facts/json-document.ts';
import type { ServerCardFinding } from '../facts/cards.ts';
import { getHandshakeExchange, findServerInfo } from '../facts/endpoint.ts';
import type { CardIcon, ServerCardDocument } from '../facts/server-card.ts';
import type { Site } from '../../core/site.ts';
import { buildCardEvidence } from './card.ts';
import { buildHeaderEvidence, buildRequestEvidence } from '../../core/evidence.ts';
import { CARD_DISCOVERY, defineMcpCheck, isLoopbackHost } from './common.ts';
import { onOpen, type OpenEndpoint } from './open.ts';

const NO_CARD = 'There is no Server Card.';

/** How the card is cached, and whether its names are those of the host and of the live server. */
export const mcpCardServedChecks = [
  defineMcpCheck({
    id: 'mcp.card.caching',
    title: 'Card has Cache-Control and ETag',
    failureTitle: 'Send Cache-Control and an ETag with the card',
    weight: 1,
    grade: 'B',
    why: 'Catalogs and clients read the card again and again; with these headers they need not transfer it each time.',
    source: `${CARD_DISCOVERY}, "Caching": hosts SHOULD send Cache-Control: public, max-age=3600 and an ETag`,
    fix: 'Send Cache-Control: public, max-age=3600 and an ETag with the card, and 304 when If-None-Match fits.',

    judge: ({ mcpDiscovery }) => judgeCaching(mcpDiscovery.card),
  }),
  defineMcpCheck({
    id: 'mcp.card.remote-same-site',
    title: 'Remote host belongs to the publisher',
    failureTitle: 'Host the remote with its publisher',
    weight: 1,
    grade: 'B',
    why: 'The name says whose server it is: one that neither its card nor its remotes bear out looks like a stranger under a borrowed name. A GitHub account in the name cannot be compared with hosts.',
    source:
      'Server Card schema, ServerCard.name (reverse-DNS); namespace rules of https://github.com/modelcontextprotocol/registry',
    fix: 'Begin the name with your own domain in reverse (com.example/server for example.com), and serve the card or the remotes below that domain.',

    judge: ({ mcpDiscovery }, site) => judgePublisher(mcpDiscovery.card, site),
  }),
  defineMcpCheck({
    id: 'mcp.card.identity-true',
    title: 'Card name and version are those of the server',
    failureTitle: 'State the name and version of the server in the card',
    weight: 1,
    grade: 'B',
    why: 'A card that has drifted from the server describes another one to users and registries.',
    source: `SEP-2127; ${CARD_DISCOVERY}, "Consistency with Runtime Behavior": serverInfo SHOULD NOT contradict the card`,
    fix: 'Write name and version of the card from the same constants that the server sends as serverInfo.',

    judge: onOpen((endpoint, { mcpDiscovery }) => judgeIdentity(endpoint, mcpDiscovery.card)),
  }),
  defineMcpCheck({
    id: 'mcp.card.icons',
    title: 'Icons are https or data URLs of images',
    failureTitle: 'Use https or data images as icons of the card',
    weight: 0,
    grade: 'C',
    why: 'Clients refuse icons over plain http and of other types. Cosmetic, so it is reported and not scored; the images are not fetched.',
    source: 'Server Card schema, Icon.src and Icon.mimeType',
    fix: 'Use https URLs or data:image/... in icons[].src, with mimeType image/png, image/jpeg, image/svg+xml or image/webp.',

    judge: ({ mcpDiscovery }) => judgeIcons(mcpDiscovery.card),
  }),
];

function judgeCaching(card: ServerCardFinding | undefined): CheckOutcome {
  if (!card) return verdict.notApplicable(NO_CARD);
  if (!card.exchange?.answer.ok)
    return verdict.notApplicable('The card is inline in the catalog and is cached with it.');
  const { headers } = card.exchange.answer;
  const seconds = Number(/(?:^|[\s,])max-age="?(\d{1,10})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
  const tagged = (headers['etag'] ?? '').trim() !== '';
  const evidence = [buildHeaderEvidence(card.exchange, 'cache-control'), buildHeaderEvidence(card.exchange, 'etag')];
  if (seconds > 0 && tagged)
    return verdict.pass(`The card may be cached for ${seconds} seconds and has an ETag.`, evidence);
  if (seconds > 0)
    return verdict.partial(0.5, `The card may be cached for ${seconds} seconds, but has no ETag.`, evidence);
  return tagged
    ? verdict.partial(0.5, 'The card has an ETag, but no max-age above 0.', evidence)
    : verdict.fail('The card has neither a max-age above 0 nor an ETag.', evidence);
}

function judgePublisher(card: ServerCardFinding | undefined, site: Site): CheckOutcome {
  if (site.local) return verdict.notApplicable('A local host has no domain that a name could belong to.');
  const remotes = (card?.card.remotes ?? []).flatMap(({ url }) => findUrlHost(url) ?? []);
  if (!card || remotes.length === 0)
    return verdict.notApplicable('There is no Server Card with remotes on a named host.');
  const namespace = (card.card.name ?? '').split('/', 1)[0]?.toLowerCase() ?? '';
  const evidence = {
    ...buildCardEvidence(card),
    excerpt: `name: ${card.card.name ?? '(absent)'}; remotes: ${remotes.join(' ')}`.slice(0, 300),
  };
  if (namespace.startsWith('io.github.'))
    return verdict.unknown(
      'The name is that of a GitHub account, which this audit cannot compare with hosts.',
      evidence,
    );
  const publisher = getRegistrableDomain(namespace.split('.').toReversed().join('.'));
  const cardHost = findUrlHost(card.url);
  const domains = [...remotes, ...(cardHost === undefined ? [] : [cardHost])].map(getRegistrableDomain);
  return domains.includes(publisher)
    ? verdict.pass('The name belongs to the domain of the card or of its remotes.', evidence)
    : verdict.partial(0.5, 'Neither the card nor its remotes are on the domain that the name claims.', evidence);
}

/**
 * The host of a URL; a template's variable replaces one label, and one that replaces the whole origin names no host.
 */
function findUrlHost(url: string): string | undefined {
  const hostname = URL.parse(url.replaceAll(/\{\w{1,64}\}/g, 'x'))?.hostname;
  return hostname === undefined || hostname === '' ? undefined : hostname;
}

function judgeIdentity(endpoint: OpenEndpoint, found: ServerCardFinding | undefined): CheckOutcome {
  if (!found) return verdict.notApplicable(NO_CARD);
  const info = findServerInfo(endpoint.handshake);
  const [name, version] = [getString(info, 'name'), getString(info, 'version')];
  const { card } = found;
  const compared = [
    ...(name === undefined || card.name === undefined
      ? []
      : [{ what: 'name', fits: listCardNames(card).includes(normaliseName(name)) }]),
    ...(version === undefined || card.version === undefined
      ? []
      : [{ what: 'version', fits: version === card.version }]),
  ];
  if (compared.length === 0)
    return verdict.notApplicable('The server does not say its name and version, so nothing contradicts the card.');
  const wrong = compared.filter(({ fits }) => !fits).map(({ what }) => what);
  const excerpt = `server: ${name ?? '-'} ${version ?? '-'}; card: ${card.name ?? '-'} ${card.version ?? '-'}`;
  const evidence = [buildRequestEvidence(getHandshakeExchange(endpoint), { excerpt }), buildCardEvidence(found)];
  if (wrong.length === 0)
    return verdict.pass(
      `The live server agrees with the card on ${compared.map(({ what }) => what).join(' and ')}.`,
      evidence,
    );
  const note = `The live server contradicts the card on ${wrong.join(' and ')}.`;
  return wrong.length < compared.length ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const normaliseName = (name: string): string => name.trim().toLowerCase();

/** A server may call itself by the whole name, by the part after the slash, or by the title: none contradicts the card. */
const listCardNames = ({ name = '', title = '' }: ServerCardDocument): readonly string[] =>
  [name, name.slice(name.indexOf('/') + 1), title].filter((one) => one !== '').map(normaliseName);

function judgeIcons(found: ServerCardFinding | undefined): CheckOutcome {
  const icons = found?.card.icons ?? [];
  if (!found || icons.length === 0) return verdict.notApplicable('The card lists no icons, and none are needed.');
  const wrong = icons.filter((icon) => !isImage(icon));
  const evidence = {
    ...buildCardEvidence(found),
    excerpt: icons
      .map(({ src }) => src.slice(0, 80))
      .join(' ')
      .slice(0, 300),
  };
  const note = `${icons.length - wrong.length} of ${icons.length} icons are https or data URLs of images.`;
  return verdict.byShare(1 - wrong.length / icons.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
}

function isImage({ src, mimeType }: CardIcon): boolean {
  if (mimeType !== undefined && !/^image\//i.test(mimeType)) return false;
  if (/^data:/i.test(src)) return /^data:image\//i.test(src);
  const url = URL.parse(src);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
}
