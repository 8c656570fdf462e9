import { afterAll, beforeEach } from 'vitest';
import { useShards } from './authorization-world.ts';

/**
 * The tests of codes, refresh tokens, audiences and document clients once more, with grants where new grants are: in
 * shards. By themselves those files look at grants of before there were shards, which the root still holds.
 */
beforeEach(() => useShards(true));
afterAll(() => useShards(false));

const files = ['codes', 'refresh', 'audience', 'documents'];
// With a query each is a module of its own, whose tests are this file's.
for (const file of files) await import(`./authorization-${file}.test.ts?sharded`);
