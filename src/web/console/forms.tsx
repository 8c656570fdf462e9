import type { Child } from 'hono/jsx';

/** What every form of a console page needs to know; a page gets it as `c.forms` and hands it on. */
export type Forms = {
  csrf: string;
  /** The page that shows the form, with its query: where a stale sign-in leads back to. */
  returnTo: string;
  /** Whether the sign-in is young enough for actions. */
  isFresh: boolean;
};

export type ActionFormProps = {
  forms: Forms;
  /** For fields and buttons that belong to it from elsewhere on the page: their attribute `form`. */
  id?: string;
  /** Path of an action of the registry. */
  action: string;
  /** What the action is about; never anything that its run does not check again. */
  fields?: Readonly<Record<string, string>>;
  /** The button's text. */
  label: string;
  /** What the button does to what, for who hears only buttons: `Replay message 7`. */
  ariaLabel?: string;
  quiet?: boolean;
  /** Further fields, with labels. */
  children?: Child;
};

/** The one form of console actions: with the token of the session, and the way back where the sign-in is too old. */
export const ActionForm = ({
  forms,
  id,
  action,
  fields = {},
  label,
  ariaLabel,
  quiet = false,
  children,
}: ActionFormProps) => (
  <form method="post" action={action} class="action" id={id}>
    <HiddenFields fields={{ csrf: forms.csrf, return_to: forms.returnTo, ...fields }} />
    {children}
    <button class={quiet ? 'quiet small' : 'small'} aria-label={ariaLabel}>
      {label}
    </button>
    {forms.isFresh ? null : <span class="small"> asks you to sign in again</span>}
  </form>
);

export const HiddenFields = ({ fields }: { fields: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
