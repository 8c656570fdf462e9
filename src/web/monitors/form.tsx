import type { Child } from 'hono/jsx';
import { maskEmail, maskUrl } from '../../monitors/core/monitor-wire.ts';
import { MAX_RECEIVERS, type Receiver } from '../../monitors/core/receiver.ts';
import { type AccountFrame, renderAccountFrame } from '../account/frame.tsx';
import type { FieldFault } from '../capability/faults.ts';
import { listOrderFields } from '../capability/fields.ts';
import { formatFieldId, type OfferedLine, OrderFields } from '../capability/form.tsx';
import { orderWords } from '../capability/page-words.ts';
import { findExampleBody } from '../capability/rows.ts';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatMonitorPath, MONITORS_PAGE_PATH } from './describe-monitor.ts';
import { getFormRow, MONITOR_FORM_KINDS, type MonitorFormKind } from './form-kinds.ts';
import { monitorFormWords } from './form-words.ts';
import { monitorWords } from './monitor-words.ts';
import { type FilledMonitorForm, joinLines, listLines } from './read-form.ts';

const FORM_STYLES = ['/web/order.css'] as const;
const NEW_LINES = 3;
const MAX_WEIGHT = 6;

export type MonitorFormPage = {
  frame: AccountFrame;
  kind: MonitorFormKind;
  form: FilledMonitorForm;
  faults: readonly FieldFault[];
  /** What is wrong beside the fields, such as a limit, as a sentence. */
  refusal?: string | undefined;
  /** The engines that a brand can choose of. */
  engines: readonly OfferedLine[];
  hasMail: boolean;
  /** Undefined for runs without charge, and where it cannot be read. */
  balanceMicroUsdc: number | undefined;
  /** Runs are without charge. */
  isFree: boolean;
} & (
  | { isNew: true; /** Of this form: sent twice, it makes one monitor. */ idempotencyKey: string }
  | { isNew: false; id: string; name: string; revision: number; receivers: readonly Receiver[]; isStale: boolean }
);

/** The form that makes or changes a monitor: whole without scripts, with what is wrong beside each field. */
export const renderMonitorForm = (page: MonitorFormPage): Html => {
  const { frame, kind, faults, refusal, isNew, isFree, balanceMicroUsdc } = page;
  const { language, csrf } = frame;
  const words = monitorFormWords[language];
  const action = isNew ? MONITORS_PAGE_PATH : formatMonitorPath(page.id, 'edit');
  const hidden = isNew ? { key: page.idempotencyKey } : { revision: String(page.revision) };
  const microUsdc = getFormRow(kind).priceMicroUsdc * (1 + countCompetitors(page));
  return renderAccountFrame({
    ...frame,
    title: isNew ? words.newTitle : words.editTitle(page.name),
    styles: FORM_STYLES,
    children: (
      <>
        {isNew ? <p>{words.lead}</p> : null}
        {!isNew && page.isStale ? <Warning>{words.stale}</Warning> : null}
        {refusal === undefined ? null : (
          <Warning>
            {refusal} {words.nothingSaved}
          </Warning>
        )}
        {faults.length === 0 ? null : <FaultList faults={faults} language={language} />}
        {isNew ? <KindChoice kind={kind} language={language} /> : null}
        {isFree ? null : (
          <p>
            {words.price(formatDollars(microUsdc, language))}
            {balanceMicroUsdc === undefined ? '' : ` ${words.balance(formatDollars(balanceMicroUsdc, language))}`}
          </p>
        )}
        <form method="post" action={action} class="monitor-form" novalidate>
          {renderHiddenFields({ csrf, kind, ...hidden })}
          <What {...page} />
          <When {...page} />
          <Receivers {...page} />
          <Rules {...page} />
          <Quiet {...page} />
          <p class="buttons">
            <button>{isNew ? words.create : words.save}</button>
            <a class="button quiet" href={isNew ? MONITORS_PAGE_PATH : formatMonitorPath(page.id)}>
              {words.cancel}
            </a>
          </p>
        </form>
      </>
    ),
  });
};

/** Each is audited in every run, at the price of an audit. */
const countCompetitors = ({ kind, form }: MonitorFormPage): number =>
  kind === 'site' ? listLines(form.read('compare_sites')).length : 0;

const Warning = ({ children }: { children?: Child }) => (
  <p class="warning" role="alert">
    {children}
  </p>
);

