import type { SoldRow } from '../capabilities/credit-packs.ts';

/** Groups of operations, in the order of the document. */
export const operationTags = [
  { name: 'catalogue', description: 'What is sold, at which price. Free.' },
  { name: 'checks', description: 'One aspect of a website or of a paid endpoint, check by check.' },
  { name: 'audits', description: 'Scores of a website, with every check and its evidence.' },
  { name: 'fixes', description: 'Files and instructions that make failed checks pass.' },
  { name: 'visibility', description: 'What AI answers say about a brand.' },
  { name: 'credits', description: 'Prepaid credits for calls through MCP.' },
  { name: 'reports', description: 'Results that were bought, for 30 days, by their unguessable id. Free.' },
  { name: 'publishing', description: 'Reports that their buyers made public, and what shows them. Free.' },
  { name: 'monitors', description: 'Sites and brands that are watched over time.' },
  { name: 'hosts', description: 'Hosts that are proven to be yours, and which crawlers came to them. Free.' },
  { name: 'mcp', description: 'The same tools by the Model Context Protocol.' },
  { name: 'oauth', description: 'Sign-in of clients for the MCP endpoint of accounts (OAuth 2.1).' },
] as const;

export type Tag = (typeof operationTags)[number]['name'];

const tagsByPrefix: Readonly<Record<string, Tag>> = {
  check: 'checks',
  seller: 'checks',
  score: 'audits',
  full: 'audits',
  compare: 'audits',
  generate: 'fixes',
  fix: 'fixes',
  visibility: 'visibility',
  credits: 'credits',
};

/** The group of what is sold, by the first word of its name. */
export function selectTag({ name }: Pick<SoldRow, 'name'>): Tag {
  const tag = tagsByPrefix[name.split('_')[0] ?? ''];
  if (tag === undefined) throw new Error(`${name} is in no group of operations`);
  return tag;
}
