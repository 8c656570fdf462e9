import type { Operated } from '../../../../src/authorization/operators/commands.ts';
import { DAY_MS, formatIsoDay } from '../../../../src/lib/time.ts';
import type { Signal } from '../../../../src/web/console/overview.tsx';
import { renderConfirmation, renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import {
  formatOperatorsCsv,
  type OperatorLine,
  OPERATORS_PATH,
  REMOVE_OPERATOR_PATH,
  renderOperators,
} from '../../../../src/web/console/service/operators.tsx';
import {
  type ActionOutcome,
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleFormInput,
  type ConsolePage,
  type NothingToShow,
} from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import { OLDER_WORKER, SESSION_OVER, describeReason, executeCommand } from './commands.ts';

/** `/console/operators`: named operators. */
const operatorsPage: ConsolePage = {
  path: OPERATORS_PATH,
  title: 'Operators',
  show: async (c) => {
    const operators = await listOperators(c);
    if (operators === 'older') return renderOlderWorker();
    return operators === 'over' ? SESSION_OVER : renderOperators({ operators, ownId: c.session.operator.id });
  },
  signals: [{ question: 'lapse', title: 'Secrets of operators', read: readOperatorsSignal }],
  downloads: [
    {
      path: `${OPERATORS_PATH}.csv`,
      read: async (c) => {
        const operators = await listOperators(c);
        if (operators === 'older') return OLDER_WORKER;
        if (operators === 'over') return SESSION_OVER;
        return { name: 'operators.csv', type: CSV_TYPE, text: formatOperatorsCsv(operators) };
      },
    },
  ],
};

/** A secret that is older wants a new one: its operator is made again. */
const OLD_SECRET_MS = 365 * DAY_MS;

/** The named operator whose secret is oldest: it was made with the operator. */
async function readOperatorsSignal(c: ConsoleContext): Promise<Signal> {
  const operators = await listOperators(c);
  if (operators === 'older') return { mood: 'idle', text: 'Cannot say', figure: '', note: OLDER_WORKER.title };
  if (operators === 'over') throw new Error('The session is over');
  const able = operators
    .filter(({ ended }) => ended === undefined)
    .toSorted((left, right) => left.createdAtMs - right.createdAtMs);
  const [oldest] = able;
  if (oldest === undefined) return { mood: 'idle', text: 'None', figure: '0', note: 'No operator has a name.' };
  const nowMs = c.now();
  const isOld = nowMs - oldest.createdAtMs > OLD_SECRET_MS;
  return {
    mood: isOld ? 'warn' : 'good',
    text: isOld ? 'Rotate' : 'Not old',
    figure: `${Math.floor((nowMs - oldest.createdAtMs) / DAY_MS)} d`,
    note: `The oldest of ${able.length} is that of ${oldest.name}, made ${formatIsoDay(oldest.createdAtMs)}.`,
  };
}

/** `/console/operators/remove?operator=`: says what ends, and asks why. */
const removeOperatorPage: ConsolePage = {
  path: REMOVE_OPERATOR_PATH,
  title: 'Remove an operator',
  under: OPERATORS_PATH,
  show: async (c) => {
    const operators = await listOperators(c);
    if (operators === 'older') return renderOlderWorker();
    if (operators === 'over') return SESSION_OVER;
    const operator = operators.find(({ id }) => id === c.query.get('operator'));
    if (operator === undefined) return NO_SUCH_OPERATOR;
    const { id, name } = operator;
    const own = id === c.session.operator.id ? ' This is you: you are signed out at once.' : '';
    return renderConfirmation({
      facts: [
        ['Operator', name],
        ['Id', id],
      ],
      effect: `The sessions, grants and tokens of this operator end, and the secret signs no one in. What the operator made stays: clients, service accounts, other operators.${own}`,
      forms: c.forms,
      action: REMOVE_OPERATOR_PATH,
      fields: { operator: id },
      label: 'Remove the operator',
      back: OPERATORS_PATH,
    });
  },
  actions: [
    {
      path: REMOVE_OPERATOR_PATH,
      title: 'Remove an operator',
      target: (form) => form.get('operator') ?? '',
      about: describeReason,
      run: removeOperator,
    },
  ],
};

export const operatorPages: readonly ConsolePage[] = [operatorsPage, removeOperatorPage];

async function listOperators(c: ConsoleContext): Promise<readonly OperatorLine[] | 'older' | 'over'> {
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'operate', c.session.hash, { do: 'list_operators' });
  if (!found.known) return 'older';
  return found.value.ok ? readOperators(found.value) : 'over';
}

const readOperators = (answer: Operated): readonly OperatorLine[] =>
  answer.did === 'listed_operators'
    ? answer.operators.map((operator) => {
        const { id, name, directoryUserId, createdAtMs } = operator;
        const ended = operator.state === 'ended' ? { reason: operator.reason, atMs: operator.endedAtMs } : undefined;
        return { id, name, directoryUserId, createdAtMs, ended };
      })
    : [];

function removeOperator(c: ConsoleContext, form: ConsoleFormInput): Promise<ActionOutcome> {
  return executeCommand(c, form, {
    command: { do: 'delete_operator', id: form.get('operator') ?? '' },
    to: OPERATORS_PATH,
    done: 'The operator was removed.',
  });
}

const NO_SUCH_OPERATOR: NothingToShow = {
  status: 404,
  title: 'There is no such operator',
  detail: 'Choose one of the list of operators.',
};
