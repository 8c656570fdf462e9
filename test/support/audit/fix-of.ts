import type { PackedFix } from '../../../src/fixes/files/fix.ts';

/** A fix as a fix pack holds it; `members` replace its own. */
export const fixOf = (members: Partial<PackedFix> = {}): PackedFix => ({
  id: 'aeo.robots.fetch',
  title: 'robots.txt can be fetched',
  status: 'fail',
  scores: ['aeo'],
  weight: 3,
  gains: { aeo: 4 },
  points: 4,
  file: 'robots.txt',
  action: 'create',
  instructions: 'Publish the file at the root of the site.',
  content: 'User-agent: *\nAllow: /\n',
  media_type: 'text/plain',
  effort: 'minutes',
  facts_needed: [],
  evidence: [],
  verify: {
    command: "curl -sSiL 'https://acme.example/robots.txt'",
    expect: 'Status 200 and a line that begins with User-agent.',
  },
  ...members,
});
