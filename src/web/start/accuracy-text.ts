import type { Accuracy, LabelledVerdicts } from '../../audit/core/accuracy-data.ts';
import { checks } from '../../audit/core/catalogue.ts';
import { scoreNames } from '../../audit/core/check.ts';
import { ACCURACY_BOUNDS, isOftenWrong, isTooHeavy } from '../../audit/core/wire.ts';
import { formatPercent, sum } from '../../lib/numbers.ts';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { getScoreTitle } from '../audit/score-words.ts';
import { brand } from '../brand.ts';
import {
  buildCode,
  buildLink,
  buildList,
  buildText,
  type Inline,
  type PageText,
  type TableColumn,
  type TableRow,
  type TextBlock,
  type TextSection,
} from './document.ts';

const buildSection = (id: string, heading: string, ...blocks: TextSection['blocks']): TextSection => ({
  id,
  heading,
  level: 2,
  blocks,
});

const buildTable = (caption: string, columns: readonly TableColumn[], rows: readonly TableRow[]): TextBlock => ({
  kind: 'table',
  caption,
  columns,
  rows,
});

/** How often verdicts are right on pages from outside: the page, and the document that is kept with the code. */
export const buildAccuracyPage = (accuracy: Accuracy): PageText => ({
  path: ACCURACY_PATH,
  title: 'How often our verdicts are right',
  description: `Verdicts of ${brand.name} on pages of public corpora beside what readers of these pages say: right, arguable and wrong for each check.`,
  changed: accuracy.date,
  lead: [
    `On ${accuracy.date} ${brand.name} judged ${formatNumber(accuracy.pages.judged)} saved pages of public corpora. Readers who never saw a verdict had answered what ${Object.keys(accuracy.checks).length} checks ask, for a sample of these pages. This page compares the two on the ${accuracy.pages.labelled} pages of the sample whose labels were not used while the engine was changed: ${formatNumber(accuracy.pages.verdicts)} verdicts, the wrong ones included.`,
  ],
  sections: [
    buildResultsSection(accuracy),
    buildChecksSection(accuracy),
    ...buildAsideSections(accuracy),
    buildLabelsSection(accuracy),
    buildCorporaSection(accuracy),
    buildReadersSection(accuracy),
    ...buildPlantedSections(accuracy),
    ...buildRobotsSections(accuracy),
    ...buildPeerSections(accuracy),
    buildUnmeasuredSection(accuracy),
  ],
});

const formatNumber = (value: number): string => value.toLocaleString('en-US');
const formatShare = (share: number): string => `${(100 * share).toFixed(1)} %`;
const formatDecimals = (share: number): string => share.toFixed(3);

function buildResultsSection({ scores, kinds, mainText }: Accuracy): TextSection {
  const shares = scoreNames.flatMap((name): (readonly Inline[])[] => {
    const of = scores[name];
    if (of === undefined) return [];
    const { wrong, wrongCosting } = of;
    return [
      [
        `${getScoreTitle(name)}: ${formatShare(wrong)} of the verdicts are wrong, and ${formatShare(wrongCosting)} of those that cost points.`,
      ],
    ];
  });
  return buildSection(
    'results',
    'Results',
    buildText(
      'Each verdict is weighed by how often it falls on all pages, so these shares are estimates for a page of the corpora as it comes.',
    ),
    buildList(
      ...shares,
      [
        `The kind of page (article, product, listing and so on) is right on ${kinds.right} of the ${kinds.n} pages of the sample (${formatShare(kinds.right / Math.max(1, kinds.n))}), in which rare kinds are many; for a page as it comes that makes ${formatShare(kinds.weighed)}.`,
      ],
      ...(mainText === undefined
        ? []
        : [
            [
              `The main text of ${mainText.pages} pages was compared with the texts that one corpus has for them, by runs of four words: precision ${formatDecimals(mainText.precision)}, recall ${formatDecimals(mainText.recall)}, F1 ${formatDecimals(mainText.f1)}.`,
            ],
          ]),
    ),
  );
}

const catalogue = new Map(checks.map((check) => [check.id, check]));

function buildChecksSection(accuracy: Accuracy): TextSection {
  const rows = Object.entries(accuracy.checks).toSorted(
    ([a, one], [b, other]) => other.wrong / other.n - one.wrong / one.n || (a < b ? -1 : 1),
  );
  const doubted = rows.filter(([, verdicts]) => isOftenWrong(verdicts)).length;
  return buildSection(
    'checks',
    'Each check',
    buildText(
      `A verdict is right when both readers agree with it, arguable when one of them does or it is within what two careful readers differ by, and wrong when neither does. Accuracy is the share that is not wrong, with its 95 % interval (Wilson). A check of ${ACCURACY_BOUNDS.verdicts} verdicts or more and an accuracy under ${formatPercent(ACCURACY_BOUNDS.said)} says so in every report: ${doubted} of these ${rows.length} do.`,
    ),
    buildText(...describeWeights(rows)),
    buildText(
      'The pages were drawn so that each verdict of each check is among them about equally often. Rare verdicts count as much as frequent ones here, so the shares of this table are not those of pages as they come.',
    ),
    buildTable(
      'Verdicts on labelled pages by check, those that are wrong most often first',
      [
        'Check',
        { number: 'Verdicts' },
        { number: 'Right' },
        { number: 'Arguable' },
        { number: 'Wrong' },
        { number: 'Accuracy' },
        { number: '95 % interval' },
      ],
      rows.map(buildCheckRow),
    ),
  );
}

