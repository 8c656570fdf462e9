import type { Child } from 'hono/jsx';
import type { Html } from '../../design/shell.tsx';
import { ActionForm, type Forms } from '../forms.tsx';

/** Longest reason that an operator gives. */
export const MAX_REASON_CHARS = 200;

export type Confirmation = {
  /** What it is about, by name and value. */
  facts: readonly (readonly [name: string, value: Child])[];
  /** What happens, and what cannot be taken back. */
  effect: string;
  forms: Forms;
  /** Path of the action, and what it is ordered with. */
  action: string;
  fields: Readonly<Record<string, string>>;
  /** The button's text: what it does. */
  label: string;
  /** Where it leads to do nothing. */
  back: string;
};

/** What is about to be changed, and why the operator does so: nothing changes before its form is sent. */
export const renderConfirmation = ({ facts, effect, forms, action, fields, label, back }: Confirmation): Html => (
  <>
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
    <p class="prose">{effect}</p>
    <ActionForm forms={forms} action={action} fields={fields} label={label}>
      <label for="reason">Reason, for the audit log</label>
      <input id="reason" name="reason" required maxlength={MAX_REASON_CHARS} autocomplete="off" />
    </ActionForm>
    <p>
      <a href={back}>Change nothing</a>
    </p>
  </>
);

/** In the place of what an earlier version of the api Worker does not know: no failure, and no empty list either. */
export const renderOlderWorker = (): Html => (
  <div class="empty">
    <div>
      <h2>This version of the api Worker cannot say</h2>
      <p>
        The console is newer than the api Worker that it asks, as after a rollback. The page works again once both are
        of the same version.
      </p>
    </div>
  </div>
);
