/** The fixtures that the official suite asks a server to have, as data: names and texts are the suite's own. */

/** A PNG of one red pixel, as base64. */
export const RED_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV file of no samples, as base64. */
export const SILENT_WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const image = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' } as const;

/** Tools whose result is always the same. */
export const CONSTANT_TOOLS = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: SILENT_WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
} as const;

/** What a form asks of a person (elicitation), by what the suite tests with it. */
export const FORMS = {
  name: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  color: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
  confirmation: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  context: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
  contact: {
    type: 'object',
    properties: {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    required: ['username', 'email'],
  },
  defaults: {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  },
  enums: {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: {
        type: 'string',
        oneOf: [
          { const: 'value1', title: 'First Option' },
          { const: 'value2', title: 'Second Option' },
          { const: 'value3', title: 'Third Option' },
        ],
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'value1', title: 'First Choice' },
            { const: 'value2', title: 'Second Choice' },
            { const: 'value3', title: 'Third Choice' },
          ],
        },
      },
    },
  },
} as const;

/** What a client's model is asked (sampling). */
export const capitalQuestion = {
  messages: [{ role: 'user' as const, content: text('What is the capital of France?') }],
  maxTokens: 100,
};
export const greetingQuestion = {
  messages: [{ role: 'user' as const, content: text('Generate a greeting') }],
  maxTokens: 50,
};
