import { expect, test } from 'vitest';
import { createSkippedUrls } from '../../../src/search/crawl/frontier.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

test('K9: where addresses led is remembered of the newest thousand', () => {
  const { sql } = memorySqlite();
  const { setLead, lead } = createSkippedUrls(sql);
  for (let at = 0; at < 1_000; at += 1) setLead(`/old${at}`, `/new${at}`);
  setLead('/old0', '/newer'); // Read again: it is the newest.
  expect([lead('/old0'), lead('/old1')]).toEqual(['/newer', '/new1']);
  setLead('/one-more', '/new');
  setLead('/and-another', '/new');
  expect([lead('/old0'), lead('/old1'), lead('/old2'), lead('/old3')]).toEqual([
    '/newer',
    undefined,
    undefined,
    '/new3',
  ]);
  expect(sql.exec('SELECT count(*) AS n FROM crawl_lead').toArray()).toEqual([{ n: 1_000 }]);
});

test('an address that is itself leads nowhere', () => {
  const { setLead, lead } = createSkippedUrls(memorySqlite().sql);
  setLead('/a', '/b');
  setLead('/a', undefined);
  expect(lead('/a')).toBeUndefined();
});
