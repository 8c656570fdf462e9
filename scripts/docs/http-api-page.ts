import { creditPacks, packPath } from '../../src/capabilities/credit-packs.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
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
  parameters?: readonly Parameter[];
  responses: Readonly<
    Record<
      string,
      {
        description: string;
        content?: Readonly<Record<string, { examples?: Readonly<Record<string, unknown>> }>>;
      }
    >
  >;
};
type Described = { method: string; path: string; operation: Operation };

/** Every operation of the OpenAPI document, in its order. */
export const listOperations = (): readonly Described[] =>
  Object.entries(openApiDocument(BASE_URL, true)['paths'] as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  ); // As `toOpenApiPaths` makes it.

/** Paths of what is sold: alike, so described once. */
const SOLD = new Set([...catalog.map(({ name }) => `/api/agent/${name}`), ...creditPacks.map(packPath)]);

/** `docs/reference/http-api.md`: every operation of the api Worker. */
export const httpApiPage = (): string => {
  const operations = listOperations();
  const sold = operations.filter(({ path }) => SOLD.has(path));
  const others = operations.filter(({ path }) => !SOLD.has(path));
  return formatGeneratedPage('HTTP API', 'the rows of `src/openapi`', [
    'A deployment serves its own description at `/openapi.json` (OpenAPI 3.1, with all schemas) and links it from `/.well-known/api-catalog`. This page lists its operations. Refusals are [problems](problems.md) with stable codes; [limits](limits.md) says how often you may ask.',
    'There is no version in the paths. Members are added, and clients ignore those that they do not know. [Changes and deprecations](deprecations.md) says how something goes away.',
    '## Paid operations',
    'Each takes a JSON body and a payment in the header `PAYMENT-SIGNATURE`: an x402 v2 payload, or the hash of a USDC transfer on Base. Without one the answer is 402 with the terms in `PAYMENT-REQUIRED`. With `Accept: text/event-stream` the answer is a stream of progress events that ends with the result.',
    'Send the same request with the same payment again, and you get the same result without a second charge.',
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
  const rows = Object.entries(described.operation.responses).map(([status, { description, content = {} }]) => {
    const codes = Object.keys(content['application/problem+json']?.examples ?? {});
    const words =
      codes.length === 0
        ? escapeProse(description)
        : codes.map((code) => `[\`${code}\`](problems.md#${code})`).join(', ');
    return [status, words];
  });
  return formatTable(['Status', 'Answer'], rows);
}
