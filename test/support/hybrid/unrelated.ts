import { type Pen, writeTop } from './blocks.ts';

const lines =
  (...texts: readonly string[]) =>
  ({ w, layout }: Pen) =>
    texts.forEach((text) => w.line(text.replace(/^ +/, (pad) => pad.repeat(layout.unit / 2))));

/** Blocks that a migration leaves alone, with all that YAML allows in them. Of each name at most one. */
export const unrelated: readonly ((pen: Pen) => void)[] = [
  (pen) => writeTop(pen, { key: 'namespace', value: 'apigee' }),
  (pen) => writeTop(pen, { key: 'revision', value: '"120"' }),
  (pen) => writeTop(pen, { key: 'contractProvider', value: 'https://apigee.googleapis.com' }),
  (pen) =>
    writeTop(pen, {
      key: 'runtime',
      value: [
        { key: 'replicaCountMin', value: '2' },
        { key: 'resources', value: [{ key: 'requests', value: [{ key: 'cpu', value: '500m' }] }] },
        { key: 'hostAlias', value: 'kept.example.com' },
      ],
    }),
  (pen) =>
    writeTop(pen, {
      key: 'logger',
      value: [
        { key: 'enabled', value: 'true' },
        { key: 'serviceAccountPath', value: './l.json' },
      ],
    }),
  (pen) =>
    writeTop(pen, {
      key: 'imagePullSecrets',
      value: { items: [[{ key: 'name', value: 'regcred' }], [{ key: 'name', value: '"two"' }]] },
    }),
  (pen) =>
    writeTop(pen, {
      key: 'httpProxy',
      value: [
        { key: 'scheme', value: 'HTTP' },
        { key: 'host', value: 'proxy' },
        { key: 'port', value: '80' },
      ],
    }),
  lines(
    'x-notes: |',
    '  hostAliases: [not a key]',
    '',
    '    ingress:',
    "  it's | text # no comment",
    '  ---x',
    'x-after-notes: 1',
  ),
  lines('x-folded: >-', '  routingRules:', '    - env: none', '', 'x-after-folded: 1'),
  lines('x-kept: |+', '  kept', '', '', 'x-after-kept: 1'),
  lines('x-long: "one', '  gcpRegion: two', '', '  three"'),
  lines('x-plain: one', '  two mart', '  three'),
  lines("x-quoted: 'it''s: # no comment'"),
  lines('x-unicode: "ünïcödé 🚀 \\u00e9"', 'x-🚀: ключ'),
  lines(
    'nodeSelector: &selector',
    '  requiredForScheduling: true',
    'x-selector: *selector',
    'x-merged:',
    '  <<: *selector',
  ),
  lines('x-tag: !!str 12', 'x-tagged: !own {a: b}'),
  lines('x-flow: [', '  one, # comment', '    {two: three,', '     four: [5]}', ']'),
  lines('synchronizer:', '  replicaCountMin: 1', '  image: {}', '  env : []', 'udca: {fluentd: {}}'),
  lines('x-empty:', 'x-null: ~', 'x-dash:', '- a', '-   - b', '    - c'),
  lines('"x-quoted-key": 1', "'x-other' : 2", '? x-asked', ': 3'),
];
