import { expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { listDifferences, readSdkAnswers } from '../../../support/management/sdk-types.ts';
import { searching } from './made.ts';

const answers = readSdkAnswers();
const text = z.string();
const WHOLE = {
  custom_metadata: [{ field_name: 'author', data_type: 'text' }],
  metadata: { worker_domain: 'a.example' },
  public_endpoint_params: { enabled: true, mcp: { disabled: true }, rate_limit: { technique: 'fixed' } },
  indexing_options: { keyword_tokenizer: 'trigram' },
  retrieval_options: { boost_by: [{ field: 'timestamp', direction: 'desc' }] },
  token_id: 'token',
  type: 'web-crawler',
  source: 'https://example.com/',
  source_params: { web_crawler: { parse_type: 'discover', discover_options: { depth: 2 } } },
};
const endpoint = { public_endpoint_params: { enabled: true, custom_domains: null } };
const TOKEN = { cf_api_id: 'a', cf_api_key: 'b', name: 'c' };

/** What is made, and the path of one, by the part of the method's id before its verb. */
const rows: readonly (readonly [prefix: string, body: JsonObject, path: JsonObject])[] = [
  ['aisearch.instances', { id: 'bare' }, { id: 'bare' }],
  ['aisearch.instances', { id: 'whole', ...WHOLE }, { id: 'whole' }],
  ['aisearch.namespaces.instances', { id: 'whole', ...WHOLE }, { name: 'default', id: 'whole' }],
  ['aisearch.namespaces', { name: 'bare' }, { name: 'bare' }],
  ['aisearch.namespaces', { name: 'whole', description: 'Ours', ...endpoint }, { name: 'whole' }],
  ['aisearch.tokens', TOKEN, {}],
];

test.each(rows)('what %s of %j shows is exactly what the official client declares', (prefix, body, named) => {
  const { ok } = searching();
  const judge = (verb: string, sent: Parameters<typeof ok>[1]): JsonObject => {
    const answer = answers.get(`${prefix}.${verb}`);
    if (answer === undefined) throw new Error(`The client has no ${prefix}.${verb}`);
    const { result = null } = ok(`${prefix}.${verb}`, sent);
    expect(listDifferences(answer, result)).toEqual([]);
    return result as JsonObject; // As it was judged.
  };
  const path = named as Record<string, string>;
  const made = judge('create', { path, body });
  const at = { path: prefix === 'aisearch.tokens' ? { id: text.parse(made['id']) } : path };
  judge('read', at);
  judge('list', at);
  judge('update', { ...at, body: prefix === 'aisearch.tokens' ? TOKEN : {} });
  judge('delete', at);
});

test('the judge sees what is missing, not declared, null, and of another type', () => {
  const answer = answers.get('aisearch.instances.read');
  if (answer === undefined) throw new Error('The client reads no instance');
  const wrong = {
    id: 'x',
    created_at: '',
    colour: 'red',
    metadata: null,
    cache_ttl: 601,
    public_endpoint_params: { mcp: { disabled: 1 } },
  };
  expect(listDifferences(answer, wrong).map((line) => line.split(' ', 1)[0])).toEqual([
    'result.modified_at',
    'result.colour',
    'result.metadata:',
    'result.cache_ttl:',
    'result.public_endpoint_params.mcp.disabled:',
  ]);
});
