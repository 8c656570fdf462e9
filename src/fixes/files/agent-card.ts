import * as z from 'zod';
import { readAgentCards } from '../../audit/agent-files/facts/agent-files.ts';
import type { A2aCard } from '../../audit/agent-files/facts/a2a-card.ts';
import { isJsonRecord, parseSiteJson, getString, getStrings } from '../../audit/structured-data/facts/json-document.ts';
import type { AvailableDocument } from '../../audit/mcp/facts/document.ts';
import { type SiteAction, listSiteActions } from './agent-card-actions.ts';
import type { Audited } from './generated-file.ts';
import { cleanFirstText, cleanSiteText, formatAsciiSlug, normaliseSafeUrl } from './safe-site.ts';
import { formatSlot } from '../core/fix-slots.ts';

const MAX_INTERFACES = 10;
const MAX_SKILLS = 50;
const MAX_NAME_CHARS = 100;
const MAX_TEXT_CHARS = 500;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+*-]{1,100}$/u;

/** The last version of A2A before 1.0. */
const OLDER_VERSION = '0.3.0';

/** Identifiers, versions and names of bindings, as opposed to words. */
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/u;

const text = z.string().min(1).max(MAX_TEXT_CHARS);
const httpUrl = z.url({ protocol: /^https?$/u });

/**
 * An agent card of A2A 1.0 as this module writes it (JSON of the message `AgentCard`). Strict, since readers built from the
 * protocol buffer refuse unknown members. The address of an interface is a slot where the audit saw no agent.
 * @see https://a2a-protocol.org/latest/specification/ AgentCard
 */
export const agentCardSchema = z.strictObject({
  name: text,
  description: text,
  supportedInterfaces: z
    .array(
      z.strictObject({
        url: z.union([httpUrl, z.string().startsWith('[FACT NEEDED: ')]),
        protocolBinding: text,
        protocolVersion: text,
      }),
    )
    .min(1),
  provider: z.strictObject({ organization: text, url: httpUrl }),
  version: text,
  documentationUrl: httpUrl.optional(),
  capabilities: z.strictObject({ streaming: z.boolean().optional(), pushNotifications: z.boolean().optional() }),
  defaultInputModes: z.array(z.string().regex(MEDIA_TYPE)).min(1),
  defaultOutputModes: z.array(z.string().regex(MEDIA_TYPE)).min(1),
  skills: z.array(z.strictObject({ id: text, name: text, description: text, tags: z.array(text).min(1) })),
});

export type AgentCard = z.infer<typeof agentCardSchema>;

/** The site's own words for the card. */
export type AgentWords = { name: string; description: string; websiteUrl: string; documentationUrl?: string };

/**
 * The card for the site's agent. A card that the site has keeps what it says; operations and forms become skills where it
 * lists none. Without one nothing is known of an agent, so its address is a slot: the card is a draft until it is filled.
 */
export function buildSiteAgentCard(audited: Audited, words: AgentWords): AgentCard {
  const present = presentCard(audited);
  const skills = buildSkills(present, listSiteActions(audited));
  const description = cleanFirstText([getString(present, 'description'), words.description], MAX_TEXT_CHARS);
  const modes = skills.some(({ tags }) => tags.includes('api')) ? ['application/json'] : ['text/plain'];
  return agentCardSchema.parse({
    name: cleanFirstText([getString(present, 'name'), words.name], MAX_NAME_CHARS) || formatSlot('agentName'),
    description: description || formatSlot('agentText'),
    supportedInterfaces: listInterfaces(audited),
    provider: { organization: words.name, url: words.websiteUrl },
    version: findTokenMember(present, 'version') ?? formatSlot('agentVersion'),
    ...(words.documentationUrl === undefined ? {} : { documentationUrl: words.documentationUrl }),
    capabilities: readCapabilities(present),
    defaultInputModes: readModes(present, 'defaultInputModes', modes),
    defaultOutputModes: readModes(present, 'defaultOutputModes', modes),
    skills,
  });
}

/** Whether the site publishes an agent card that names an interface. */
export const hasAgent = (audited: Audited): boolean => listSeenInterfaces(audited).length > 0;

/** The cards as published: that of the current place, and that of the former one. */
function listPublishedCards({ snapshot }: Audited): readonly AvailableDocument<A2aCard>[] {
  const cards = readAgentCards(snapshot);
  const states = cards.state === 'ready' ? [cards.value.card, cards.value.legacy] : [];
  return states.flatMap((state) => (state.state === 'found' ? [state] : []));
}

function presentCard(audited: Audited): unknown {
  const parsed = parseSiteJson(listPublishedCards(audited)[0]?.answer.body ?? 'null');
  return parsed.ok ? parsed.value : undefined;
}