function describeWeights(rows: readonly [string, LabelledVerdicts][]): readonly Inline[] {
  const { heavy, weight } = ACCURACY_BOUNDS;
  const rule = `A check under ${formatPercent(heavy)} weighs at most ${weight}. `;
  const offenders = rows.filter(([id, verdicts]) => isTooHeavy(verdicts, catalogue.get(id)?.weight ?? 0));
  if (offenders.length === 0) return [`${rule}All do.`];
  return [`${rule}These still weigh more: `, ...listCodes(offenders.map(([id]) => id)), '.'];
}

const listCodes = (ids: readonly string[]): readonly Inline[] =>
  ids.flatMap((id, index): Inline[] => [...(index === 0 ? [] : [', ']), buildCode(id)]);

const buildCheckRow = ([id, { n, right, arguable, wrong, low, high }]: [string, LabelledVerdicts]): TableRow => ({
  id,
  cells: [
    [`${catalogue.get(id)?.title ?? ''} `, buildCode(id)],
    ...[n, right, arguable, wrong].map((count) => [String(count)]),
    [formatShare((n - wrong) / n)],
    [`${formatShare(low)} to ${formatShare(high)}`],
  ],
});

function buildAsideSections({ aside }: Accuracy): readonly TextSection[] {
  if (aside === undefined) return [];
  const { pages, kindsRight, verdicts, right, arguable, wrong } = aside;
  return [
    buildSection(
      'aside',
      'Verdicts on pages that were set aside',
      buildText(
        `After the code was frozen, ${formatNumber(verdicts)} verdicts were drawn on ${pages} pages that no one had read. Two readers answered the questions behind them without seeing the verdicts: ${right} are right, ${arguable} arguable and ${wrong} wrong (${formatShare(wrong / verdicts)}). Of each page up to three of the five verdicts were drawn for costing points, so easy verdicts are fewer here than on pages as they come. The kind of page is right on ${kindsRight} of the ${pages}. The seed of the draw is the commit that was frozen; `,
        buildCode('bench/truth/aside.tsv'),
        ' lists the verdicts.',
      ),
    ),
  ];
}

const buildLabelsSection = ({ pages }: Accuracy): TextSection =>
  buildSection(
    'labels',
    'What the labels are, and what they are not',
    buildList(
      [
        'The readers are language models. They were given a written guide (',
        buildCode('bench/truth/guide.md'),
        ') that says what counts as a quotation, a source, a statistic, a brand, an author and a kind of page, and answered by reading the page. None of our programs answered for them.',
      ],
      [
        'Each page was read twice. Neither pass saw the other, a verdict, or what the engine had found. Where they differ, both answers count.',
      ],
      [
        'Both passes are by models of one family, which may err alike. Their agreement says how noisy the labels are at least, not how right they are.',
      ],
      [
        `Half of the labelled pages was frozen before anything was changed by what the labels showed. The figures here are those of its ${pages.labelled} pages; the bench alone reads them.`,
      ],
      [
        'A page is a file that others saved, judged alone under its address. Every other address of its host answers 404 (a canonical one gives no answer), so checks of a whole site are not measured here.',
      ],
    ),
  );

const buildCorporaSection = ({ corpora }: Accuracy): TextSection =>
  buildSection(
    'pages',
    'Where the pages come from',
    buildText(
      'No page was edited. The repository keeps a list of them with SHA-256 (',
      buildCode('bench/truth/pages.tsv'),
      '), and the labels with their reasons; the pages stay with those who published them.',
    ),
    buildTable(
      'Public corpora',
      ['Corpus', { number: 'Pages' }, 'Commit'],
      corpora.map(({ repository, commit, pages }) => ({
        cells: [
          [buildLink(repository, `https://github.com/${repository}`)],
          [formatNumber(pages)],
          [buildCode(commit.slice(0, SHORT_COMMIT))],
        ],
      })),
    ),
    buildText(
      'Most are articles. Shops, documentation and applications are few, so what a check says where it applies is based on fewer pages than its row has verdicts.',
    ),
  );

const SHORT_COMMIT = 12;

