import { PRODUCT } from '../../lib/product.ts';
import * as z from 'zod';
import { buildNamedSchemas, linkSchema } from '../../lib/json-schema.ts';
import { toSnakeCase } from '../../lib/text.ts';
import { getIssuer, PATHS } from '../../authorization/oauth/resources.ts';
import { serviceScopes } from '../../authorization/oauth/scopes.ts';
import { NOTIFICATIONS_PATH } from '../core/receive.ts';
import type { WebhookSettings } from '../core/settings.ts';
import { type Operation, operations, OPERATOR_SCOPE, READ_SCOPE, WRITE_SCOPE } from './operations.ts';
import { type ProblemCode, problems } from './problems-data.ts';
import { buildProblemSchema, describeProblems, sharedHeaders } from '../../problems/problem.ts';
import { type Paths, shareProblemResponses } from '../../problems/shared-responses.ts';
import { examples } from './examples-data.ts';
import { answerShapes, bodyShapes, CHANNEL_ID } from './shapes.ts';

/** Version of the interface: a change that breaks callers changes its first number. */
const DOCUMENT_VERSION = '1.0.0';

/** What any operation may refuse. */
const ANY: readonly ProblemCode[] = [
  'invalid_token',
  'insufficient_scope',
  'not_found',
  'rate_limited',
  'invalid_host',
  'wrong_host',
  'internal_error',
  'authorization_unavailable',
  'unavailable',
];
/** What any operation with a body may refuse besides. */
const WITH_BODY: readonly ProblemCode[] = [
  'invalid_json',
  'body_broken_off',
  'body_too_large',
  'unsupported_media_type',
];

type Document = Record<string, unknown>;

