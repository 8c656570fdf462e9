/** Serves the site of the benchmark on loopback, in a process of its own; prints `{ port }`. Other paths are 404. */
import { createServer } from 'node:http';
import { siteFiles } from './page.ts';

let files: ReturnType<typeof siteFiles> = new Map();

const server = createServer((request, response) => {
  const file = files.get(new URL(request.url ?? '/', 'http://localhost').pathname);
  response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' });
  response.end(request.method === 'HEAD' ? undefined : (file?.body ?? 'not found'));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a numeric address');
  files = siteFiles(`http://127.0.0.1:${address.port}`);
  console.log(JSON.stringify({ port: address.port }));
});
