/**
 * One of the official A2A clients as a process of its own: `node a2a-client.ts 1.0|0.2 ORIGIN`. It looks for the card of the
 * origin where that client looks, sends one message to the address in it, and prints what came of it as JSON.
 */
import { A2AClient } from 'a2a-sdk-0.2/client';
import { ClientFactory } from '@a2a-js/sdk/client';

const [, , era = '', origin = ''] = process.argv;
const ID = '5f1c2b34-0000-4000-8000-000000000001';
const TEXT = 'What does an anvil weigh?';

async function askCurrent(): Promise<unknown> {
  const client = await new ClientFactory().createFromUrl(origin);
  return client.sendMessage({
    tenant: '',
    message: {
      messageId: ID,
      contextId: '',
      taskId: '',
      role: 1,
      parts: [{ content: { $case: 'text', value: TEXT }, metadata: {}, filename: '', mediaType: '' }],
      metadata: {},
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: {},
  });
}

async function askOlder(): Promise<unknown> {
  const client = new A2AClient(origin);
  await client.getAgentCard();
  return client.sendMessage({
    message: { kind: 'message', messageId: ID, role: 'user', parts: [{ kind: 'text', text: TEXT }] },
  });
}

const asked = await (era === '1.0' ? askCurrent() : askOlder()).then(
  (answer) => ({ answer }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);
console.log(JSON.stringify(asked));
