import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import type { CheckEvidence } from '../../core/evidence.ts';
import {
  findFormFault,
  type FormFault,
  isAutofillToken,
  isButton,
  isField,
  isPersonal,
  isSwitch,
  listLooseFields,
} from '../facts/forms.ts';
import type { Anchor, Clickable, ControlFacts, PageFacts } from '../../page/facts/page-facts.ts';
import type { ElementPlace } from '../../page/facts/element-facts.ts';
import { readSearchAnswer } from '../../page/facts/site-search.ts';

const MAX_SHOWN = 10;

/** Checks of what a page offers to fill in, to press and to follow. */
export const controlChecks = [
  defineCheck({
    id: 'agent.ui.form-labels',
    title: 'Form fields have names',
    failureTitle: 'Name form fields',
    weight: 2,
    grade: 'A',
    why: 'Browser agents see the accessibility tree: a field without a name is a box they must guess at.',
    source: 'https://www.w3.org/TR/WCAG22/#info-and-relationships, #name-role-value',
    fix: 'Give every field a label element, or aria-label where there is no room for one.',
    each: 'share',
    needs: ['page'],
    judge: judgeFields,
  }),
  defineCheck({
    id: 'agent.ui.control-names',
    title: 'Buttons and links have accessible names',
    failureTitle: 'Name buttons and links',
    weight: 2,
    grade: 'A',
    why: 'A button or link without a name cannot be chosen by what it does.',
    source:
      'https://www.w3.org/TR/WCAG22/#name-role-value; https://dequeuniversity.com/rules/axe/4.10/button-name, link-name',
    fix: 'Put text into the button or link, or an aria-label; give an image inside it an alt text.',
    each: 'share',
    needs: ['page'],
    judge: judgeControls,
  }),
  defineCheck({
    id: 'agent.ui.autocomplete',
    title: 'Personal fields have autocomplete tokens',
    failureTitle: 'Add autocomplete tokens to personal fields',
    weight: 1,
    grade: 'B',
    why: 'The token says to browsers and agents which of a person’s details a field wants, in any language and layout.',
    source:
      'https://www.w3.org/TR/WCAG22/#identify-input-purpose; https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill',
    fix: 'Add autocomplete to fields for name, mail, telephone and address, for example autocomplete="email".',
    each: 'share',
    needs: ['page'],
    judge: judgeAutofill,
  }),
  defineCheck({
    id: 'agent.ui.native-controls',
    title: 'Controls are native elements',
    failureTitle: 'Use buttons and links for clickable elements',
    weight: 1,
    grade: 'B',
    why: 'A div that reacts to clicks is not in the accessibility tree, so agents do not know that it can be pressed. One with a role and a tabindex is in the tree, and counts as a control here. Handlers that a script adds cannot be seen in the HTML.',
    source: 'https://www.w3.org/TR/using-aria/#rule1; agent-lighthouse, proposed check ghost-clickable',
    fix: 'Use button for actions and a with href for links, instead of div or span with onclick.',
    each: 'share',
    needs: ['page'],
    judge: judgeNative,
  }),
  defineCheck({
    id: 'agent.ui.forms-no-js',
    title: 'Forms have action and method',
    failureTitle: 'Give forms an action and a method',
    weight: 1,
    grade: 'C',
    why: 'A form with an action can be sent by agents that run no scripts; one without works only in a browser. The forms of every page that was read are judged.',
    source: 'https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-attributes',
    fix: 'Give every form an action that accepts it, and method="post" unless it only searches.',
    needs: ['page', 'siteSearch', 'samplePages'],
    judge: judgeForms,
  }),
];

/** What `aria-hidden` hides is seen, but not by agents that read the accessibility tree. */
const isShown = ({ hidden }: ElementPlace): boolean => hidden === undefined;

