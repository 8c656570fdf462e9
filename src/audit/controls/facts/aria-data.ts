/** Roles that authors may use: WAI-ARIA 1.2, section 5.3 (without the abstract ones). */
const ARIA_1_2 =
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
  'gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem ' +
  'menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
  'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
  'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid ' +
  'treeitem';

/** Roles of the ARIA 1.3 draft that browsers know already: young, and no fault. */
const ARIA_1_3 = 'comment image mark sectionfooter sectionheader suggestion';

/** Digital Publishing WAI-ARIA Module 1.1. */
const DPUB =
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
  'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote ' +
  'doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref ' +
  'doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part ' +
  'doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc';

/** WAI-ARIA Graphics Module 1.0. */
const GRAPHICS = 'graphics-document graphics-object graphics-symbol';

/** Every role that a `role` attribute may name. */
export const ARIA_ROLES: ReadonlySet<string> = new Set(
  [ARIA_1_2, ARIA_1_3, DPUB, GRAPHICS].flatMap((list) => list.split(' ')),
);

/** Roles of the taxonomy that authors must not use: WAI-ARIA 1.2, section 5.3.1. */
export const ABSTRACT_ROLES: ReadonlySet<string> = new Set(
  'command composite input landmark range roletype section sectionhead select structure widget window'.split(' '),
);

/** What an attribute may hold. `tokens`: one of the words, or several when `many`. Text is free, references are ids. */
export type AriaValue =
  | { kind: 'text' | 'integer' | 'number' | 'id' | 'ids' }
  | { kind: 'tokens'; words: readonly string[]; many?: true };

const words = (list: string, many?: true): AriaValue => ({
  kind: 'tokens',
  words: list.split(' '),
  ...(many ? { many } : {}),
});
const TRUE_FALSE = words('true false');
const WITH_UNDEFINED = words('true false undefined');
const TRISTATE = words('true false mixed undefined');
const TEXT: AriaValue = { kind: 'text' };
const INTEGER: AriaValue = { kind: 'integer' };
const NUMBER: AriaValue = { kind: 'number' };
const ID: AriaValue = { kind: 'id' };
const IDS: AriaValue = { kind: 'ids' };

/**
 * Every `aria-*` attribute and what it may hold: WAI-ARIA 1.2, section 6.6, with the five of the 1.3 draft that are in
 * use. `aria-details` and `aria-errormessage` take several ids in 1.3, so they may here.
 */
export const ARIA_ATTRIBUTES: Readonly<Record<string, AriaValue>> = {
  'aria-activedescendant': ID,
  'aria-atomic': TRUE_FALSE,
  'aria-autocomplete': words('inline list both none'),
  'aria-braillelabel': TEXT,
  'aria-brailleroledescription': TEXT,
  'aria-busy': TRUE_FALSE,
  'aria-checked': TRISTATE,
  'aria-colcount': INTEGER,
  'aria-colindex': INTEGER,
  'aria-colindextext': TEXT,
  'aria-colspan': INTEGER,
  'aria-controls': IDS,
  'aria-current': words('page step location date time true false'),
  'aria-describedby': IDS,
  'aria-description': TEXT,
  'aria-details': IDS,
  'aria-disabled': TRUE_FALSE,
  'aria-dropeffect': words('copy execute link move none popup', true),
  'aria-errormessage': IDS,
  'aria-expanded': WITH_UNDEFINED,
  'aria-flowto': IDS,
  'aria-grabbed': WITH_UNDEFINED,
  'aria-haspopup': words('false true menu listbox tree grid dialog'),
  'aria-hidden': WITH_UNDEFINED,
  'aria-invalid': words('grammar false spelling true'),
  'aria-keyshortcuts': TEXT,
  'aria-label': TEXT,
  'aria-labelledby': IDS,
  'aria-level': INTEGER,
  'aria-live': words('assertive off polite'),
  'aria-modal': TRUE_FALSE,
  'aria-multiline': TRUE_FALSE,
  'aria-multiselectable': TRUE_FALSE,
  'aria-orientation': words('horizontal undefined vertical'),
  'aria-owns': IDS,
  'aria-placeholder': TEXT,
  'aria-posinset': INTEGER,
  'aria-pressed': TRISTATE,
  'aria-readonly': TRUE_FALSE,
  'aria-relevant': words('additions all removals text', true),
  'aria-required': TRUE_FALSE,
  'aria-roledescription': TEXT,
  'aria-rowcount': INTEGER,
  'aria-rowindex': INTEGER,
  'aria-rowindextext': TEXT,
  'aria-rowspan': INTEGER,
  'aria-selected': WITH_UNDEFINED,
  'aria-setsize': INTEGER,
  'aria-sort': words('ascending descending none other'),
  'aria-valuemax': NUMBER,
  'aria-valuemin': NUMBER,
  'aria-valuenow': NUMBER,
  'aria-valuetext': TEXT,
};
