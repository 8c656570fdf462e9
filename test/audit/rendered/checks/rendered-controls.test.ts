import { describe, expect, test } from 'vitest';
import type { RenderedOverlay, RenderedTool } from '../../../../src/audit/rendered/facts/rendered-look.ts';
import { judgeLook } from '../../../support/audit/judge-look.ts';
import { buildLook, buildTarget } from '../../../support/audit/looks.ts';

const page = (body = '<p>A page</p>'): string => `<!doctype html><title>x</title>${body}`;

describe('agent.webmcp.registered', () => {
  const id = 'agent.webmcp.registered';
  const tool: RenderedTool = { name: 'find', description: 'Finds it', hasSchema: true, declarative: false };
  const script = '<script>document.modelContext.registerTool({})</script>';
  const form = '<form toolname="find" tooldescription="Finds it"></form>';

  test.each([
    ['no tool, and none named', page(), [], 'not_applicable'],
    ['a tool that is complete', page(), [tool], 'pass'],
    ['one of two without a description', page(), [tool, { ...tool, name: 'other', description: ' ' }], 'partial'],
    ['a tool without a schema', page(), [{ ...tool, hasSchema: false }], 'fail'],
    ['a name that is not legal', page(), [{ ...tool, name: 'find it' }], 'fail'],
    ['a script that names a tool, and none there', page(script), [], 'fail'],
    ['a form that declares a tool, and none there', page(form), [], 'fail'],
  ] as const)('%s', async (_name, raw, tools, status) => {
    expect(await judgeLook(id, raw, buildLook(raw, { tools: [...tools] }))).toMatchObject({ status });
  });

  test('unknown where the browser does not know the interface, or there was none', async () => {
    expect(await judgeLook(id, page(script), buildLook(page(), { tools: null }))).toMatchObject({ status: 'unknown' });
    expect(await judgeLook(id, page(script), undefined)).toMatchObject({ status: 'unknown' });
  });
});

describe('agent.ui.target-size', () => {
  const id = 'agent.ui.target-size';
  const icon = (x: number, more = {}) => buildTarget({ x, width: 16, height: 16, ...more });
  const far = buildTarget({ x: 500 });

  test.each([
    ['nothing to press', [], 'not_applicable'],
    ['large targets', [far, buildTarget()], 'pass'],
    ['a small one alone', [icon(0), far], 'pass'],
    ['two small ones next to each other', [icon(0), icon(18)], 'fail'],
    ['two small ones that are 24 pixels apart', [icon(0), icon(24)], 'pass'],
    ['a small one beside a large one', [icon(0), buildTarget({ x: 18 }), far, far], 'partial'],
    ['links in a sentence', [icon(0, { inline: true }), icon(18, { inline: true })], 'not_applicable'],
    ['pictures, which are not loaded', [icon(0, { media: true }), icon(18, { media: true })], 'not_applicable'],
    ['checkboxes that the browser draws', [icon(0, { native: true }), far], 'pass'],
    [
      'a button within a card that can be pressed',
      [icon(10, { y: 10 }), buildTarget({ width: 300, height: 200 })],
      'pass',
    ],
  ] as const)('%s', async (_name, targets, status) => {
    expect(await judgeLook(id, page(), buildLook(page(), { targets: [...targets] }))).toMatchObject({ status });
  });

  test('unknown where nothing was rendered', async () => {
    expect(await judgeLook(id, page(), undefined)).toMatchObject({ status: 'unknown' });
  });
});

describe('agent.ui.overlay', () => {
  const id = 'agent.ui.overlay';
  const layer: RenderedOverlay = {
    selector: 'div.consent',
    share: 0.9,
    textShare: 0.1,
    dialog: true,
    name: 'Your choice',
    controls: ['Accept', ''],
  };

  test.each([
    ['nothing', [], 'pass'],
    ['a bar', [{ ...layer, share: 0.1, dialog: false, name: null }], 'pass'],
    ['the frame of an application', [{ ...layer, textShare: 0.95, dialog: false, name: null }], 'pass'],
    ['a named dialog', [layer], 'partial'],
    ['no dialog', [{ ...layer, dialog: false, name: null }], 'fail'],
    ['a dialog without a name', [{ ...layer, name: '' }], 'fail'],
    ['a dialog that nothing closes', [{ ...layer, controls: [''] }], 'fail'],
    ['a named one and another', [layer, { ...layer, name: '' }], 'fail'],
  ] as const)('%s', async (_name, overlays, status) => {
    const look = buildLook(page(), { overlays: overlays.map((one) => ({ ...one, controls: [...one.controls] })) });
    expect(await judgeLook(id, page(), look)).toMatchObject({ status });
  });
});

describe('agent.ui.rendered-names', () => {
  const id = 'agent.ui.rendered-names';

  test.each([
    ['no controls', [], 'not_applicable'],
    ['all named', [buildTarget()], 'pass'],
    ['one of two named', [buildTarget(), buildTarget({ name: ' ' })], 'partial'],
    ['none named', [buildTarget({ name: '' })], 'fail'],
    ['names that the browser did not say', [buildTarget({ name: null })], 'not_applicable'],
  ] as const)('%s', async (_name, targets, status) => {
    expect(await judgeLook(id, page(), buildLook(page(), { targets: [...targets] }))).toMatchObject({ status });
  });
});
