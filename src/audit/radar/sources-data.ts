/** When the sources of the whole catalogue were last looked at together. */
export const CATALOGUE_READ = '2026-11-21';

/**
 * A look at a source after that day. `subject` is the id of a check, the token of an agent, or the name of a provider or
 * cited document. `found` says what came of it.
 */
export type RecordedLook = { subject: string; on: string; found: string };

/** Looks in the order in which they were taken; a new one is a line at the end. */
export const recordedLooks: readonly RecordedLook[] = [
  {
    subject: 'aeo.reach.http-200',
    on: '2026-11-26',
    found: 'AgentReady: changelog of v2.0 read; the runs are over 1,000.',
  },
  {
    subject: 'aeo.render.ssr-text',
    on: '2026-11-26',
    found: 'AgentReady: changelog of v2.0 read; the runs are over 1,000.',
  },
  { subject: 'agent.pay.price-page', on: '2026-11-26', found: 'AgentReady: AR-READ-11 is in the changelog of v2.0.' },
  { subject: 'agent.prefs.aipref', on: '2026-11-26', found: 'Drafts vocab-08 and attach-05 are current.' },
];

/**
 * A document that is cited by its version. No check may cite another version, so that a new one is entered here first.
 * `version` is '' for a living document.
 */
export type CitedDocument = { name: string; version: string; address: string; read: string };

/** Documents that change under the same name: drafts, specifications and guides of vendors. */
export const citedDocuments: readonly CitedDocument[] = [
  {
    name: 'draft-ietf-aipref-vocab',
    version: '08',
    address: 'https://www.ietf.org/archive/id/draft-ietf-aipref-vocab-08.txt',
    read: '2026-11-26',
  },
  {
    name: 'draft-ietf-aipref-attach',
    version: '05',
    address: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/',
    read: '2026-11-26',
  },
  {
    name: 'draft-kelley-aipref-training-preference-signal',
    version: '00',
    address: 'https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/',
    read: '2026-11-26',
  },
  {
    name: 'draft-ietf-httpapi-ratelimit-headers',
    version: '11',
    address: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/',
    read: '2026-11-23',
  },
  {
    name: 'draft-meunier-webbotauth-registry',
    version: '04',
    address: 'https://datatracker.ietf.org/doc/draft-meunier-webbotauth-registry/',
    read: '2026-11-23',
  },
  {
    name: 'draft-httpauth-payment',
    version: '01',
    address: 'https://datatracker.ietf.org/doc/draft-httpauth-payment/01/',
    read: '2026-11-26',
  },
  {
    name: 'draft-mozleywilliams-dnsop-dnsaid',
    version: '02',
    address: 'https://datatracker.ietf.org/doc/draft-mozleywilliams-dnsop-dnsaid/',
    read: '2026-11-21',
  },
  {
    name: 'Managed robots.txt of Cloudflare',
    version: '',
    address: 'https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/',
    read: '2026-11-26',
  },
  {
    name: 'Content Signals',
    version: '',
    address: 'https://contentsignals.org/',
    read: '2026-11-21',
  },
  {
    name: 'Changelog of the crawling documentation of Google',
    version: '',
    address: 'https://developers.google.com/crawling/docs/changelog',
    read: '2026-11-26',
  },
  {
    name: 'AI optimization guide of Google',
    version: '',
    address: 'https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
  },
  {
    name: 'AgentReady standard',
    version: '',
    address: 'https://github.com/agentready-org/standard',
    read: '2026-11-26',
  },
];
