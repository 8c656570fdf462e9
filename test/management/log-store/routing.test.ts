import { expect, test } from 'vitest';
import { createFilterMatchers } from '../../../src/management/log-store/matchers.ts';
import type { Route, SinkTarget } from '../../../src/management/log-store/order.ts';
import { createEntryRouter } from '../../../src/management/log-store/routing.ts';

const HOOK: SinkTarget = { kind: 'webhook', url: 'https://hooks.example.net/logs' };
const ARCHIVE: SinkTarget = { kind: 'storage', bucket: 'archive' };
const BUCKET: SinkTarget = { kind: 'bucket', bucket: 'projects/p/locations/global/buckets/b' };
const TO_Q: SinkTarget = { kind: 'container', container: 'projects/q' };

const route = (sink: string, target: SinkTarget, filter = ''): Route => ({ sink, filter, exclusions: [], target });

/** Sinks that an entry of `projects/p` is placed by. */
const sinksOf = (routes: Readonly<Record<string, readonly Route[]>>): readonly string[] => {
  const router = createEntryRouter({ routes }, createFilterMatchers());
  const entry = { logName: 'projects/p/logs/a', severity: 'INFO' };
  const checked = { log: { name: entry.logName, container: 'projects/p', id: 'a' }, entry };
  return router(checked as unknown as Parameters<typeof router>[0]).map(({ sink }) => sink); // What the router reads of it.
};

test.each([
  ['two sinks with one webhook address post both', [route('one', HOOK), route('two', HOOK)], ['one', 'two']],
  ['two sinks to one storage bucket write one line', [route('one', ARCHIVE), route('two', ARCHIVE)], ['one']],
  ['two sinks to one log bucket keep one entry', [route('one', BUCKET), route('two', BUCKET)], ['one']],
  [
    'a sink whose filter takes nothing of it posts nothing',
    [route('one', HOOK), route('two', HOOK, 'severity>=ERROR')],
    ['one'],
  ],
])('%s', (_name, routes, sinks) => expect(sinksOf({ 'projects/p': routes })).toEqual(sinks));

test('a sink that is reached twice posts once', () => {
  const routes = { 'projects/p': [route('to-q', TO_Q), route('again', TO_Q)], 'projects/q': [route('hook', HOOK)] };
  expect(sinksOf(routes)).toEqual(['hook']);
});

test('a sink of the container that another sends to takes what its own filter says', () => {
  const there = [route('all', HOOK), route('errors', HOOK, 'severity>=ERROR')];
  expect(sinksOf({ 'projects/p': [route('to-q', TO_Q)], 'projects/q': there })).toEqual(['all']);
});
