import { describe, expect, test } from 'vitest';
import {
  buildErrorBody,
  buildErrorHeaders,
  requestRefusals,
} from '../../../../src/management/core/conventions/errors.ts';
import { renderJsonText, JSON_TYPE } from '../../../../src/management/core/conventions/json-text.ts';
import { vendorRefusals } from '../../../../src/lib/refusal.ts';

const { data: notFound } = vendorRefusals.notFound('userKey');
const message = 'Resource Not Found: userKey';
const errors = [{ message, domain: 'global', reason: 'notFound' }];

describe('an error body', () => {
  test.each([
    [{ dialect: 'legacy' }, { code: 404, message, errors }],
    [
      { dialect: 'legacy', xgafv: '1' },
      { code: 404, message, errors },
    ],
    [
      { dialect: 'legacy', xgafv: '2' },
      { code: 404, message, status: 'NOT_FOUND' },
    ],
    [{ dialect: 'status' }, { code: 404, message, status: 'NOT_FOUND' }],
    [
      { dialect: 'status', xgafv: '1' },
      { code: 404, message, errors, status: 'NOT_FOUND' },
    ],
    [
      { dialect: 'status', xgafv: '2' },
      { code: 404, message, status: 'NOT_FOUND' },
    ],
  ] as const)('as %j', (form, error) => expect(buildErrorBody(notFound, form)).toEqual({ error }));

  test('of a missing token names the header in the older dialect, and the reason in both', () => {
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'CREDENTIALS_MISSING',
        domain: 'googleapis.com',
        metadata: { method: 'directory.users.list' },
      },
    ];
    const refusal = requestRefusals.loginRequired('directory.users.list');
    expect(buildErrorBody(refusal, { dialect: 'legacy' })).toEqual({
      error: {
        code: 401,
        message: 'Login Required.',
        errors: [
          {
            message: 'Login Required.',
            domain: 'global',
            reason: 'required',
            location: 'Authorization',
            locationType: 'header',
          },
        ],
        status: 'UNAUTHENTICATED',
        details,
      },
    });
    expect(buildErrorBody(refusal, { dialect: 'status' })).toEqual({
      error: { code: 401, message: 'Login Required.', status: 'UNAUTHENTICATED', details },
    });
  });

  test.each([
    [requestRefusals.invalidCredentials(), 401, 'UNAUTHENTICATED', 'authError', 'ACCESS_TOKEN_TYPE_UNSUPPORTED'],
    [
      requestRefusals.insufficientPermissions(),
      403,
      'PERMISSION_DENIED',
      'insufficientPermissions',
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    ],
    [requestRefusals.rateLimited(30), 429, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded', 'RATE_LIMIT_EXCEEDED'],
    [requestRefusals.backendError(), 503, 'UNAVAILABLE', 'backendError', undefined],
    [requestRefusals.internalError(), 500, 'INTERNAL', 'internalError', undefined],
    [requestRefusals.notFoundUrl(), 404, 'NOT_FOUND', 'notFound', undefined],
    [requestRefusals.methodNotAllowed(['GET']), 405, 'UNIMPLEMENTED', 'httpMethodNotAllowed', undefined],
  ])('%#: %j', (refusal, status, word, reason, info) => {
    expect(refusal).toMatchObject({ status, word, reason });
    expect(refusal.details?.[0]?.['reason']).toBe(info);
  });

  test.each([
    [30, { 'retry-after': '30' }],
    [0.2, { 'retry-after': '1' }],
    [1.5, { 'retry-after': '2' }],
  ])('Retry-After of %d is whole seconds, at least one', (seconds, headers) => {
    expect(buildErrorHeaders(requestRefusals.rateLimited(seconds))).toEqual(headers);
    expect(buildErrorHeaders(requestRefusals.backendError(seconds))).toEqual(headers);
  });

  test('no other refusal tells when to come back', () => expect(buildErrorHeaders(notFound)).toEqual({}));
});

describe('JSON answers', () => {
  test('are indented by two spaces unless told otherwise', () => {
    expect(renderJsonText({ a: [1] }, { prettyPrint: true })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    expect(renderJsonText({ a: [1] }, { prettyPrint: false })).toBe('{"a":[1]}');
    expect(JSON_TYPE).toBe('application/json; charset=UTF-8');
  });
});
