import { checks } from '../../src/audit/core/catalogue.ts';
import { type ScoreName, scoreNames } from '../../src/audit/core/check.ts';
import { RUBRIC_VERSION } from '../../src/audit/core/rubric-version.ts';
import { SCORE_TITLES } from '../../src/audit/core/summary.ts';
import { capitalise } from '../../src/lib/text.ts';
import { formatGeneratedPage, formatTable } from './markdown.ts';

const QUESTIONS: Readonly<Record<ScoreName, string>> = {
  aeo: 'Can AI search find, fetch and read the page?',
  geo: 'Is there something to cite, by whom, and can it be trusted?',
  agent: 'Can an agent work with the site?',
  mcp: 'Can an MCP client find, trust and use a server of the site?',
};

/** `docs/reference/scores.md`: the four scores, how they are computed, and what caps them. */
export const scoresPage = (): string =>
  formatGeneratedPage('Scores', 'the weights and gates of the checks', [
    `An audit has up to four scores from 0 to 100. The rubric of this build is version ${RUBRIC_VERSION}; [the rubric](../project/rubric.md) lists what changed between versions.`,
    formatTable(
      ['Score', 'Question it answers', 'Checks', 'Weight of all'],
      scoreNames.map((name) => [
        `${capitalise(SCORE_TITLES[name])} (\`${name}\`)`,
        QUESTIONS[name],
        String(listChecksOf(name).length),
        String(listChecksOf(name).reduce((sum, { weight }) => sum + weight, 0)),
      ]),
    ),
    '## How a score is computed',
    'Each check passes (value 1), fails (0) or passes partly (in between). The score is `round(100 * sum(weight * value) / sum(weight))` over these checks. Then the lowest gate that applies caps it.',
    'Two verdicts count for nothing: `not_applicable` (there is nothing to assess) and `unknown` (we could not check). They lower only `coverage`, the assessed weight over the weight of all checks of the score.',
    'A score applies where at least one of its own checks does. Otherwise it has `applies: false` and a `reason`, and no gauge, grade or badge shows its 0. MCP readiness applies to sites that offer or describe an MCP server or an API, and to audits with the profile `mcp` or `api`.',
    formatTable(
      ['Grade', 'From'],
      [
        ['A', '90'],
        ['B', '75'],
        ['C', '60'],
        ['D', '40'],
        ['F', '0'],
      ],
    ),
    '## Gates',
    'A gate is a check whose failure makes the rest matter less. It caps the score, whatever the other checks earn.',
    formatTable(['Check', 'Score', 'Cap'], scoreNames.flatMap(listGates)),
    '## Evidence grades',
    formatTable(
      ['Grade', 'What the check is based on'],
      [
        ['A', 'A specification, or the documentation of a vendor'],
        ['B', 'A documented consumer reads it'],
        ['C', 'A convention; the check weighs 2 at most'],
        ['D', 'Reported only'],
      ],
    ),
    'Scores compare only within one version and one hash of the rubric (`rubric` in every report). The page of each [check](checks/index.md) has its weight, its source and its fix.',
  ]);

const listChecksOf = (name: ScoreName) => checks.filter(({ scores }) => scores.includes(name));

const listGates = (name: ScoreName): readonly (readonly string[])[] =>
  listChecksOf(name).flatMap(({ id, title, gate }) => {
    const cap = gate?.caps[name];
    if (cap === undefined) return [];
    return [
      [
        `[${title}](checks/${id}.md)`,
        capitalise(SCORE_TITLES[name]),
        `${cap}${gate?.inProportion === true ? ', in proportion to the value' : ''}`,
      ],
    ];
  });