/** The OpenAPI 3.1 description of the webhook Worker, made from the table of operations and their schemas. */
export function buildWebhookDocument({ BASE_URL, WEBHOOK_URL, VENDOR_HEADER_PREFIX }: WebhookSettings): Document {
  const { origin } = new URL(WEBHOOK_URL);
  const { paths, responses } = shareProblemResponses({
    [`${NOTIFICATIONS_PATH}/{watch}`]: { post: describeReceiver(VENDOR_HEADER_PREFIX) },
    ...buildOperationPaths(),
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT} notification channels`,
      version: DOCUMENT_VERSION,
      description:
        'Receives push notifications of a directory, keeps their channels open, and reports what became of them.',
      contact: { name: PRODUCT, url: BASE_URL },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags,
    paths,
    components: {
      schemas: {
        Problem: buildProblemSchema(Object.keys(problems), WITHOUT_ID),
        ...buildNamedSchemas(answerShapes),
        ...Object.fromEntries(Object.entries(bodyShapes).map(([name, shape]) => [name, toJsonSchema(shape, 'input')])),
        Accepted: { type: 'object', required: ['status'], properties: { status: { const: 'accepted' } } },
      },
      responses,
      parameters: { ChannelId: channelParameter },
      headers: {
        ...sharedHeaders,
        RequestId: { description: 'The id of this request', schema: { type: 'string' } },
        Location: { description: 'Where the channel is', schema: { type: 'string', format: 'uri-reference' } },
      },
      securitySchemes: { oauth: buildOAuthScheme(BASE_URL) },
    },
  };
}

const tags = [
  { name: 'channels', description: 'Watches of the users of a customer or a domain.' },
  { name: 'messages', description: 'Notifications that came, and what became of them.' },
  { name: 'deployment', description: 'Whether this Worker is in order, for who operates it.' },
  { name: 'receiver', description: 'Where the directory sends its notifications.' },
] as const;

function buildOperationPaths(): Paths {
  const paths: Paths = {};
  for (const [id, row] of Object.entries<Operation>(operations))
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describeOperation(toSnakeCase(id), row) };
  return paths;
}

/** The name of a shape in the document. */
function linkShape(shapes: Readonly<Record<string, z.ZodType>>, schema: z.ZodType): { $ref: string } {
  const name = Object.keys(shapes).find((one) => shapes[one] === schema);
  if (name === undefined) throw new Error('a shape of an operation has no name');
  return linkSchema(name);
}

function describeOperation(operationId: string, row: Operation): Document {
  const { path, method, scope, tag, summary, description, input, answer, problems: own } = row;
  const isRead = method === 'GET';
  const example = examples[operationId];
  const parameters = [
    ...(path.includes('{id}') ? [{ $ref: '#/components/parameters/ChannelId' }] : []),
    ...(isRead ? listQueryParameters(input) : []),
  ];
  const body = { schema: isRead ? {} : linkShape(bodyShapes, input), example: example?.body };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [{ oauth: [scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isRead ? {} : { requestBody: { content: { 'application/json': body } } }),
    responses: {
      [answer.status]: {
        description: answer.text,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(answer.status === 201 ? { Location: { $ref: '#/components/headers/Location' } } : {}),
        },
        content: {
          'application/json': { schema: linkShape(answerShapes, answer.schema), example: example?.answer },
        },
      },
      ...buildProblemResponses([...own, ...ANY, ...(isRead ? [] : WITH_BODY)]),
    },
  };
}

const channelParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: "A channel's id, or that of its watch; of a probe, its own",
  schema: { type: 'string', pattern: CHANNEL_ID.source },
} as const;

/** JSON Schema of what is sent (`input`) or answered (`output`). */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Document {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

function listQueryParameters(schema: z.ZodType): readonly Document[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, Document>;
    required?: readonly string[];
  }; // As JSON Schema has them for an object.
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

const buildProblemResponses = (codes: readonly ProblemCode[]): Document =>
  describeProblems(codes.map((code) => ({ code, ...problems[code] })));

const WITHOUT_ID = 'Missing where every answer is to be the same: see forged_notification';

const buildOAuthScheme = (baseUrl: string): Document => {
  const scopes = Object.fromEntries(
    ([READ_SCOPE, WRITE_SCOPE, OPERATOR_SCOPE] as const).map((scope) => [scope, serviceScopes[scope].text]),
  );
  const tokenUrl = `${getIssuer(baseUrl)}${PATHS.token}`;
  return {
    type: 'oauth2',
    description: 'Tokens are for this resource (RFC 8707). Without one, nothing is found here.',
    flows: {
      authorizationCode: { authorizationUrl: `${getIssuer(baseUrl)}${PATHS.authorize}`, tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  };
};

/** Headers of a notification, by their names without the vendor's prefix. */
const headerRows: readonly { name: string; required: boolean; description: string }[] = [
  { name: 'Channel-ID', required: true, description: 'The channel, as it was asked for' },
  { name: 'Channel-Token', required: true, description: 'Its token' },
  { name: 'Resource-ID', required: true, description: 'What it watches' },
  { name: 'Resource-State', required: true, description: '`sync`, or the kind of event' },
  { name: 'Resource-URI', required: false, description: 'What it watches, as an address' },
  {
    name: 'Message-Number',
    required: false,
    description: 'Up to 20 digits; without such a number, headers and body together stand for it',
  },
];

const describeReceiver = (prefix: string): Document => ({
  operationId: 'receive_notification',
  tags: ['receiver'],
  summary: 'For the directory: takes a notification',
  description: 'After the 200 it is stored, and is processed even after a crash.',
  security: [],
  parameters: [
    {
      name: 'watch',
      in: 'path',
      required: true,
      description: 'The id of the watch',
      schema: { type: 'string', pattern: CHANNEL_ID.source },
    },
    ...headerRows.map(({ name, ...row }) => ({
      ...row,
      name: `${prefix}${name}`,
      in: 'header',
      schema: { type: 'string' },
    })),
  ],
  requestBody: {
    description: 'Any body or none. Up to 64 KiB of JSON with the `id` of a user are read; else every user is read.',
    required: false,
    content: { '*/*': {} },
  },
  responses: {
    200: {
      description: 'Kept, or nothing to keep',
      content: {
        'application/json': { schema: linkSchema('Accepted'), example: { status: 'accepted' } },
      },
    },
    ...buildProblemResponses([
      'forged_notification',
      'method_not_allowed',
      'internal_error',
      'channel_pending',
      'not_kept',
    ]),
  },
});
