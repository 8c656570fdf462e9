import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { capitalQuestion, CONSTANT_TOOLS, FORMS, greetingQuestion, RED_PIXEL_PNG } from './fixture-data.ts';

const STEP_MS = 50;
const capabilitiesSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ sampling: z.unknown().optional(), elicitation: z.unknown().optional() }),
});

/** One key for all instances: every request is served by a new one. Nothing but the suite's state is under it. */
const stateCodec = createRequestStateCodec<{ round: number }>({ key: 'the-suite-only-state-key-32-bytes-long!!' });

/** A server with every tool, resource and prompt that the official suite asks for, for one request or one session. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'sightline-conformance-fixture', version: '1.0.0' },
    {
      capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
      requestState: { verify: (state, ctx) => stateCodec.verify(state, ctx) },
    },
  );
  constantTools(server);
  runningTools(server);
  askingTools(server);
  statefulTools(server);
  resources(server);
  prompts(server);
  return server;
}

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function constantTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONSTANT_TOOLS)) {
    server.registerTool(name, { description: `Always answers the same: ${name}` }, () => ({ content: [...content] }));
  }
  server.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function runningTools(server: McpServer): void {
  server.registerTool('test_tool_with_progress', { description: 'Tells its progress thrice' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await sleep(STEP_MS);
    }
    return said('Done with progress');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs while it works' }, async (ctx) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await ctx.mcpReq.log('info', line);
        await sleep(STEP_MS);
      }
      return said('Done with logging');
    });
  }
}

/** Tools that ask the client for something; the SDK turns the question into the form of the client's era. */
function askingTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: "Asks the client's model", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, ctx) =>
      asked(ctx, 'answer', {
        answer: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
          maxTokens: 100,
        }),
      }),
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the person', inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => asked(ctx, 'form', { form: form(message, 'contact') }),
  );
  const forms = {
    test_elicitation_sep1034_defaults: 'defaults',
    test_elicitation_sep1330_enums: 'enums',
    test_streaming_elicitation: 'confirmation',
  } as const;
  for (const [name, kind] of Object.entries(forms)) {
    server.registerTool(name, { description: `Asks the person by a form: ${kind}` }, (ctx) =>
      asked(ctx, 'form', { form: form('Please fill in', kind) }),
    );
  }
  for (const name of ['test_input_required_result_sampling', 'test_missing_capability']) {
    server.registerTool(name, { description: "Asks the client's model" }, (ctx) =>
      asked(ctx, 'capital_question', { capital_question: inputRequired.createMessage(capitalQuestion) }),
    );
  }
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for the roots' }, (ctx) =>
    asked(ctx, 'client_roots', { client_roots: inputRequired.listRoots() }),
  );
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    return answer === undefined
      ? inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } })
      : said(`Hello, ${answer.name}!`);
  });
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client can answer' },
    (ctx) => {
      const can = capabilitiesSchema.parse(ctx.mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY];
      const inputRequests: InputRequests = {
        ...(can?.sampling === undefined ? {} : { question: inputRequired.createMessage(capitalQuestion) }),
        ...(can?.elicitation === undefined ? {} : { form: form('What is your name?', 'name') }),
      };
      const [first] = Object.keys(inputRequests);
      return first === undefined ? said('Nothing to ask') : asked(ctx, first, inputRequests);
    },
  );
}

/** Tools that keep where they are in the state that the client carries back. */
function statefulTools(server: McpServer): void {
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    server.registerTool(name, { description: 'Asks once and checks what comes back' }, async (ctx) => {
      if (ctx.mcpReq.requestState<{ round: number }>()?.round === 1) return said('state-ok');
      return inputRequired({
        inputRequests: { confirm: form('Please confirm', 'confirmation') },
        requestState: await stateCodec.mint({ round: 1 }),
      });
    });
  }
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things at once' },
    async (ctx) => {
      if (ctx.mcpReq.requestState<{ round: number }>()?.round === 1) return said('Thank you for all three');
      return inputRequired({
        inputRequests: {
          user_name: form('What is your name?', 'name'),
          greeting: inputRequired.createMessage(greetingQuestion),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await stateCodec.mint({ round: 1 }),
      });
    },
  );
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (ctx) => {
    const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2) return said('Thank you for both');
    return inputRequired({
      inputRequests:
        round === 0
          ? { step1: form('Step 1: What is your name?', 'name') }
          : { step2: form('Step 2: What is your favorite color?', 'color') },
      requestState: await stateCodec.mint({ round: round + 1 }),
    });
  });
}

function resources(server: McpServer): void {
  const plain = (uri: string, text: string) => ({ contents: [{ uri, mimeType: 'text/plain', text }] });
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A constant text', mimeType: 'text/plain' },
    ({ href }) => plain(href, 'This is the content of the static text resource.'),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A constant picture', mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: RED_PIXEL_PNG }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'Can be subscribed to', mimeType: 'text/plain' },
    ({ href }) => plain(href, 'Watched'),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'One for each id', mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function prompts(server: McpServer): void {
  const user = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', { description: 'Always the same' }, () => ({
    messages: [user('This is a simple prompt for testing.')],
  }));
  const arg1 = completable(z.string().describe('First test argument'), (value) =>
    ['testValue1', 'testValue2'].filter((known) => known.startsWith(value)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Says its arguments',
      argsSchema: z.object({ arg1, arg2: z.string().describe('Second test argument') }),
    },
    (given) => ({ messages: [user(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Carries a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Carries a picture' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' } },
      user('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks before it answers' }, (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    return answer === undefined
      ? inputRequired({ inputRequests: { user_context: form('What context should the prompt use?', 'context') } })
      : { messages: [user(`In the context of ${answer.context}`)] };
  });
}

/** An elicitation. The suite's schemas are wider than the SDK's type of them. */
const form = (message: string, kind: keyof typeof FORMS) =>
  inputRequired.elicit({ message, requestedSchema: FORMS[kind] as never });

/** Asks until the client has answered `key`, and then says what it answered. */
function asked(ctx: ServerContext, key: string, inputRequests: InputRequests) {
  const answer = inputResponse(ctx.mcpReq.inputResponses, key);
  return answer.kind === 'missing' ? inputRequired({ inputRequests }) : said(`Answered: ${JSON.stringify(answer)}`);
}
