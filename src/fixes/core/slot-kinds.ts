import * as z from 'zod';
import { isSlot } from '../../lib/slots.ts';
import { normaliseSafeUrl } from '../files/safe-site.ts';
import type { Slot } from './fix-slots.ts';

/** Characters of one answer. */
export const MAX_ANSWER_CHARS = 2000;

const requireText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !/\p{Cc}/u.test(value), 'must be one line without control characters')
    .refine((value) => !isSlot(value), 'must not be a slot itself');

const requireForm = (form: RegExp, message: string) => requireText(MAX_ANSWER_CHARS).regex(form, message);

const https = requireText(MAX_ANSWER_CHARS).transform((value, context) => {
  const url = value.startsWith('https://') ? normaliseSafeUrl(value) : undefined;
  if (url !== undefined) return url;
  context.addIssue('must be an https address without user name');
  return z.NEVER;
});

const isDay = (value: string): boolean => {
  const parsed = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().slice(0, 10) === value;
};

/** What an answer has to be, by its kind. A message ends the sentence "<key> ...". */
const KINDS = {
  line: requireText(300),
  prose: requireText(MAX_ANSWER_CHARS),
  https,
  day: requireForm(/^\d{4}-\d{2}-\d{2}$/, 'must be a date as YYYY-MM-DD').refine(isDay, 'must be a day that exists'),
  year: requireForm(/^(?:1\d|20)\d{2}$/, 'must be a year'),
  amount: requireForm(/^\d{1,9}(?:\.\d{1,4})?$/, 'must be a number such as 49 or 49.90'),
  currency: requireForm(/^[A-Z]{3}$/, 'must be a code of three capitals, for example EUR'),
  country: requireForm(/^[A-Z]{2}$/, 'must be a code of two capitals, for example DE'),
  language: requireForm(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a BCP 47 tag, for example en or pt-BR'),
  email: requireForm(/^[\w.+-]{1,64}@[\w.-]{1,190}\.[a-z]{2,24}$/i, 'must be an e-mail address'),
  telephone: requireForm(/^\+\d[\d ().-]{4,24}$/, 'must begin with + and the country code'),
  contact: requireForm(
    /^(?:mailto:[\w.+-]{1,64}@[\w.-]{1,190}\.[a-z]{2,24}|https:\/\/[A-Za-z0-9.-]{1,190}(?:\/[A-Za-z0-9._~/-]{0,300})?)$/i,
    'must begin with mailto: or https://',
  ),
  availability: requireForm(
    /^(?:https:\/\/schema\.org\/)?(?:InStock|OutOfStock|PreOrder|BackOrder|SoldOut|LimitedAvailability|OnlineOnly|InStoreOnly|Discontinued|MadeToOrder|Reserved)$/,
    'must be an ItemAvailability of schema.org, for example InStock',
  ),
  coordinates: requireForm(
    /^-?\d{1,2}(?:\.\d{1,8})?, ?-?\d{1,3}(?:\.\d{1,8})?$/,
    'must be latitude and longitude, for example 50.979, 11.329',
  ),
  yesNo: requireForm(/^(?:yes|no)$/, 'must be yes or no'),
  path: requireForm(/^[A-Za-z0-9._~/-]{1,200}$/, 'must be a path of letters, digits, /, -, _ and .'),
  token: requireForm(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be letters, digits, _, - and .'),
  key: requireForm(/^[A-Za-z0-9_-]{20,100}$/, 'must be base64url'),
} as const;

type SlotKind = keyof typeof KINDS;

/**
 * The kind of each slot. `once`: one answer holds for the whole site; else each place has its own. Slots of pieces that
 * a person writes (a passage, a figure) are asked for with their piece, never for a file.
 */
const SLOT_KINDS: Readonly<Record<Slot, { kind: SlotKind; once?: true }>> = {
  about: { kind: 'prose', once: true },
  accept: { kind: 'line', once: true },
  actionNote: { kind: 'line' },
  address: { kind: 'line', once: true },
  agentName: { kind: 'line', once: true },
  agentText: { kind: 'line', once: true },
  agentUrl: { kind: 'https', once: true },
  agentVersion: { kind: 'token', once: true },
  answer: { kind: 'prose' },
  apiPath: { kind: 'path', once: true },
  attribution: { kind: 'line' },
  author: { kind: 'line', once: true },
  authorFacts: { kind: 'prose', once: true },
  authorUrl: { kind: 'https', once: true },
  availability: { kind: 'availability', once: true },
  brand: { kind: 'line', once: true },
  buttonName: { kind: 'line' },
  caption: { kind: 'line' },
  contact: { kind: 'contact', once: true },
  country: { kind: 'country', once: true },
  currency: { kind: 'currency', once: true },
  date: { kind: 'day' },
  dateModified: { kind: 'day', once: true },
  datePublished: { kind: 'day', once: true },
  definition: { kind: 'prose' },
  description: { kind: 'line', once: true },
  email: { kind: 'email', once: true },
  endpoint: { kind: 'https', once: true },
  expansion: { kind: 'line' },
  fieldName: { kind: 'line' },
  figure: { kind: 'line' },
  founded: { kind: 'year', once: true },
  geo: { kind: 'coordinates', once: true },
  image: { kind: 'https', once: true },
  imageText: { kind: 'line' },
  issuer: { kind: 'https', once: true },
  item: { kind: 'line' },
  language: { kind: 'language', once: true },
  languageOfCode: { kind: 'token' },
  licence: { kind: 'https', once: true },
  linkText: { kind: 'line' },
  liveEndpoint: { kind: 'https', once: true },
  logo: { kind: 'https', once: true },
  mcpText: { kind: 'line', once: true },
  mcpVersion: { kind: 'token', once: true },
  method: { kind: 'prose' },
  name: { kind: 'line', once: true },
  olderAgentUrl: { kind: 'https', once: true },
  openingHours: { kind: 'line', once: true },
  operation: { kind: 'line' },
  otherProfile: { kind: 'https', once: true },
  pageNote: { kind: 'line' },
  pageTitle: { kind: 'line', once: true },
  parameter: { kind: 'line' },
  passage: { kind: 'prose' },
  policy: { kind: 'yesNo' },
  price: { kind: 'amount', once: true },
  productName: { kind: 'line', once: true },
  profile: { kind: 'https', once: true },
  publicKey: { kind: 'key', once: true },
  question: { kind: 'line' },
  quotation: { kind: 'prose' },
  scope: { kind: 'token', once: true },
  serverName: { kind: 'token', once: true },
  siteOffer: { kind: 'line', once: true },
  siteSummary: { kind: 'line', once: true },
  skill: { kind: 'line', once: true },
  skillNote: { kind: 'line' },
  source: { kind: 'https' },
  step: { kind: 'line' },
  summary: { kind: 'line' },
  target: { kind: 'https' },
  telephone: { kind: 'telephone', once: true },
  term: { kind: 'line' },
  toolDescription: { kind: 'line' },
  toolName: { kind: 'token' },
  transcript: { kind: 'prose' },
  version: { kind: 'token', once: true },
};

/** The schema of an answer to this slot. */
export const getAnswerSchema = (slot: Slot): z.ZodType<string> => KINDS[SLOT_KINDS[slot].kind];

/** Whether one answer holds for every place of the site that asks for it. */
export const isAskedOnce = (slot: Slot): boolean => SLOT_KINDS[slot].once === true;
