import type { Child } from 'hono/jsx';
import { listOrderTexts } from './address.ts';
import type { FieldFault, FieldReader } from './faults.ts';
import { type DescribedField, describeField } from './field-words.ts';
import { type FormField, getValueKind, type GroupField, type LeafField, listLeaves } from './fields.ts';
import { type OrderPageWords, orderWords } from './page-words.ts';
import type { PageLanguage } from '../language/language.ts';

/** Longest contents of a form that is sent in its address; others are posted. */
const MAX_QUERY_CHARS = 6_000;

export type OrderForm = {
  /** Where the form is sent, to be judged. Nothing is bought by that. */
  path: string;
  fields: readonly FormField[];
  read: FieldReader;
  faults: readonly FieldFault[];
  /** Example of a body, for placeholders. */
  example: Readonly<Record<string, unknown>>;
  language: PageLanguage;
  /** For fields of lines whose lines are chosen of a list: the values that there are. */
  offered?: Readonly<Partial<Record<string, readonly OfferedLine[]>>> | undefined;
};

/** A value that a field of lines may have, and what it is called. */
export type OfferedLine = { value: string; label: Child };

/** What the parts of one form share. */
type Filling = Omit<OrderForm, 'path'> & { words: OrderPageWords; examples: ReadonlyMap<string, string> };

/** The fields of a row, which the script reads by `data-kind`. What may be left out is folded away. */
export const Form = ({ children, ...form }: OrderForm & { children?: Child }) => {
  const words = orderWords[form.language];
  return (
    <form
      id="order-form"
      class="card"
      method={isLong(form.fields) ? 'post' : 'get'}
      action={form.path}
      novalidate
      aria-labelledby="order-form-title"
      data-correct={words.correct}
    >
      <h2 id="order-form-title">{words.form}</h2>
      <OrderFields {...form} />
      {children}
    </form>
  );
};

/** The fields of a row for a form of another page. */
export const OrderFields = (form: Omit<OrderForm, 'path'>) => {
  const words = orderWords[form.language];
  const filling = { ...form, words, examples: new Map(listOrderTexts(form.example)) };
  const needed = form.fields.filter(({ isRequired }) => isRequired);
  const optional = form.fields.filter(({ isRequired }) => !isRequired);
  return (
    <>
      <Fields fields={needed} filling={filling} />
      {optional.length === 0 ? null : (
        <details open={isTouched(optional, form)}>
          <summary>{words.more}</summary>
          <Fields fields={optional} filling={filling} />
        </details>
      )}
    </>
  );
};

const isLong = (fields: readonly FormField[]): boolean =>
  listLeaves(fields).reduce(
    (sum, field) => sum + ('maxLength' in field ? (field.maxLength ?? MAX_QUERY_CHARS) : 0),
    0,
  ) > MAX_QUERY_CHARS;

/** Whether something is filled in, or wrong, in fields that may be folded away. */
function isTouched(fields: readonly FormField[], { read, faults }: Pick<OrderForm, 'read' | 'faults'>): boolean {
  const leaves = listLeaves(fields);
  return leaves.some(({ name }) => (read(name) ?? '') !== '' || faults.some((fault) => fault.name === name));
}

const Fields = ({ fields, filling }: { fields: readonly FormField[]; filling: Filling }) => (
  <>
    {fields.map((field) =>
      field.kind === 'group' ? <Group field={field} filling={filling} /> : <Field field={field} filling={filling} />,
    )}
  </>
);

const Group = ({ field, filling }: { field: GroupField; filling: Filling }) => {
  const { words, language } = filling;
  const described = describeField(field, language);
  const nameGroup = (index: number): string => (field.isList ? `${described.label} ${index + 1}` : described.label);
  return (
    <div class="groups">
      <Help id={`${formatFieldId(field.name)}-help`} described={described} />
      {field.groups.map((fields, index) =>
        index < Math.max(field.needed, 1) ? (
          <fieldset>
            <legend>{nameGroup(index)}</legend>
            <Fields fields={fields} filling={filling} />
          </fieldset>
        ) : (
          <details open={isTouched(fields, filling)}>
            <summary>
              {nameGroup(index)} ({words.optional})
            </summary>
            <fieldset aria-label={nameGroup(index)}>
              <Fields fields={fields} filling={filling} />
            </fieldset>
          </details>
        ),
      )}
    </div>
  );
};

/** The id of a field in the page. */
export const formatFieldId = (name: string): string => `order-${name.replaceAll('.', '-')}`;