/** What the published cards name, each address and binding once: an agent of both eras may have a card of either. */
function listSeenInterfaces(audited: Audited): AgentCard['supportedInterfaces'] {
  const seen = new Map<string, AgentCard['supportedInterfaces'][number]>();
  for (const { document } of listPublishedCards(audited)) {
    for (const { url, binding, version } of document.interfaces) {
      const safe = normaliseSafeUrl(url);
      if (safe === undefined) continue;
      const unsaid = document.shape === '1.0' ? '1.0' : OLDER_VERSION;
      const protocolVersion = /^\d{1,3}(?:\.\d{1,3}){0,2}$/u.test(version) ? version : unsaid;
      const protocolBinding = TOKEN.test(binding) ? binding : 'JSONRPC';
      const key = `${safe} ${protocolBinding} ${isOlderVersion(protocolVersion)}`;
      if (!seen.has(key)) seen.set(key, { url: safe, protocolBinding, protocolVersion });
    }
  }
  return [...seen.values()].slice(0, MAX_INTERFACES);
}

/** Of A2A before 1.0, whose messages have other names. */
const isOlderVersion = (version: string): boolean => version.startsWith('0.');

function listInterfaces(audited: Audited): AgentCard['supportedInterfaces'] {
  const seen = listSeenInterfaces(audited);
  if (seen.length > 0) return seen;
  const url = formatSlot('agentUrl');
  return [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
}

function findTokenMember(value: unknown, key: string): string | undefined {
  const token = getString(value, key) ?? '';
  return TOKEN.test(token) ? token : undefined;
}

function readCapabilities(present: unknown): AgentCard['capabilities'] {
  const declared = isJsonRecord(present) ? present['capabilities'] : undefined;
  const flags = (['streaming', 'pushNotifications'] as const).flatMap((name) => {
    const value = isJsonRecord(declared) ? declared[name] : undefined;
    return typeof value === 'boolean' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(flags);
}

function readModes(present: unknown, key: string, otherwise: readonly string[]): readonly string[] {
  const declared = (getStrings(present, key) ?? []).filter((mode) => MEDIA_TYPE.test(mode)).slice(0, 10);
  return declared.length > 0 ? declared : otherwise;
}

function buildSkills(present: unknown, actions: readonly SiteAction[]): AgentCard['skills'] {
  const listed: readonly unknown[] =
    isJsonRecord(present) && Array.isArray(present['skills']) ? present['skills'].slice(0, MAX_SKILLS) : [];
  const skills = listed.flatMap((skill, index) => {
    const name = cleanSiteText(getString(skill, 'name') ?? '', MAX_NAME_CHARS);
    if (name === '') return [];
    const tags = (getStrings(skill, 'tags') ?? []).slice(0, 10).map((tag) => cleanSiteText(tag, 40));
    const description = cleanSiteText(getString(skill, 'description') ?? '', MAX_TEXT_CHARS);
    return [
      {
        id: findTokenMember(skill, 'id') ?? (formatAsciiSlug(name, 64) || `skill-${index + 1}`),
        name,
        description,
        tags,
      },
    ];
  });
  return (skills.length > 0 ? skills : actions).map(({ id, name, description, tags }) => ({
    id,
    name,
    description: description || formatSlot('skillNote'),
    tags: tags.some((tag) => tag !== '') ? tags.filter((tag) => tag !== '') : ['skill'],
  }));
}

/**
 * The document for `/.well-known/agent.json`: a card in the form of A2A 0.3. Only clients of versions before 0.3 look there.
 * They take the address from `url` and refuse a card without it, so a copy of the card of 1.0 is of no use to them.
 * @see https://a2a-protocol.org/v0.3.0/specification/ AgentCard
 */
export const olderAgentCardSchema = agentCardSchema.omit({ supportedInterfaces: true }).extend({
  protocolVersion: z.string().regex(/^0\.\d/u),
  url: agentCardSchema.shape.supportedInterfaces.element.shape.url,
  preferredTransport: z.string().min(1),
  additionalInterfaces: z.array(z.strictObject({ url: z.string(), transport: z.string() })).optional(),
});

type OlderAgentCard = z.infer<typeof olderAgentCardSchema>;

/** The interfaces of the site's agent that clients of before 1.0 can speak to. */
const listOlderInterfaces = (audited: Audited): AgentCard['supportedInterfaces'] =>
  listSeenInterfaces(audited).filter(({ protocolVersion }) => isOlderVersion(protocolVersion));

/** Whether the site's agent is known to answer messages of before 1.0. */
export const hasOlderAgent = (audited: Audited): boolean => listOlderInterfaces(audited).length > 0;

/** The same agent in the older form. Without an address that answers messages of before 1.0 it is a draft. */
export function buildOlderAgentCard(audited: Audited, card: AgentCard): OlderAgentCard {
  const { supportedInterfaces: _, ...agent } = card;
  const [first, ...others] = listOlderInterfaces(audited);
  return olderAgentCardSchema.parse({
    protocolVersion: first?.protocolVersion ?? OLDER_VERSION,
    ...agent,
    url: first?.url ?? formatSlot('olderAgentUrl'),
    preferredTransport: first?.protocolBinding ?? 'JSONRPC',
    ...(others.length === 0
      ? {}
      : { additionalInterfaces: others.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })) }),
  });
}
