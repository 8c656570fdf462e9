import { creditPacks, packPath } from '../../src/capabilities/credit-packs.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { formatToolPath, soldTools } from '../../src/capabilities/sold-tools.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { findProblemRow } from '../../src/problems/codes.ts';
import { listResponseCodes } from '../../src/problems/shared-responses.ts';
import { escapeProse, formatCode, formatGeneratedPage, formatTable } from './markdown.ts';
import { describeType, type Schema } from './schema-members.ts';

/** An address that belongs to no one, as in `.dev.vars.example`. */
const BASE_URL = 'https://sightline.example';

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  responses: Readonly<Record<string, { description: string }>>;
};
type Described = { method: string; path: string; operation: Operation };

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Every operation of the OpenAPI document, in its order, with its parameters and answers written out. */
export function listOperations(): readonly Described[] {
  const { paths, components } = openApiDocument(BASE_URL, true) as {
    paths: Record<string, Record<string, Operation>>;
    components: Components;
  }; // As `toOpenApiPaths` makes it.
  const follow = <T>(value: T): T => {
    const [, , kind = '', name = ''] = String(Object(value)['$ref'] ?? '').split('/');
    return kind === '' ? value : (components[kind]?.[name] as T);
  };
  const followAll = (operation: Operation): Operation => ({
    ...operation,
    parameters: operation.parameters?.map(follow) ?? [],
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, one]) => [status, follow(one)])),
  });
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ method: method.toUpperCase(), path, operation: followAll(one) })),
  );
}

/** Paths of what is sold: alike, so described once. */
const SOLD = new Set([
  ...catalog.map(({ name }) => `/api/agent/${name}`),
  ...panels.map(formatPanelPath),
  ...soldTools.map(formatToolPath),
  ...creditPacks.map(packPath),
]);

const REPEATS = [
  '### Repeats',
  'What costs or creates something is done once, however often it is sent:',
  formatTable(
    ['Request', 'What makes a repeat safe'],
    [
      [
        'Paid operations and credit packs',
        'The payment: the same one is never taken twice. With `Idempotency-Key` (1 to 255 printable characters) a signed payment also names the purchase, as `payment-identifier` of x402 does: once it was settled, another payment of the same payer under that key is 422 `idempotency_key_reused` and is not taken, whatever its body. A payment that was not settled leaves the key free; after `settlement_refused` use a new one. A `payment-identifier` in the payload goes before the header. A key is no credential, and by itself opens no result. A transfer is named by its hash, and needs no key',
      ],
      [
        'MCP calls on credits',
        'The key in `_meta["sightline/idempotency-key"]` or in the header, for each client: the same arguments are one debit',
      ],
      [
        '`POST /operator/...` that makes a service account, key, client or operator, or restores one',
        '`Idempotency-Key`, for each operator, for 24 hours: the same answer again. An answer with a secret is given once; its repeat is 409 `already_created` with the id. Another body is 422 `idempotency_key_reused`',
      ],
      ['`POST /reports/{id}/publish` and `/unpublish`', 'Nothing is needed: a repeat changes nothing'],
      [
        '`POST /api/monitors`',
        '`Idempotency-Key`, for each account, for 24 hours: the same monitor again, its secrets masked. Another body is 422 `idempotency_key_reused`',
      ],
      [
        '`PATCH /api/monitors/{id}`',
        '`If-Match` with the ETag that you know: the second of two changes is 412 `precondition_failed`',
      ],
      [
        '`POST /oauth/register`',
        'Nothing is needed: a registration is inside the client id and stores nothing before a person consents',
      ],
      [
        '`POST /oauth/token`',
        'The protocol: a code is good once; the same refresh again within 30 s gets the same answer',
      ],
    ],
  ),
];

/** `docs/reference/http-api.md`: every operation of the api Worker. */
export const httpApiPage = (): string => {
  const operations = listOperations();
  const sold = operations.filter(({ path }) => SOLD.has(path));
  const others = operations.filter(({ path }) => !SOLD.has(path));
  return formatGeneratedPage('HTTP API', 'the rows of `src/openapi`', [
    'A deployment serves its own description at `/openapi.json` (OpenAPI 3.1, with all schemas) and links it from `/.well-known/api-catalog`. This page lists its operations. Refusals are [problems](problems.md) with stable codes; [limits](limits.md) says how often you may ask.',
    'There is no version in the paths. Members are added, and clients ignore those that they do not know. [Changes and deprecations](deprecations.md) says how something goes away. Lists that may be long come in pages: pass `next_cursor` of an answer on as `?cursor=`, or follow `Link` with `rel="next"`, until there is none. A cursor is good for its own list and query alone, and opens nothing. An entry may come twice where the list grew meanwhile. Generated clients have named types: `FullAuditBody` and `FullAuditResult` for `full_audit`, and the parts of results, such as `Check`, `Fix`, `Score` and `File`.',
    '## Paid operations',
    'Each takes a JSON body and a payment: in the header `PAYMENT-SIGNATURE` an x402 v2 payload or the hash of a USDC transfer on Base, or in `Authorization` a credential of the scheme `Payment` ([MPP](../guides/pay-with-mpp.md)). Without one the answer is 402 with the terms in `PAYMENT-REQUIRED` and challenges in `WWW-Authenticate`. With `Accept: text/event-stream` the answer is a stream of progress events that ends with the result.',
    'Send the same request with the same payment again, and you get the same result without a second charge.',
    ...REPEATS,
    formatTable(
      ['Operation', 'What it returns'],
      sold.map(({ method, path, operation }) => [
        path.startsWith('/api/agent/')
          ? `[${formatCode(`${method} ${path}`)}](capabilities.md#${operation.operationId})`
          : formatCode(`${method} ${path}`),
        escapeProse(operation.summary),
      ]),
    ),
    renderAnswers(sold[0]),
    '## Other operations',
    ...others.flatMap(renderOperation),
  ]);
};

function renderOperation({ method, path, operation }: Described): readonly string[] {
  const { operationId, summary, description, security = [], parameters = [] } = operation;
  const schemes = security.flatMap((each) => Object.keys(each));
  return [
    `### ${operationId}`,
    `${formatCode(`${method} ${path}`)}: ${escapeProse(summary)}.${description === undefined ? '' : ` ${escapeProse(description)}`}`,
    schemes.length === 0 ? '' : `Needs: ${schemes.map(formatCode).join(' or ')}.`,
    parameters.length === 0
      ? ''
      : formatTable(['Parameter', 'In', 'Required', 'Type', 'What it is'], parameters.map(renderParameter)),
    renderAnswers({ method, path, operation }),
  ];
}

const renderParameter = ({ name, in: place, required = false, description = '', schema = {} }: Parameter) => [
  formatCode(name),
  place,
  required ? 'yes' : 'no',
  describeType(schema),
  escapeProse(description),
];

/** The answers by status; problems by their codes. */
function renderAnswers(described: Described | undefined): string {
  if (described === undefined) throw new Error('nothing is sold');
  const rows = Object.entries(described.operation.responses).flatMap(([status, response]) => {
    const codes = listResponseCodes(response);
    if (codes.length === 0) return [[status, escapeProse(response.description)]];
    const byStatus = Map.groupBy(codes, (code) => String(findProblemRow(code)?.status ?? status));
    return Array.from(byStatus, ([own, group]) => [
      own,
      group.map((code) => `[\`${code}\`](problems.md#${code})`).join(', '),
    ]);
  });
  return formatTable(
    ['Status', 'Answer'],
    rows.toSorted(([one = ''], [other = '']) => Number(one) - Number(other)),
  );
}