const Field = ({ field, filling }: { field: LeafField; filling: Filling }) => {
  const { faults, language } = filling;
  const id = formatFieldId(field.name);
  const described = describeField(field, language);
  const help = describeHelp(field, described, filling.words);
  const fault = faults.find(({ name }) => name === field.name)?.text;
  const shared: SharedProps = {
    id,
    name: field.name,
    'data-kind': getValueKind(field),
    required: field.isRequired && field.kind !== 'flag',
    'aria-describedby': [help === undefined ? '' : `${id}-help`, `${id}-fault`].join(' ').trim(),
    ...(fault === undefined ? {} : { 'aria-invalid': 'true' }),
  };
  const offered = filling.offered?.[field.name];
  if (field.kind === 'lines' && offered !== undefined)
    return (
      <Offered
        {...{ shared, offered, described, fault }}
        help={described.help}
        text={filling.read(field.name) ?? ''}
        words={filling.words}
      />
    );
  const label = (
    <label for={id}>
      {described.label}
      {field.isRequired || field.kind === 'flag' ? null : <span class="small"> ({filling.words.optional})</span>}
    </label>
  );
  const control = <Control field={field} shared={shared} described={described} filling={filling} />;
  return (
    <div class="order-field">
      {field.kind === 'flag' ? (
        <div class="choice">
          {control}
          {label}
        </div>
      ) : (
        <>
          {label}
          {control}
        </>
      )}
      <p id={`${id}-fault`} class="fault" hidden={fault === undefined}>
        {fault}
      </p>
      <Help id={`${id}-help`} described={{ ...described, help }} />
    </div>
  );
};

type OfferedProps = {
  shared: SharedProps;
  offered: readonly OfferedLine[];
  described: DescribedField;
  help: string | undefined;
  fault: string | undefined;
  text: string;
  words: OrderPageWords;
};

/** A box for each line that can be chosen. Boxes of one name are lines of one field. */
const Offered = ({ shared: { id, name, ...shared }, offered, described, help, fault, text, words }: OfferedProps) => {
  const chosen = text.split('\n').map((line) => line.trim());
  return (
    <fieldset class="order-field">
      <legend>
        {described.label} <span class="small">({words.optional})</span>
      </legend>
      {offered.map(({ value, label }, at) => (
        <div class="choice">
          <input
            type="checkbox"
            id={at === 0 ? id : `${id}-${at}`}
            name={name}
            value={value}
            checked={chosen.includes(value)}
            data-kind={shared['data-kind']}
            aria-describedby={shared['aria-describedby']}
            aria-invalid={shared['aria-invalid']}
          />
          <label for={at === 0 ? id : `${id}-${at}`}>{label}</label>
        </div>
      ))}
      <p id={`${id}-fault`} class="fault" hidden={fault === undefined}>
        {fault}
      </p>
      <Help id={`${id}-help`} described={{ ...described, help }} />
    </fieldset>
  );
};

/** What to write, and the bounds of the schema. */
function describeHelp(field: LeafField, { help }: DescribedField, words: OrderPageWords): string | undefined {
  const isBounded = field.kind === 'number' && (field.min !== undefined || field.max !== undefined);
  const bounds = field.kind === 'number' && isBounded ? words.range(field) : undefined;
  const form = { lines: words.oneALine, json: words.asJson }[field.kind === 'lines' ? 'lines' : 'json'];
  const parts = [help, bounds, field.kind === 'lines' || field.kind === 'json' ? form : undefined];
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

const Help = ({ id, described }: { id: string; described: Pick<DescribedField, 'help' | 'helpLanguage'> }) =>
  described.help === undefined ? null : (
    <p id={id} class="small" lang={described.helpLanguage}>
      {described.help}
    </p>
  );

/** Attributes that every kind of field has. */
type SharedProps = {
  id: string;
  name: string;
  'data-kind': string;
  required: boolean;
  'aria-describedby': string;
  'aria-invalid'?: 'true';
};

type ControlProps = { field: LeafField; shared: SharedProps; described: DescribedField; filling: Filling };

const Control = ({ field, shared, described, filling }: ControlProps) => {
  const text = filling.read(field.name) ?? '';
  const placeholder = filling.examples.get(field.name);
  switch (field.kind) {
    case 'flag':
      return <input {...shared} type="checkbox" value="true" checked={text === 'true' || text === 'on'} />;
    case 'choice':
      return (
        <select {...shared}>
          <option value="">{described.none ?? filling.words.noChoice}</option>
          {field.options.map((value) => (
            <option value={value} selected={value === text}>
              {described.formatChoice(value)}
            </option>
          ))}
        </select>
      );
    case 'long_text':
    case 'lines':
    case 'json':
      return (
        <textarea {...shared} {...listTextLimits(field)} rows={3} dir="auto" placeholder={placeholder}>
          {text}
        </textarea>
      );
    case 'url':
      return <input {...shared} {...listTextLimits(field)} {...ADDRESS} value={text} placeholder={placeholder} />;
    case 'number':
      return (
        <input
          {...shared}
          type="text"
          inputmode={field.isWhole ? 'numeric' : 'decimal'}
          autocomplete="off"
          value={text}
        />
      );
    default:
      return (
        <input
          {...shared}
          {...listTextLimits(field)}
          type="text"
          dir="auto"
          autocomplete="off"
          value={text}
          placeholder={placeholder}
        />
      );
  }
};

const ADDRESS = {
  type: 'text',
  inputmode: 'url',
  autocomplete: 'url',
  autocapitalize: 'off',
  spellcheck: false,
} as const;

const listTextLimits = (field: LeafField): { maxlength?: number } =>
  'maxLength' in field && field.maxLength !== undefined ? { maxlength: field.maxLength } : {};
