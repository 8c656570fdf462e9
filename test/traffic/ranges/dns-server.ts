import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readAddressWords } from '../../../src/net/address-words.ts';

/** What a name has; `fails` is a server that cannot say. A name without a record does not exist. */
export type DnsRecords = Readonly<
  Record<string, { ptr?: readonly string[]; a?: readonly string[]; aaaa?: readonly string[] } | 'fails'>
>;

const TYPES = { a: 1, ptr: 12, aaaa: 28 } as const;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;

/** A DNS server on loopback with the given records (RFC 1035); `asked` has the names of all questions. */
export async function startDnsServer(
  records: DnsRecords,
): Promise<{ address: string; asked: string[]; stop: () => Promise<void> }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const record = records[name];
    const kind = (Object.keys(TYPES) as (keyof typeof TYPES)[]).find((each) => TYPES[each] === type);
    const values = record === undefined || record === 'fails' || kind === undefined ? [] : (record[kind] ?? []);
    const code = record === 'fails' ? SERVER_FAILURE : record === undefined ? NO_SUCH_NAME : 0;
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    const answers = values.map((value) =>
      formatAnswer(type, kind === 'ptr' ? formatName(value) : formatAddress(value)),
    );
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: async () => await new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(offset + 1), end: offset + 5 };
}

/** A record of the name that was asked for. */
function formatAnswer(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const formatName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ]);

function formatAddress(text: string): Buffer {
  const words = new Uint32Array(4);
  const family = readAddressWords(text, words);
  const bytes = Buffer.alloc(16);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, index * 4);
  return family === 4 ? bytes.subarray(12) : bytes;
}
