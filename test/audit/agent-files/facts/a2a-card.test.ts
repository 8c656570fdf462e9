import { describe, expect, test } from 'vitest';
import { readA2aCard } from '../../../../src/audit/agent-files/facts/a2a-card.ts';
import { a2aCard } from '../../../support/audit/agent-site.ts';

describe('A2A cards', () => {
  test('1.0 is told from 0.3 by supportedInterfaces', () => {
    expect(readA2aCard(a2aCard())).toMatchObject({ shape: '1.0', issues: [], skills: 1 });
    const old = a2aCard({ supportedInterfaces: undefined, url: 'https://acme.example/a2a', protocolVersion: '0.3.0' });
    expect(readA2aCard(old)).toMatchObject({
      shape: '0.3',
      issues: [],
      interfaces: [{ url: 'https://acme.example/a2a', binding: 'JSONRPC', version: '0.3.0' }],
    });
  });

  test.each([
    ['name', '/name'],
    ['description', '/description'],
    ['version', '/version'],
    ['capabilities', '/capabilities'],
    ['defaultInputModes', '/defaultInputModes'],
    ['defaultOutputModes', '/defaultOutputModes'],
    ['skills', '/skills'],
  ])('a card without %s has a fault there', (member, pointer) => {
    expect(readA2aCard(a2aCard({ [member]: undefined }))?.issues).toMatchObject([{ pointer }]);
  });

  test.each([
    ['protocolBinding', '/supportedInterfaces/0/protocolBinding'],
    ['protocolVersion', '/supportedInterfaces/0/protocolVersion'],
    ['url', '/supportedInterfaces/0/url'],
  ])('an interface without %s has a fault there', (member, pointer) => {
    const all = {
      url: 'https://acme.example/a2a',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      [member]: undefined,
    };
    expect(readA2aCard(a2aCard({ supportedInterfaces: [all] }))?.issues).toMatchObject([{ pointer }]);
  });

  test.each([null, 1, 'x', [], {}, { error: 'not found' }])('%j is no card', (value) => {
    expect(readA2aCard(value)).toBeUndefined();
  });
});
