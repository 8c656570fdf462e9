import { formatFactSlot } from '../../lib/slots.ts';

/**
 * What a fix may ask its reader to fill in. The texts are a fixed list of ours: what a fix pack names as needed can
 * never be a sentence of the site (rule X3).
 */
export const SLOTS = {
  about: 'what the organisation does, for whom and where, in one or two sentences',
  accept: 'media types that the agent takes and gives',
  actionNote: 'what this does, in one line',
  address: 'postal address',
  agentName: 'name of the agent',
  agentText: 'what the agent does, in one or two sentences',
  agentUrl: 'https address where the agent answers A2A requests',
  agentVersion: 'version of the agent',
  answer: 'the answer in 40 to 60 words, its first sentence complete by itself',
  apiPath: 'a real path of the API',
  attribution: 'who said it, with role and organisation',
  author: 'name of the author',
  authorFacts: 'what the author has done that bears on the subject, in 40 words or more',
  authorUrl: 'address of a page about the author',
  availability: 'InStock, OutOfStock or another schema.org ItemAvailability',
  brand: 'brand, SKU or GTIN of the product',
  buttonName: 'what this button does',
  caption: 'what the figure or table shows, and what to see in it',
  contact: 'https or mailto address that takes security reports',
  country: 'two-letter country code',
  currency: 'three-letter currency code',
  date: 'date as YYYY-MM-DD',
  dateModified: 'date of the last change of substance, as YYYY-MM-DD',
  datePublished: 'date of first publication, as YYYY-MM-DD',
  definition: 'one sentence that says what it is',
  description: 'what the page answers, in 50 to 170 characters',
  email: 'public e-mail address',
  endpoint: 'https address of the MCP endpoint',
  expansion: 'the words that the abbreviation stands for',
  fieldName: 'what is to be entered here',
  figure: 'a figure with its unit that you can prove',
  founded: 'year of foundation',
  geo: 'latitude and longitude',
  image: 'https address of an image',
  imageText: 'what this image shows',
  issuer: 'https address of the authorization server',
  item: 'one item of the list',
  language: 'language of the page as a BCP 47 tag, for example en',
  languageOfCode: 'language of the code block',
  licence: 'address of the licence',
  linkText: 'what this link leads to',
  liveEndpoint: 'https address of your MCP server, once it answers',
  logo: 'https address of the logo',
  mcpText: 'what the MCP server does, in one line',
  mcpVersion: 'version of the MCP server',
  method: 'how, when and on how many cases it was measured',
  name: 'name of the organisation or site',
  olderAgentUrl: 'https address where the agent answers messages of A2A 0.3 (leave agent.json out if it answers none)',
  openingHours: 'opening hours, for example Mo-Fr 09:00-17:00',
  operation: 'what the operation does, in one line',
  otherProfile: 'https address of another public profile of the organisation',
  pageNote: 'what this page answers, in one line',
  pageTitle: 'what the page is about, in 10 to 70 characters',
  parameter: 'what the parameter means, with its unit or format',
  passage: 'the fact that is missing here',
  policy: 'yes or no',
  price: 'price as a number',
  productName: 'name of the product',
  profile: 'https address of a public profile of the organisation (Wikidata, LinkedIn, GitHub, a register)',
  publicKey: 'public Ed25519 key, base64url',
  question: 'a question that users ask',
  quotation: 'the words that were said, unchanged',
  scope: 'name of a scope',
  serverName: 'name of the MCP server, letters, digits, _ - and .',
  siteOffer: 'one sentence that says what the site offers',
  siteSummary: 'one sentence that says what the site offers and to whom',
  skill: 'what an agent can have done here',
  skillNote: 'what this skill does, in one line',
  source: 'https address of the source',
  step: 'one step, beginning with a verb',
  summary: 'one takeaway in one sentence',
  target: 'address of the page',
  telephone: 'telephone number with country code',
  term: 'the term',
  toolDescription: 'what the tool does and when to use it, in 20 characters or more',
  toolName: 'name of the tool, letters, digits, _ - and .',
  transcript: 'the words that are spoken in the video',
  version: 'version of the server',
} as const;

export type Slot = keyof typeof SLOTS;

/** A place to fill in: `[FACT NEEDED: ...]`. Nothing is invented for it. */
export const formatSlot = (name: Slot): string => formatFactSlot(SLOTS[name]);

/** What the site says, or the slot when it says nothing. */
export const getKnownOrSlot = (text: string | undefined, name: Slot): string =>
  text === undefined || text === '' ? formatSlot(name) : text;

const ALL = Object.keys(SLOTS) as readonly Slot[];

/** The slots in any of the texts, each once, in alphabetical order of their names. */
export function listNeededFacts(texts: readonly string[]): readonly string[] {
  return ALL.filter((name) => texts.some((text) => text.includes(formatSlot(name)))).map((name) => SLOTS[name]);
}
