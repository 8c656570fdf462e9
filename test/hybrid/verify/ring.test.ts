import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRingNodes } from '../../../src/hybrid/verify/facts.ts';

/** As Cassandra 3.11 prints it (the example of the vendor's page on scaling). */
const PRINTED = `Datacenter: us-east1
====================
Status=Up/Down
|/ State=Normal/Leaving/Joining/Moving
--  Address      Load       Tokens       Owns (effective)  Host ID                               Rack
UN  10.16.2.6    690.17 KiB  256          48.8%             b02089d1-0521-42e1-bbed-900656a58b68  ra-1
UN  10.16.4.6    700.55 KiB  256          51.6%             dc6b7faf-6866-4044-9ac9-1269ebd85dab  ra-1
DN  10.16.11.11  ?           256          48.3%             c7906366-6c98-4ff6-a4fd-17c596c33cf7  ra-1
UJ  10.16.1.11   767.03 KiB  256          ?                 ddf221aa-80aa-497d-b73f-67e576ff1a23  ra-1
`;

test('nodes of what nodetool prints, with their state and data center', () => {
  expect(parseRingNodes(PRINTED)).toEqual([
    { address: '10.16.2.6', status: 'UN', dataCenter: 'us-east1' },
    { address: '10.16.4.6', status: 'UN', dataCenter: 'us-east1' },
    { address: '10.16.11.11', status: 'DN', dataCenter: 'us-east1' },
    { address: '10.16.1.11', status: 'UJ', dataCenter: 'us-east1' },
  ]);
});

test('line ends of another system and indentation do not matter', () => {
  expect(parseRingNodes(PRINTED.replaceAll('\n', '\r\n').replaceAll('UN ', '  UN '))).toEqual(parseRingNodes(PRINTED));
});

test('two data centers are told apart', () => {
  expect(
    parseRingNodes('Datacenter: a\nUN  10.0.0.1  1\nDatacenter: b\nUN  10.0.0.2  1\n').map((node) => node.dataCenter),
  ).toEqual(['a', 'b']);
});

test.each(['UN', 'UL', 'UJ', 'UM', 'DN', 'DL', 'DJ', 'DM', '?N'])('state %s is read', (status) => {
  expect(parseRingNodes(`${status}  fd00::1  1 KiB`)).toEqual([{ address: 'fd00::1', status, dataCenter: '' }]);
});

test.each([
  '',
  'nodetool: Failed to connect to 127.0.0.1:7199 - ConnectException',
  'Unable to connect to the server: dial tcp',
  'Note: Non-system keyspaces do not have the same replication settings',
  'UNKNOWN 10.0.0.1',
  '-- Address Load',
])('%j has no nodes', (text) => {
  expect(parseRingNodes(text)).toEqual([]);
});

test('lines may be given instead', () => {
  expect(parseRingNodes([{ address: '10.0.0.1', status: 'UN' }])).toEqual([
    { address: '10.0.0.1', status: 'UN', dataCenter: '' },
  ]);
});

test('no text breaks it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) =>
      parseRingNodes(text).every(({ status }) => status.length === 2),
    ),
  );
});
