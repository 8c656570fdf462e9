import Cloudflare from 'cloudflare';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { methods } from '../../src/management/core/table/method-row.ts';
import { legacyCases, namespaceCases, tokenCases } from './aisearch/account-cases.ts';
import { type Cases, instanceCases } from './aisearch/instance-cases.ts';
import { itemCases } from './aisearch/item-cases.ts';
import { judgeAnswers } from './aisearch/judged-fetch.ts';
import { flat, keysOf, namespaced, type On, refused } from './aisearch/on.ts';
import { type ChatServer, startChatServer } from '../support/stack/chat-server.ts';
import { type ControlStack, startControlStack } from './support/control-stack.ts';

const TEXT =
  '# Opening hours\n\nThe shop is open from nine to five.\n\n# Returns\n\nGoods come back within thirty days.';
let stack: ControlStack;
let made = 0;

beforeAll(async () => {
  stack = await startControlStack({ controlBindings: { ANSWER_ENGINE: 'simulated' } });
});
afterAll(async () => stack?.stop());

const judge = judgeAnswers();
const clientOf = (token: string): Cloudflare =>
  new Cloudflare({ apiToken: token, baseURL: `${stack.world.url}/client/v4`, maxRetries: 0, fetch: judge.fetch });
/** What a type says is so, and nothing else: for every answer to every case. */
afterEach(judge.requireSame);

const opened: (readonly [cf: Cloudflare, account: string])[] = [];
/** A tenant has ten instances: those of a case go with it. */
afterEach(async () => {
  for (const [cf, account_id] of opened.splice(0)) {
    for await (const { name } of cf.aiSearch.namespaces.list({ account_id })) {
      for await (const { id } of cf.aiSearch.namespaces.instances.list(name, { account_id, per_page: 100 }))
        await cf.aiSearch.namespaces.instances.delete(id, { account_id, name });
    }
  }
});

/** An account of its own. */
async function onOf(isFlat: boolean, namespace = 'default'): Promise<On> {
  const cf = clientOf(stack.world.token);
  const account = `account-${(made += 1)}`;
  opened.push([cf, account]);
  const family = isFlat ? flat(cf, account) : namespaced(cf, account, namespace);
  if (namespace !== 'default') await cf.aiSearch.namespaces.create({ account_id: account, name: namespace });
  let instances = 0;
  const instance = async (settings: object = {}, text?: string): Promise<string> => {
    const id = `instance-${(instances += 1)}`;
    await family.create({ id, ...settings });
    if (text !== undefined) await family.items.upload(id, 'first.md', text, { wait_for_completion: true });
    return id;
  };
  return { cf, account, namespace, family, instance };
}

const both: Cases = { ...instanceCases, ...itemCases };
const groups: readonly (readonly [prefix: string, cases: Cases, on: () => Promise<On>])[] = [
  ['aisearch.instances', both, () => onOf(true)],
  ['aisearch.namespaces.instances', both, () => onOf(false, 'team-a')],
  ['aisearch.namespaces', namespaceCases, () => onOf(false)],
  ['aisearch', tokenCases, () => onOf(false)],
  ['autorag.rags', legacyCases, () => onOf(true)],
];

test('every row is called by the official client here, on both families of paths', () => {
  const called = groups.flatMap(([prefix, cases]) => Object.keys(cases).map((name) => `${prefix}.${name}`));
  const rows = methods.filter((row) => row.interface === 'aisearch').map(({ id }) => id);
  expect(rows).toHaveLength(58);
  expect(called.toSorted()).toEqual(rows.toSorted());
});

describe.each(groups)('%s', (_prefix, cases, on) => {
  describe.each(Object.entries(cases))('%s', (_name, { right, wrong }) => {
    test('does what it says, as another method shows', async () => {
      await right(await on());
    });

    test('refuses in the envelope of the vendor what it must not do', async () => {
      await wrong(await on());
    });
  });
});

test('each answer that the official client has a type for was judged by it', () => {
  expect(judge.typed.filter((id) => !judge.judged.has(id))).toEqual([]);
});

