import { defineCheck, type Evidence, fromShare, notApplicable, type Outcome } from '../check.ts';
import type { Anchor, ControlFacts, PageFacts } from '../facts/page.ts';
import { percent, plural } from './wording.ts';

/** A placeholder is a name for some readers only, and gone once something is typed. */
const PLACEHOLDER_VALUE = 0.3;
const MAX_SHOWN = 10;

export const controlChecks = [
  defineCheck({
    id: 'agent.ui.form-labels',
    title: 'Form fields have names',
    scores: ['agent'],
    weight: 2,
    grade: 'A',
    why: 'Browser agents see the accessibility tree: a field without a name is a box they must guess at.',
    source: 'https://www.w3.org/TR/WCAG22/#info-and-relationships, #name-role-value',
    fix: 'Give every field a label element, or aria-label where there is no room for one.',
    needs: ['page'],
    judge: ({ page }) => judgeFields(page),
  }),
  defineCheck({
    id: 'agent.ui.control-names',
    title: 'Buttons and links have accessible names',
    scores: ['agent'],
    weight: 2,
    grade: 'A',
    why: 'A button or link without a name cannot be chosen by what it does.',
    source:
      'https://www.w3.org/TR/WCAG22/#name-role-value; https://dequeuniversity.com/rules/axe/4.10/button-name, link-name',
    fix: 'Put text into the button or link, or an aria-label; give an image inside it an alt text.',
    needs: ['page'],
    judge: ({ page }) => judgeControls(page),
  }),
];

const BUTTON_TYPES = new Set(['submit', 'reset', 'button', 'image']);
const isButton = ({ tag, type }: ControlFacts): boolean =>
  tag === 'button' || (tag === 'input' && BUTTON_TYPES.has(type));
const isShown = ({ hidden }: ControlFacts | Anchor): boolean => hidden === undefined;

function judgeFields(page: PageFacts): Outcome {
  const fields = page.controls.filter((control) => isShown(control) && !isButton(control) && control.type !== 'hidden');
  if (fields.length === 0) return notApplicable('The page has no form fields.');
  const weak = fields.filter(({ labelSource }) => labelSource === 'none' || labelSource === 'placeholder');
  const placeholders = weak.filter(({ labelSource }) => labelSource === 'placeholder').length;
  const share = (fields.length - weak.length + PLACEHOLDER_VALUE * placeholders) / fields.length;
  const note = `${fields.length - weak.length} of ${plural(fields.length, 'field')} have a name, ${placeholders} only a placeholder.`;
  const shown = weak.length > 0 ? weak : fields;
  const evidence = shown.slice(0, MAX_SHOWN).map((field) => onControl(page, field));
  return fromShare(share, { passAt: 0.95, partialAt: 0.5 }, note, evidence);
}

function judgeControls(page: PageFacts): Outcome {
  const buttons = page.controls.filter((control) => isShown(control) && isButton(control));
  const links = page.anchors.filter((anchor) => isShown(anchor));
  const total = buttons.length + links.length;
  if (total === 0) return notApplicable('The page has no buttons and no links.');
  const nameless = [
    ...buttons.filter(({ labelSource }) => labelSource === 'none').map((button) => onControl(page, button)),
    ...links.filter(({ text }) => text.trim() === '').map((link) => onLink(page, link)),
  ];
  const share = 1 - nameless.length / total;
  const note = `${percent(share)} of ${total} buttons and links have a name.`;
  return fromShare(
    share,
    { passAt: 0.98, partialAt: 0.8 },
    note,
    nameless.length > 0 ? nameless.slice(0, MAX_SHOWN) : { url: page.url },
  );
}

const onControl = (page: PageFacts, { tag, type, name, id, line }: ControlFacts): Evidence => ({
  url: page.url,
  selector: `${tag}${id === '' ? '' : `#${id.slice(0, 60)}`}[type=${type.slice(0, 20)}]${name === '' ? '' : `[name=${name.slice(0, 60)}]`}`,
  line,
});

const onLink = (page: PageFacts, { rawHref, line }: Anchor): Evidence => ({
  url: page.url,
  selector: 'a[href]',
  line,
  excerpt: rawHref.slice(0, 300),
});
