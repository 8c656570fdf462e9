/** Who a document is for. */
export type AboutReader = 'people' | 'programs' | 'models' | 'researchers';

/** A document by which the service says what it is, how it is and how it changes. */
export type AboutRow = {
  path: string;
  title: string;
  /** What it holds, for a list. */
  summary: string;
  /** `page`: HTML, with Markdown at the address with `.md`. `document`: one form. `documents`: several below the path. */
  kind: 'page' | 'document' | 'documents';
  /** Media type, without parameters. */
  type: string;
  /** Where its content comes from. */
  source: string;
  /** By which specification it is made; absent where there is none. */
  specification?: { name: string; url: string };
  readers: readonly AboutReader[];
  /** Of the minute in which it is asked for: no sitemap lists it. */
  isMomentary?: true;
};

/** All of them. Routes, llms.txt, the sitemap and docs/reference/about-documents.md come from these rows. */
export const aboutRows = [
  {
    path: '/.well-known/security.txt',
    title: 'security.txt',
    summary: 'whom to write about a weakness; where CONTACT_EMAIL is not set there is none',
    kind: 'document',
    type: 'text/plain',
    source: '`CONTACT_EMAIL`',
    specification: { name: 'RFC 9116', url: 'https://www.rfc-editor.org/rfc/rfc9116' },
    readers: ['researchers'],
  },
  {
    path: '/changelog',
    title: 'Changes',
    summary: 'what changed in the service, and what its users have to do',
    kind: 'page',
    type: 'text/html',
    source: '`CHANGELOG.md`, at build',
    readers: ['people', 'models'],
  },
  {
    path: '/feed.xml',
    title: 'Feed of changes',
    summary: 'the sections of the change log, the last changed first',
    kind: 'document',
    type: 'application/atom+xml',
    source: '`CHANGELOG.md`, at build',
    specification: { name: 'RFC 4287 (Atom)', url: 'https://www.rfc-editor.org/rfc/rfc4287' },
    readers: ['people', 'programs'],
  },
  {
    path: '/status',
    title: 'Status',
    summary: 'whether sales are open, and whether what the service needs answers now',
    kind: 'page',
    type: 'text/html',
    source: 'settings, and one look a minute',
    readers: ['people', 'models'],
    isMomentary: true,
  },
  {
    path: '/status.json',
    title: 'Status as JSON',
    summary: 'the same for programs',
    kind: 'document',
    type: 'application/json',
    source: 'settings, and one look a minute',
    specification: { name: 'RFC 8631 (relation status)', url: 'https://www.rfc-editor.org/rfc/rfc8631' },
    readers: ['programs'],
  },
  {
    path: '/llms-full.txt',
    title: 'Whole documentation',
    summary: 'all pages of the documentation in one text',
    kind: 'document',
    type: 'text/plain',
    source: '`docs/`, at build',
    specification: { name: 'llmstxt.org', url: 'https://llmstxt.org/' },
    readers: ['models'],
  },
  {
    path: '/schemas',
    title: 'JSON Schemas',
    summary: 'a list of the schemas of all bodies and results, each at /schemas/<name>.json',
    kind: 'documents',
    type: 'application/json',
    source: 'the tables that requests are read with',
    specification: { name: 'JSON Schema 2020-12', url: 'https://json-schema.org/draft/2020-12' },
    readers: ['programs'],
  },
  {
    path: '/asyncapi.json',
    title: 'AsyncAPI description',
    summary: 'what the service sends: alerts of monitors, events of purchases, changes in a directory',
    kind: 'document',
    type: 'application/json',
    source: 'the tables of alerts and events',
    specification: { name: 'AsyncAPI 3.1', url: 'https://www.asyncapi.com/docs/reference/specification/v3.1.0' },
    readers: ['programs'],
  },
  {
    path: '/deprecations',
    title: 'Changes and deprecations',
    summary: 'what does not change, how something goes away, and what is deprecated now',
    kind: 'page',
    type: 'text/html',
    source: '`src/openapi/deprecations/deprecations-data.ts`',
    specification: { name: 'RFC 9745 and RFC 8594', url: 'https://www.rfc-editor.org/rfc/rfc9745' },
    readers: ['people', 'models'],
  },
  {
    path: '/auth.md',
    title: 'auth.md',
    summary: 'how an agent gets in: by payment without registration, by a wallet, by OAuth',
    kind: 'document',
    type: 'text/markdown',
    source: 'the metadata of the authorization server',
    specification: { name: 'auth.md', url: 'https://workos.com/auth-md/docs/auth-md' },
    readers: ['models'],
  },
  {
    path: '/sandbox',
    title: 'Try it without money',
    summary: 'the free parts, dry runs, a test network, and the whole service on one machine',
    kind: 'page',
    type: 'text/html',
    source: 'the catalogue and settings',
    readers: ['people', 'models'],
  },
] as const satisfies readonly AboutRow[];

export type AboutPath = (typeof aboutRows)[number]['path'];

/** The same rows where their paths do not matter. */
export const listAboutRows = (): readonly AboutRow[] => aboutRows;