function judgeFields({ page }: FactsOf<'page'>): CheckOutcome {
  const all = page.controls.filter((control) => isField(control) && !isSwitch(control));
  const shown = all.filter((field) => isShown(field) && field.inClosed !== true);
  // A search box in a closed menu, or a form in a dialog, is all that many pages have to fill in.
  const fields = shown.length > 0 ? shown : all.filter(({ inClosed }) => inClosed === true);
  if (fields.length === 0) return verdict.notApplicable('The page has no form fields.');
  const nameless = fields.filter(({ labelSource }) => labelSource === 'none');
  const placeholders = fields.filter(({ labelSource }) => labelSource === 'placeholder').length;
  const share = (fields.length - nameless.length) / fields.length;
  const note = `${fields.length - nameless.length} of ${formatCount(fields.length, 'field')} have a name, ${placeholders} of them only a placeholder.`;
  const evidence = (nameless.length > 0 ? nameless : fields).slice(0, MAX_SHOWN).map((field) => onControl(page, field));
  return verdict.byShare(share, { passAt: 0.95, partialAt: 0.5 }, note, evidence);
}

function judgeControls({ page }: FactsOf<'page'>): CheckOutcome {
  const buttons = page.controls.filter((control) => isShown(control) && isButton(control));
  const links = page.anchors.filter(isShown);
  const total = buttons.length + links.length;
  if (total === 0) return verdict.notApplicable('The page has no buttons and no links.');
  const nameless = [
    ...buttons.filter(({ labelSource }) => labelSource === 'none').map((button) => onControl(page, button)),
    ...links.filter(({ text }) => text.trim() === '').map((link) => onLink(page, link)),
  ];
  const share = 1 - nameless.length / total;
  const note = `${formatShare(share)} of ${total} buttons and links have a name.`;
  return verdict.byShare(
    share,
    { passAt: 0.98, partialAt: 0.75 },
    note,
    nameless.length > 0 ? nameless.slice(0, MAX_SHOWN) : { url: page.url },
  );
}

function judgeAutofill({ page }: FactsOf<'page'>): CheckOutcome {
  const fields = page.controls.filter((control) => isShown(control) && isPersonal(control));
  if (fields.length === 0)
    return verdict.notApplicable('The page asks for no name, mail address, telephone number or address.');
  const silent = fields.filter(({ autocomplete }) => !isAutofillToken(autocomplete));
  const named = fields.length - silent.length;
  return verdict.byShare(
    named / fields.length,
    { passAt: 0.9, partialAt: 0.5 },
    `${named} of ${formatCount(fields.length, 'personal field')} have a valid autocomplete token.`,
    (silent.length > 0 ? silent : fields).slice(0, MAX_SHOWN).map((field) => onControl(page, field)),
  );
}

/** With fewer controls a share says nothing, as long as all are native. */
const MIN_CONTROLS = 5;

function judgeNative({ page }: FactsOf<'page'>): CheckOutcome {
  const controls = page.controls.filter((control) => isShown(control) && control.type !== 'hidden');
  const links = page.anchors.filter(isShown);
  const clickables = page.clickables.filter(isShown);
  const total = links.length + controls.length + clickables.length;
  const ghosts = clickables.filter(
    ({ role, tabindex }) => !/^(?:button|link)$/.test(role) || !/^\s*0*\d{1,5}\s*$/.test(tabindex),
  );
  if (total < MIN_CONTROLS && ghosts.length === 0)
    return verdict.notApplicable(`The page has fewer than ${MIN_CONTROLS} controls.`);
  // What says the same as a native control beside it is a wider place to press the same.
  const names = new Set([...controls.map(({ label }) => label), ...links.map(({ text }) => text)]);
  const only = ghosts.filter(({ text }) => text !== '' && !names.has(text));
  const note = `${ghosts.length} of ${total} controls are elements that only react to clicks.`;
  const evidence =
    ghosts.length > 0
      ? [...only, ...ghosts.filter((ghost) => !only.includes(ghost))]
          .slice(0, MAX_SHOWN)
          .map((ghost) => onClickable(page, ghost))
      : { url: page.url };
  const share = (total - ghosts.length) / total;
  if (only.length === 0 || share < NATIVE_SHARE.passAt) return verdict.byShare(share, NATIVE_SHARE, note, evidence);
  const value = Math.round(share * 1000) / 1000;
  return verdict.partial(
    value,
    `${note} ${only.length} of them ${only.length === 1 ? 'says' : 'say'} what no native control says.`,
    evidence,
  );
}

