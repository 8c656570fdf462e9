import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HttpServer, sendJson, startHttpServer } from './http-server.ts';

const HEADER = `# TXT records that the api Worker of the local stack sees: a name and a value on each line. Read again for each question.
# _sightline.www.example.com sightline-site-verification=0123456789abcdef0123456789abcdef
`;
/** Lines of the file that are read. */
const MAX_LINES = 10_000;
const [NO_ERROR, NO_SUCH_NAME, TXT] = [0, 3, 16];

/**
 * A resolver on loopback that answers DNS questions in JSON, as the one of a deployment does: TXT records from a file that
 * a person can edit. Nothing is asked of the network.
 * @param file made with a line that explains it, where it is missing
 */
export async function startTxtResolver(file: string): Promise<HttpServer> {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, HEADER, { mode: 0o600 });
  }
  const server = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://resolver.local');
    const texts = readRecords(file, searchParams.get('name') ?? '');
    sendJson(response, 200, {
      Status: texts.length === 0 ? NO_SUCH_NAME : NO_ERROR,
      Answer: texts.map((text) => ({ type: TXT, data: `"${text.replaceAll(/["\\]/g, '\\$&')}"` })),
    });
  });
  return { ...server, url: `${server.url}/dns-query` };
}

function readRecords(file: string, name: string): readonly string[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n', MAX_LINES) : [];
  return lines.flatMap((line) => {
    const [, owner = '', text = ''] = /^\s*([^#\s]\S*)\s+(.+?)\s*$/.exec(line) ?? [];
    return owner !== '' && owner.toLowerCase() === name.toLowerCase() ? [text] : [];
  });
}
