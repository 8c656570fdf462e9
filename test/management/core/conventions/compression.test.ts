import { expect, test } from 'vitest';
import { canSendGzip } from '../../../../src/management/core/conventions/compression.ts';

const AGENT = 'google-api-nodejs-client/9.3.1 (gzip)';

test.each([
  ['gzip', AGENT],
  ['gzip, deflate, br', AGENT],
  ['deflate , GZIP ; q=0.5', 'my program (GZIP)'],
  ['br;q=1.0, gzip;q=0.001', 'gzip'],
  ['gzip;q=1.000', AGENT],
])('gzip for %j and %j', (accepted, agent) => expect(canSendGzip(accepted, agent)).toBe(true));

test.each([
  ['gzip', 'Go-http-client/1.1'],
  ['gzip', ''],
  ['gzip', null],
  ['gzip', undefined],
  ['', AGENT],
  [null, AGENT],
  [undefined, AGENT],
  ['br, deflate', AGENT],
  ['*', AGENT],
  ['gzip;q=0', AGENT],
  ['gzip;q=0.000', AGENT],
  ['gzip;q=-1', AGENT],
  ['gzip;q=NaN', AGENT],
  ['gzip;q=2', AGENT],
  ['gzip;level=9', AGENT],
  ['x-gzip, gzipped', AGENT],
  [`${'br,'.repeat(10_000)}gzip`, AGENT],
])('no gzip for %j and %j', (accepted, agent) => expect(canSendGzip(accepted, agent)).toBe(false));
