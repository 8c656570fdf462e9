import { expect, test } from 'vitest';
import { listOwnOrigins } from '../../src/net/own-origins.ts';

test.each([
  ['https://control.example.com', ['https://control.example.com']],
  ['https://control.example.com:8443/path', ['https://control.example.com:8443']],
  ['http://127.0.0.1:9099', ['http://127.0.0.1:9099', 'http://localhost:9099', 'http://[::1]:9099']],
  ['http://localhost:9099/', ['http://127.0.0.1:9099', 'http://localhost:9099', 'http://[::1]:9099']],
  ['http://[::1]:80', ['http://127.0.0.1', 'http://localhost', 'http://[::1]']],
  ['https://127.0.0.1.example.com', ['https://127.0.0.1.example.com']],
])('%s is reached at %j', (url, origins) => expect(listOwnOrigins(url)).toEqual(origins));
