// Makes the requests of a file over six connections that are kept, reads every answer to its end and does nothing else:
// `node bare-crawl.mjs <origin> <file>`.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const CONNECTIONS = 6;
const [origin, file] = process.argv.slice(2);
const { requests } = JSON.parse(readFileSync(file, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

const ask = ({ method, path, headers, body }) =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { method, headers, agent }, (answer) => {
      answer.on('end', resolve).on('error', reject).resume();
    });
    sent.on('error', reject).end(body);
  });

const waiting = requests.values();
const lane = async () => {
  for (const one of waiting) await ask(one);
};
await Promise.all(Array.from({ length: CONNECTIONS }, lane));
agent.destroy();
