import {
  BROKEN_JSON,
  FOREIGN_ORIGIN,
  GARBAGE_TOKEN,
  PREFLIGHT_HEADERS,
  REQUEST_IDS,
  UNKNOWN_METHOD,
  buildImpossibleVersionRequest,
  initializeRequest,
  buildModernRequest,
} from '../../audit/mcp/facts/requests.ts';
import { LEGACY_REVISION } from '../../audit/mcp/facts/places.ts';
import { formatReproduceCommand } from '../../audit/core/wire.ts';

/** A reader that takes no answer in this time hangs at an event stream. */
const MAX_SECONDS = 20;
const HEADERS_ONLY = '-sSL -o /dev/null -D -';

const discover = { method: 'server/discover', id: REQUEST_IDS.discover } as const;
const tools = { method: 'tools/list', id: REQUEST_IDS.tools } as const;

/**
 * Options of curl for requests that a plain GET does not make: only fixed words of ours (rule X1), no single quote within
 * one. Those of MCP are the messages of the audit, which change nothing.
 */
export const ASKS = {
  /** The status line and headers of HEAD. */
  head: '-sSIL',
  compressed: `${HEADERS_ONLY} -H 'Accept-Encoding: gzip, br'`,
  conditional: `${HEADERS_ONLY} -H 'If-None-Match: *'`,
  markdown: "-sSiL -H 'Accept: text/markdown'",
  htmlFirst: "-sSiL -H 'Accept: text/html, text/markdown;q=0.1'",
  /** Plain http, and the first answer only. */
  plainHttp: '-sSi',
  mcpDiscover: post(buildModernRequest('', discover)),
  mcpInitialize: post(initializeRequest('', LEGACY_REVISION)),
  mcpVersion: post(buildImpossibleVersionRequest('', { ...discover, id: REQUEST_IDS.version })),
  mcpMismatch: post(buildModernRequest('', { ...discover, id: REQUEST_IDS.mismatch }, { 'mcp-method': tools.method })),
  mcpUnknownMethod: post(buildModernRequest('', { method: UNKNOWN_METHOD, id: REQUEST_IDS.unknownMethod })),
  mcpBadJson: post({ ...buildModernRequest('', discover), body: BROKEN_JSON }),
  mcpForeignOrigin: post(buildModernRequest('', { ...discover, id: REQUEST_IDS.origin }, { origin: FOREIGN_ORIGIN })),
  mcpBadToken: post(
    buildModernRequest('', { ...discover, id: REQUEST_IDS.badToken }, { authorization: `Bearer ${GARBAGE_TOKEN}` }),
  ),
  mcpTools: post(buildModernRequest('', tools)),
  mcpUnknownTool: post(
    buildModernRequest(
      '',
      {
        method: 'tools/call',
        id: REQUEST_IDS.unknownTool,
        params: { name: UNKNOWN_METHOD.replace('/', '-'), arguments: {} },
      },
      { 'mcp-name': UNKNOWN_METHOD.replace('/', '-') },
    ),
  ),
  mcpResources: post(buildModernRequest('', { method: 'resources/list', id: REQUEST_IDS.resources })),
  mcpListen: `-sSi --max-time ${MAX_SECONDS} -H 'accept: text/event-stream'`,
  mcpPreflight: `-sSi -X OPTIONS -H 'origin: ${FOREIGN_ORIGIN}' -H 'access-control-request-method: POST' -H 'access-control-request-headers: ${PREFLIGHT_HEADERS.join(',')}'`,
} as const satisfies Readonly<Record<string, string>>;

/** How a command asks, where a GET of the address would not show what is to be seen. */
export type VerificationRequest = keyof typeof ASKS;

/**
 * The command that asks for `url` in this way (rule X1): fixed words and an address of the audited origin, as
 * `formatReproduceCommand` writes it. `plainHttp` asks the same host by http.
 */
export function askLine(
  start: URL,
  url: string,
  { ask, userAgent }: { ask?: VerificationRequest; userAgent?: string },
): string {
  const line = formatReproduceCommand(start, url, userAgent);
  if (ask === undefined) return line;
  const asked = line.replace(PLAIN, `curl ${ASKS[ask]} `);
  return ask === 'plainHttp' ? asked.replace("'https://", "'http://") : asked;
}

/** The same command as a plain GET of `start`'s origin, for who judges its other words. A command that is none of ours comes back as it is. */
export function withoutAsk(command: string, start: URL): string {
  const options = Object.values<string>(ASKS).find((words) => command.startsWith(`curl ${words} '`));
  if (options === undefined) return command;
  const rest = command.slice(`curl ${options} `.length);
  return `${PLAIN}${options === ASKS.plainHttp ? rest.replace(/^'http:/u, `'${start.protocol}`) : rest}`;
}

const PLAIN = 'curl -sSiL ';

function post({ headers = {}, body = '' }: ReturnType<typeof buildModernRequest>): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  return `-sSi --max-time ${MAX_SECONDS} -X POST ${lines.join(' ')} --data '${body}'`;
}