const FaultList = ({ faults, language }: { faults: readonly FieldFault[]; language: PageLanguage }) => (
  <div class="warning" role="alert">
    <p>{orderWords[language].faults(faults.length)}</p>
    <ul>
      {faults.map(({ name, text }) => (
        <li>{name === undefined ? text : <a href={`#${formatFieldId(name)}`}>{text}</a>}</li>
      ))}
    </ul>
  </div>
);

const KindChoice = ({ kind, language }: { kind: MonitorFormKind; language: PageLanguage }) => {
  const words = monitorFormWords[language];
  return (
    <nav aria-label={words.kindsLabel}>
      <ul class="choices">
        {MONITOR_FORM_KINDS.map((one) => (
          <li>
            <a
              class={`button small${one === kind ? '' : ' quiet'}`}
              href={`${MONITORS_PAGE_PATH}/new?kind=${one}`}
              aria-current={one === kind ? 'true' : undefined}
            >
              {words.kinds[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const What = (page: MonitorFormPage) => {
  const { frame, kind, form, faults, engines } = page;
  const { language } = frame;
  const row = getFormRow(kind);
  const words = monitorFormWords[language];
  return (
    <fieldset>
      <legend>{words.what}</legend>
      <OrderFields
        {...{
          faults,
          language,
          fields: listOrderFields(row),
          read: joinLines(form, kind),
          example: findExampleBody(row),
        }}
        offered={engines.length === 0 ? undefined : { engines }}
      />
      {kind === 'site' ? (
        <Field page={page} name="compare_sites" label={words.competitors} help={words.competitorsHelp}>
          {(shared) => (
            <textarea {...shared} rows={3} dir="auto" maxlength={12_000}>
              {form.read('compare_sites') ?? ''}
            </textarea>
          )}
        </Field>
      ) : null}
      <TextField page={page} name="monitor_name" label={words.name} help={words.nameHelp} maxlength={120} />
    </fieldset>
  );
};

type SharedAttributes = {
  id: string;
  name: string;
  'aria-describedby': string;
  'aria-invalid'?: 'true';
};

type FieldProps = {
  page: Pick<MonitorFormPage, 'faults' | 'form'>;
  name: string;
  label: string;
  help?: string | undefined;
};

/** A field with its label, what is wrong with it, and what to write. */
const Field = ({
  page: { faults },
  name,
  label,
  help,
  children,
}: FieldProps & { children: (shared: SharedAttributes) => Child }) => {
  const id = formatFieldId(name);
  const fault = faults.find((one) => one.name === name)?.text;
  const shared: SharedAttributes = {
    id,
    name,
    'aria-describedby': `${help === undefined ? '' : `${id}-help `}${id}-fault`,
    ...(fault === undefined ? {} : { 'aria-invalid': 'true' }),
  };
  return (
    <div class="order-field">
      <label for={id}>{label}</label>
      {children(shared)}
      <p id={`${id}-fault`} class="fault" hidden={fault === undefined}>
        {fault}
      </p>
      {help === undefined ? null : (
        <p id={`${id}-help`} class="small">
          {help}
        </p>
      )}
    </div>
  );
};

type TextFieldProps = FieldProps & { type?: string; maxlength?: number; placeholder?: string };

const TextField = ({ type = 'text', maxlength, placeholder, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(shared) => (
      <input
        {...shared}
        type={type}
        value={field.page.form.read(field.name) ?? ''}
        maxlength={maxlength}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
    )}
  </Field>
);

type Choice = { value: string; text: string };

const ChoiceField = ({ choices, ...field }: FieldProps & { choices: readonly Choice[] }) => {
  const chosen = field.page.form.read(field.name) ?? '';
  return (
    <Field {...field}>
      {(shared) => (
        <select {...shared}>
          {choices.map(({ value, text }) => (
            <option value={value} selected={value === chosen}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};

type BoxProps = { name: string; value: string; label: Child; isChosen: boolean; id?: string };

const Box = ({ name, value, label, isChosen, id = formatFieldId(name) }: BoxProps) => (
  <div class="choice">
    <input type="checkbox" id={id} name={name} value={value} checked={isChosen} />
    <label for={id}>{label}</label>
  </div>
);

const When = (page: MonitorFormPage) => {
  const { language } = page.frame;
  const words = monitorFormWords[language];
  const every = Object.entries(words.everyChoices).map(([value, text]) => ({ value, text }));
  const days = monitorWords[language].weekdays.map((text, value) => ({ value: String(value), text }));
  return (
    <fieldset>
      <legend>{words.when}</legend>
      <ChoiceField page={page} name="every" label={words.every} choices={every} />
      <ChoiceField
        page={page}
        name="weekday"
        label={words.weekday}
        help={words.weekdayHelp}
        choices={[{ value: '', text: orderWords[language].noChoice }, ...days]}
      />
      <TextField page={page} name="day" label={words.day} help={words.dayHelp} maxlength={2} />
      <TextField page={page} name="at" label={words.at} help={words.atHelp} maxlength={5} placeholder="07:00" />
      <TextField page={page} name="cron" label={words.cron} help={words.cronHelp} maxlength={100} />
      <TextField page={page} name="time_zone" label={words.timeZone} help={words.timeZoneHelp} maxlength={64} />
    </fieldset>
  );
};

const KINDS = ['webhook', 'slack', 'teams', 'email', 'feed'] as const;

const Receivers = (page: MonitorFormPage) => {
  const { frame, form, hasMail } = page;
  const { language } = frame;
  const [words, shared] = [monitorFormWords[language], monitorWords[language]];
  const kept = page.isNew ? [] : page.receivers;
  const lines = page.isNew ? NEW_LINES : Math.min(NEW_LINES, Math.max(1, MAX_RECEIVERS - kept.length));
  const kinds = KINDS.filter((kind) => hasMail || kind !== 'email');
  const choices = [
    { value: '', text: words.noReceiver },
    ...kinds.map((kind) => ({ value: kind as string, text: shared.receivers[kind] })),
  ];
  return (
    <fieldset id={formatFieldId('keep')}>
      <legend>{words.receivers}</legend>
      <p class="small">
        {words.receiversHelp} {hasMail ? '' : words.noMail}
      </p>
      {kept.map((receiver, at) => (
        <Box
          name="keep"
          id={`keep-${at}`}
          value={receiver.id}
          isChosen={form.all('keep').includes(receiver.id)}
          label={words.keep(shared.receivers[receiver.kind], describeReceiver(receiver))}
        />
      ))}
      {Array.from({ length: lines }, (_, at) => (
        <div class="pair">
          <ChoiceField page={page} name={`receiver_kind.${at}`} label={words.receiverKind(at + 1)} choices={choices} />
          <TextField
            page={page}
            name={`receiver_to.${at}`}
            label={words.receiverTo(at + 1)}
            help={at === 0 ? words.receiverToHelp : undefined}
            maxlength={1024}
          />
        </div>
      ))}
    </fieldset>
  );
};

/** Enough to recognise a receiver by, and nothing that opens it. */
export function describeReceiver(receiver: Receiver): string {
  if (receiver.kind === 'feed') return '…';
  return receiver.kind === 'email' ? maskEmail(receiver.address) : maskUrl(receiver.url);
}

const Rules = (page: MonitorFormPage) => {
  const { frame, kind, form } = page;
  const words = monitorFormWords[frame.language];
  const weights = Array.from({ length: MAX_WEIGHT }, (_, at) => ({ value: String(at + 1), text: String(at + 1) }));
  return (
    <fieldset>
      <legend>{words.rules}</legend>
      {kind === 'site' ? (
        <>
          <ChoiceField
            page={page}
            name="min_weight"
            label={words.minWeight}
            help={words.minWeightHelp}
            choices={[{ value: '', text: orderWords[frame.language].noChoice }, ...weights]}
          />
          <TextField
            page={page}
            name="score_points"
            label={words.scorePoints}
            help={words.scorePointsHelp}
            maxlength={5}
          />
          <Box
            name="ring_competitors"
            value="yes"
            label={words.ofCompetitors}
            isChosen={form.read('ring_competitors') === 'yes'}
          />
        </>
      ) : null}
      <Box name="improvements" value="yes" label={words.improvements} isChosen={form.read('improvements') === 'yes'} />
    </fieldset>
  );
};

const Quiet = (page: MonitorFormPage) => {
  const words = monitorFormWords[page.frame.language];
  return (
    <fieldset>
      <legend>{words.quiet}</legend>
      <p class="small">{words.quietHelp}</p>
      <TextField page={page} name="quiet_from" label={words.quietFrom} maxlength={5} placeholder="22:00" />
      <TextField page={page} name="quiet_to" label={words.quietTo} maxlength={5} placeholder="07:00" />
      <TextField page={page} name="quiet_zone" label={words.quietZone} help={words.timeZoneHelp} maxlength={64} />
    </fieldset>
  );
};