const NATIVE_SHARE = { passAt: 0.95, partialAt: 0.85 };

const FORM_FAULTS: Readonly<Record<FormFault, string>> = {
  no_action: 'no action that leads anywhere',
  nameless: 'no field with a name, so nothing is sent',
  no_submit: 'no button that sends it',
  exposed: 'a password or a long text sent by GET',
};

function judgeForms({
  page,
  siteSearch: search,
  samplePages,
}: FactsOf<'page' | 'siteSearch' | 'samplePages'>): CheckOutcome {
  const searched =
    readSearchAnswer(search, page).state === 'text' && search.target.state === 'url' ? search.target.form : -1;
  const pages = [page, ...samplePages.map((sample) => sample.page)];
  const forms = pages.flatMap((own) => listForms(own, own === page ? searched : -1));
  if (forms.length === 0) return verdict.notApplicable('No page that was read has a form, or a field to write into.');
  const mute = forms.filter(({ fault }) => fault !== undefined);
  const faults = [...new Set(mute.map(({ fault }) => fault))].join('; ');
  const note = `${forms.length - mute.length} of ${formatCount(forms.length, 'form')} can be sent without scripts as they should${faults === '' ? '' : `: ${faults}`}.`;
  const evidence = (mute.length > 0 ? mute : forms).slice(0, MAX_SHOWN).map(({ url, selector, line, fault }) => ({
    url,
    selector,
    line,
    ...(fault === undefined ? {} : { excerpt: fault }),
  }));
  const share = (forms.length - mute.length) / forms.length;
  return verdict.byShare(share, { passAt: 1, partialAt: 0.5 }, note, evidence);
}

type JudgedForm = { url: string; selector: string; line: number; fault: string | undefined };

/** The forms of a page that are sent, and the fields to write into that stand in none, which count as one. */
function listForms(page: PageFacts, searched: number): readonly JudgedForm[] {
  const forms = page.forms.flatMap((form, index): readonly JudgedForm[] => {
    const found = isShown(form) ? findFormFault(page, index) : 'unused';
    if (found === 'unused') return [];
    const fault = found === undefined || (found === 'no_action' && index === searched) ? undefined : FORM_FAULTS[found];
    return [{ url: page.url, selector: 'form', line: form.line, fault }];
  });
  const [loose] = listLooseFields(page).filter(isShown);
  return loose
    ? [...forms, { url: page.url, selector: loose.tag, line: loose.line, fault: 'fields outside any form' }]
    : forms;
}

const onControl = (page: PageFacts, { tag, type, name, id, line }: ControlFacts): CheckEvidence => ({
  url: page.url,
  selector: `${tag}${id === '' ? '' : `#${id.slice(0, 60)}`}[type=${type.slice(0, 20)}]${name === '' ? '' : `[name=${name.slice(0, 60)}]`}`,
  line,
});

const onLink = (page: PageFacts, { rawHref, line }: Anchor): CheckEvidence => ({
  url: page.url,
  selector: 'a[href]',
  line,
  excerpt: rawHref.slice(0, 300),
});

const onClickable = (page: PageFacts, { tag, role, onclick, text, line }: Clickable): CheckEvidence => ({
  url: page.url,
  selector: `${tag}${onclick ? '[onclick]' : ''}${role === '' ? '' : `[role=${role.slice(0, 30)}]`}`,
  line,
  excerpt: text.slice(0, 300),
});