describe('streams', () => {
  const events = async (response: Response): Promise<readonly (readonly [event: string, data: string])[]> => {
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const blocks = (await response.text()).split('\n\n').filter((block) => block.includes('data:'));
    return blocks.map((block) => [/^event: (.*)$/m.exec(block)?.[1] ?? '', /^data: (.*)$/m.exec(block)?.[1] ?? '']);
  };

  test('a chat sends the chunks first, then the answer in pieces, then its end', async () => {
    const on = await onOf(false);
    const id = await on.instance({}, TEXT);
    const response = await on.cf.aiSearch.namespaces.instances
      .chatCompletions(id, {
        account_id: on.account,
        name: 'default',
        stream: true,
        messages: [{ role: 'user', content: 'When is the shop open?' }],
      })
      .asResponse();
    const [first, ...rest] = await events(response);
    expect(first?.[0]).toBe('chunks');
    expect(keysOf({ chunks: JSON.parse(first?.[1] ?? '') as unknown })[0]).toBe('first.md');
    expect(rest.at(-1)).toEqual(['', '[DONE]']);
    const pieces = rest.slice(0, -1).map(([event, data]) => {
      expect(event).toBe('');
      const { object, choices } = JSON.parse(data) as { object: string; choices: { delta: { content?: string } }[] };
      expect(object).toBe('chat.completion.chunk');
      return choices[0]?.delta.content ?? '';
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toContain('nine to five');
  });

  test('the older interface streams the answer only', async () => {
    const on = await onOf(true);
    const id = await on.instance({}, TEXT);
    const path = `/accounts/${on.account}/autorag/rags/${id}/ai-search`;
    const response = await on.cf.post(path, { body: { query: 'When is the shop open?', stream: true } }).asResponse();
    const found = await events(response);
    expect(found.map(([event]) => event)).not.toContain('chunks');
    expect(found.map(([, data]) => data).join(' ')).not.toContain('"chunks"');
    expect(found.at(-1)?.[1]).toBe('[DONE]');
  });
});

describe('K1: another tenant', () => {
  test('is told the same of what an account of ours has and of what it has not', async () => {
    const on = await onOf(false);
    const id = await on.instance({}, TEXT);
    const stranger = namespaced(clientOf(await stack.anotherToken('C0stranger')), on.account, 'default');
    expect(await refused(stranger.read(id))).toBe(403);
    expect(await refused(stranger.read('nothing'))).toBe(403);
    expect(await refused(stranger.search(id, { query: 'hours' }))).toBe(403);
    // Refused before the file is read: the client must see why, and no broken connection.
    for (const kib of [1, 64, 512])
      expect(await refused(stranger.items.upload(id, 'mine.md', 'Mine. '.repeat(171 * kib)))).toBe(403);
    expect(keysOf(await on.family.search(id, { query: 'Mine' }))).toEqual([]);
  });

  test('our own other account has no instance of that name', async () => {
    const on = await onOf(false);
    const id = await on.instance({}, TEXT);
    expect(await refused(namespaced(on.cf, `${on.account}-b`, 'default').search(id, { query: 'hours' }))).toBe(404);
  });
});

test('with an embedding engine and an answer engine behind HTTP, what is meant is found as well, and the model answers', async () => {
  const engines: ChatServer = await startChatServer({
    reply: (_prompt, at) => {
      const { path, body } = engines.requests[at] ?? { path: '', body: undefined };
      if (path === '/v1/embeddings') return { kind: 'vectors', data: vectorsOf(body) };
      return { kind: 'stream', pieces: ['It is ', 'parked [1].'] };
    },
  });
  const engine = { url: engines.url, model: 'm' };
  const meant = await startControlStack({
    controlBindings: {
      ANSWER_ENGINE: 'openai-compatible',
      ANSWER_ENGINE_URL: engine.url,
      ANSWER_ENGINE_MODEL: engine.model,
      EMBEDDING_ENGINE: 'openai-compatible',
      EMBEDDING_ENGINE_URL: engine.url,
      EMBEDDING_ENGINE_MODEL: engine.model,
    },
  });
  try {
    const cf = new Cloudflare({ apiToken: meant.world.token, baseURL: `${meant.world.url}/client/v4`, maxRetries: 0 });
    const family = flat(cf, 'meant');
    await family.create({ id: 'docs', index_method: { keyword: true, vector: true } });
    await family.items.upload('docs', 'car.md', 'The car is parked behind the house.', { wait_for_completion: true });
    await family.items.upload('docs', 'tea.md', 'An automobile is nothing to brew tea in.', {
      wait_for_completion: true,
    });
    // Who waits for an upload waits for its vectors.
    expect((await family.stats('docs'))['engine']).toMatchObject({ vectorize: { dimensions: 3, vectorsCount: 2 } });
    // No word of the question is in the first: only its vector says so.
    const { chunks } = (await family.search('docs', { query: 'automobile' })) as { chunks: FoundChunk[] };
    expect(
      chunks.map(({ item, scoring_details: details }) => [item.key, details.vector_rank, details.keyword_rank]),
    ).toEqual([
      ['tea.md', 2, 1],
      ['car.md', 1, undefined],
    ]);
    const answer = await family.chat('docs', { messages: [{ role: 'user', content: 'Where is the automobile?' }] });
    expect(answer).toMatchObject({ choices: [{ message: { content: 'It is parked [1].' }, finish_reason: 'stop' }] });
    const asked = engines.requests.find(({ path }) => path === '/v1/chat/completions')?.body;
    expect(JSON.stringify(asked)).toContain('parked behind the house');
  } finally {
    await meant.stop();
    await engines.stop();
  }
});

type FoundChunk = { item: { key: string }; scoring_details: { vector_rank?: number; keyword_rank?: number } };

const embedding = z.object({ input: z.array(z.string()) });

/** One number for each thing that a text may be about: a car, tea. */
function vectorsOf(body: unknown): unknown {
  return embedding.parse(body).input.map((text, index) => {
    const isTea = text.includes('tea');
    const isCar = /\b(?:car|automobile)\b/i.test(text);
    return { object: 'embedding', index, embedding: [isCar ? 1 : 0, isTea ? 1 : 0, 0.1] };
  });
}

test('without an answer engine a chat is 503, and search still works', async () => {
  const quiet = await startControlStack({ controlBindings: { ANSWER_ENGINE: 'none' } });
  try {
    const cf = new Cloudflare({ apiToken: quiet.world.token, baseURL: `${quiet.world.url}/client/v4`, maxRetries: 0 });
    const family = flat(cf, 'quiet');
    await family.create({ id: 'docs' });
    await family.items.upload('docs', 'first.md', TEXT, { wait_for_completion: true });
    expect(await refused(family.chat('docs', { messages: [{ role: 'user', content: 'open?' }] }))).toBe(503);
    expect(keysOf(await family.search('docs', { query: 'nine to five' }))).toEqual(['first.md']);
  } finally {
    await quiet.stop();
  }
});
