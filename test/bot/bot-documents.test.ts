import { expect, test } from 'vitest';
import { decideRobotsVerdict, parseRobots } from '../../src/audit/crawlers/facts/robots.ts';
import { type BotFacts, buildBotAddresses, buildBotCard, renderBotPage } from '../../src/bot/bot-documents.ts';
import { formatBotUserAgent } from '../../src/net/guarded-fetch.ts';

const facts: BotFacts = {
  baseUrl: 'https://sightline.test',
  isSigning: true,
  contactEmail: 'ops@sightline.test',
  addresses: ['192.0.2.0/28', '2001:db8::/48'],
};

test('the card is found under its own id, and says what it is in terms of the draft', () => {
  const card = buildBotCard(facts);
  expect(card).toMatchObject({
    client_id: 'https://sightline.test/bot/card.json',
    client_uri: 'https://sightline.test/bot',
    contacts: ['mailto:ops@sightline.test'],
    jwks_uri: 'https://sightline.test/.well-known/http-message-signatures-directory',
    web_bot_auth: { 'rfc9309-product-token': 'SightlineBot', trigger: 'fetcher', purpose: 'monitoring, SEO' },
  });
  expect(JSON.stringify(card)).not.toContain('search');
  expect(buildBotCard({ ...facts, isSigning: false })).not.toHaveProperty('jwks_uri');
});

test('the User-Agent that the page names is the one that is sent', () => {
  expect(renderBotPage(facts)).toContain(`User-Agent: ${formatBotUserAgent(facts.baseUrl)}`);
});

test('a deployment that does not sign asks for nothing that verifies signatures', () => {
  expect(renderBotPage({ ...facts, isSigning: false })).toContain('Allow its User-Agent');
  expect(renderBotPage({ ...facts, isSigning: false })).not.toContain('web-bot-auth');
});

test('the page says how to allow and to refuse it, and what it can be known by', () => {
  const page = renderBotPage(facts);
  for (const part of ['How to allow it', 'How to refuse it', 'User-agent: SightlineBot', 'ops@sightline.test'])
    expect(page).toContain(part);
  expect(page).toContain('/bot/addresses.json');
  const bare = renderBotPage({ ...facts, isSigning: false, addresses: [], contactEmail: undefined });
  expect(bare).toContain('does not sign');
  expect(bare).toContain('shared with others');
  expect(bare).not.toContain('Questions');
});

test('the lines for robots.txt that the page prints refuse the auditor and no one else', () => {
  const [, group = ''] = /robots\.txt:\n((?: {2}.*\n)+)/.exec(renderBotPage(facts)) ?? [];
  const file = parseRobots(group.replace(/^ {2}/gm, ''));
  expect(decideRobotsVerdict(file, 'SightlineBot', 'https://shop.example/any/page')).toMatchObject({
    allowed: false,
    named: true,
  });
  expect(decideRobotsVerdict(file, 'Googlebot', 'https://shop.example/any/page')).toMatchObject({ allowed: true });
});

test('addresses are listed as the vendors of crawlers list theirs', () => {
  expect(buildBotAddresses(facts, 0)).toEqual({
    creationTime: '1970-01-01T00:00:00.000Z',
    prefixes: [{ ipv4Prefix: '192.0.2.0/28' }, { ipv6Prefix: '2001:db8::/48' }],
  });
});
