import { expect, test } from 'vitest';
import { findRobotsRefusal, readHostRobots } from '../../../src/monitors/subject/robots-gate.ts';
import { failure, redirect, SITE, type SiteAnswer, siteFetch, text } from '../../support/audit/site-fetch.ts';

const CLOSED = 'User-agent: *\nAllow: /\n\nUser-agent: SightlineBot\nDisallow: /\n';
const look = async (answer: SiteAnswer, path = '/', others: Record<string, SiteAnswer> = {}) => {
  const url = `${SITE}${path}`;
  return findRobotsRefusal(await readHostRobots(siteFetch({ '/robots.txt': answer, ...others }), url), url);
};

test('a group that names our agent refuses what it disallows, by its line', async () => {
  expect(await look(text(CLOSED))).toEqual({ url: `${SITE}/robots.txt`, line: 5 });
  expect(await look(text('User-agent: sightlinebot\nDisallow: /private\n'), '/private/a')).toMatchObject({ line: 2 });
  expect(await look(text('User-agent: sightlinebot\nDisallow: /private\n'))).toBeUndefined();
});

test('the file that a redirect leads to is the one that is named', async () => {
  const moved = await look(redirect(`${SITE}/other.txt`), '/', { '/other.txt': text(CLOSED) });
  expect(moved).toEqual({ url: `${SITE}/other.txt`, line: 5 });
});

test('rules for all crawlers refuse nothing: they do not name us', async () => {
  expect(await look(text('User-agent: *\nDisallow: /\n'))).toBeUndefined();
});

test.each<[string, SiteAnswer]>([
  ['404 with rules in its page', text(CLOSED, { status: 404 })],
  ['503 with rules in its page', text(CLOSED, { status: 503 })],
  ['no answer', failure('timeout')],
])('a file that cannot be read refuses nothing: %s', async (_what, answer) => {
  expect(await look(answer)).toBeUndefined();
});