function buildReadersSection({ agreement }: Accuracy): TextSection {
  const [same, all] = [sum(agreement.map((one) => one.same)), sum(agreement.map(({ n }) => n))];
  const rows = agreement.toSorted((a, b) => a.same / a.n - b.same / b.n || (a.question < b.question ? -1 : 1));
  return buildSection(
    'readers',
    'Where the two readers differ',
    buildText(
      `The two passes gave the same answer to ${formatShare(same / Math.max(1, all))} of ${formatNumber(all)} questions, counts and names to the letter. Cohen’s kappa leaves out what agrees by chance; it says little where nearly all answers are the same.`,
    ),
    buildTable(
      'Agreement of two passes by question, the least first',
      ['Question', { number: 'Same' }, { number: 'Kappa' }],
      rows.map((one) => ({
        cells: [[buildCode(one.question)], [`${one.same} of ${one.n}`], [one.kappa.toFixed(2)]],
      })),
    ),
  );
}

/** The last run before the engine was changed by what these sites showed. */
const EARLIER_PLANTED = { date: '2026-11-25', found: 62, contradicted: 7 };

function buildPlantedSections({ planted }: Accuracy): readonly TextSection[] {
  if (planted === undefined) return [];
  const { sites, defects, found, good, contradicted } = planted;
  return [
    buildSection(
      'planted',
      'Sites with planted defects',
      buildText(
        `${defects} defects were planted in ${sites} sites, beside ${good} facts that are in order, by a second hand that knew the titles of the checks alone. A verdict names ${found} of the defects (recall ${formatShare(found / defects)}) and contradicts ${contradicted} of the good facts (precision ${formatShare(computePrecision(found, contradicted))}). A run of ${EARLIER_PLANTED.date} named ${EARLIER_PLANTED.found} and contradicted ${EARLIER_PLANTED.contradicted}, and the engine was changed by what that showed: these figures say what it knows of such sites, not how it does on others.`,
      ),
    ),
  ];
}

const computePrecision = (found: number, contradicted: number): number => found / Math.max(1, found + contradicted);

function buildRobotsSections({ robots }: Accuracy): readonly TextSection[] {
  if (robots === undefined) return [];
  const { files, decisions, equal, unexplained, reasons } = robots;
  return [
    buildSection(
      'robots',
      'robots.txt beside the parser of Google',
      buildText(
        `${formatNumber(equal)} of ${formatNumber(decisions)} decisions about ${formatNumber(files)} public files are those of google/robotstxt. ${unexplained === 0 ? 'Each of the others has a reason that is written down.' : `${formatNumber(unexplained)} of the others have no reason that we know.`}`,
      ),
      ...(reasons.length === 0
        ? []
        : [
            buildTable(
              'Decisions that differ, by reason',
              ['Reason', { number: 'Decisions' }, { number: 'Files' }],
              reasons.map((one) => ({
                cells: [[buildCode(one.reason)], [formatNumber(one.decisions)], [formatNumber(one.files)]],
              })),
            ),
          ]),
    ),
  ];
}

function buildPeerSections({ peers }: Accuracy): readonly TextSection[] {
  if (peers === undefined) return [];
  return [
    buildSection(
      'peers',
      'Other tools on the same facts',
      buildText(
        'All tools audited the planted sites as served over loopback. Recall is the share of all planted defects that a tool names; precision leaves out what it does not look at. The last two columns count only the facts that the tool looks at: its recall there, and ours.',
      ),
      buildTable(
        'Precision and recall by tool',
        [
          'Tool',
          'Version',
          { number: 'Facts' },
          { number: 'Precision' },
          { number: 'Recall' },
          { number: 'Recall there' },
          { number: 'Ours there' },
        ],
        peers.map(({ name, version, facts, ...shares }) => ({
          cells: [
            [name],
            [version],
            [formatNumber(facts)],
            ...[shares.precision, shares.recall, shares.recallThere, shares.oursThere].map((share) => [
              share === null ? 'none' : formatShare(share),
            ]),
          ],
        })),
      ),
    ),
  ];
}

function buildUnmeasuredSection(accuracy: Accuracy): TextSection {
  const unmeasured = checks.filter(({ id }) => accuracy.checks[id] === undefined);
  const groups = scoreNames.flatMap((name): (readonly Inline[])[] => {
    const own = unmeasured.filter(({ id }) => id.startsWith(`${name}.`));
    if (own.length === 0) return [];
    return [[`${getScoreTitle(name)}, ${own.length} checks: `, ...listCodes(own.map(({ id }) => id)), '.']];
  });
  return buildSection(
    'unmeasured',
    'Not measured on outside pages',
    buildText(
      `${unmeasured.length} of ${checks.length} checks were not measured on pages from outside: those of a whole site, of answers to other user agents, of files that saved pages do not have, of MCP and APIs, and of what only a browser shows. Tests on sites of our own hold them to what the catalogue says, which is no measure of accuracy.`,
    ),
    buildList(...groups),
  );
}
