import { readApiDescription } from '../../audit/api/facts/api-description.ts';
import { isJsonRecord, getString, getStrings } from '../../audit/structured-data/facts/json-document.ts';
import { readOperations } from '../../audit/api/facts/openapi-operations.ts';
import type { ControlFacts, FormFacts } from '../../audit/page/facts/page-facts.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import { parseJsonOrYaml } from '../../audit/api/facts/yaml-document.ts';
import type { Audited } from './generated-file.ts';
import { cleanFirstText, cleanSiteText, formatAsciiSlug, normaliseOwnUrl } from './safe-site.ts';

/** Operations and forms of one site that are offered as actions. */
const MAX_OPERATIONS = 40;
const MAX_FORMS = 10;
const MAX_TAGS = 5;
const MAX_ID_CHARS = 64;
const MAX_NAME_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 300;
const MAX_TAG_CHARS = 40;

/**
 * Something that a program can do on the site: an operation of its OpenAPI document or a form of its start page.
 * `description` is '' when the site gives none; `target` is the documented path, or the address that the form sends to.
 */
export type SiteAction = {
  id: string;
  name: string;
  description: string;
  tags: readonly string[];
  from: 'openapi' | 'form';
  method: string;
  target: string;
};

/** The actions of the site in the order of its documents, with ids that are unique in the list. */
export function listSiteActions(audited: Audited): readonly SiteAction[] {
  const used = new Set<string>();
  return [...listApiActions(audited), ...listFormActions(audited)].map((action) => ({
    ...action,
    id: takeUniqueId(action.id, used),
  }));
}

function takeUniqueId(wanted: string, used: Set<string>): string {
  const base = wanted === '' ? 'action' : wanted;
  let id = base;
  for (let count = 2; used.has(id); count += 1) id = `${base.slice(0, MAX_ID_CHARS - 4)}-${count}`;
  used.add(id);
  return id;
}

function listApiActions({ snapshot }: Audited): readonly SiteAction[] {
  const api = readApiDescription(snapshot);
  const found = api.state === 'ready' ? api.value.found : undefined;
  const parsed = found ? parseJsonOrYaml(found.answer.body) : undefined;
  if (!parsed?.ok || !isJsonRecord(parsed.value)) return [];
  const offered = readOperations(parsed.value).filter(
    ({ operation, source }) =>
      !operation.webhook &&
      source['deprecated'] !== true &&
      ['get', 'post', 'put', 'patch', 'delete', 'query'].includes(operation.method),
  );
  return offered.slice(0, MAX_OPERATIONS).map(({ operation: { method, path, operationId }, source }) => {
    const target = sanitisePath(path);
    const summary = getString(source, 'summary');
    const tags = (getStrings(source, 'tags') ?? []).slice(0, MAX_TAGS).map((tag) => cleanSiteText(tag, MAX_TAG_CHARS));
    const named = cleanSiteText(splitCamelCase(operationId ?? ''), MAX_NAME_CHARS);
    return {
      id:
        formatAsciiSlug(splitCamelCase(operationId ?? ''), MAX_ID_CHARS) ||
        formatAsciiSlug(`${method} ${target}`, MAX_ID_CHARS),
      name: cleanFirstText([summary, named], MAX_NAME_CHARS) || `${method.toUpperCase()} ${target}`,
      description: cleanFirstText([getString(source, 'description'), summary], MAX_DESCRIPTION_CHARS),
      tags: [...new Set(['api', ...tags.filter((tag) => tag !== '')])],
      from: 'openapi',
      method: method.toUpperCase(),
      target,
    };
  });
}

/** `get high tides` for `getHighTides`. */
const splitCamelCase = (name: string): string => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[_.-]/gu, ' ');

/** A documented path with its `{parameters}`; anything a path need not hold is dropped. */
const sanitisePath = (path: string): string => path.replaceAll(/[^A-Za-z0-9._~/{}%:@,;=&?+-]/gu, '').slice(0, 300);

function listFormActions({ snapshot, site }: Audited): readonly SiteAction[] {
  const artifact = readPageFacts(snapshot);
  if (artifact.state === 'failed') return [];
  const page = artifact.value;
  const actions = page.forms.flatMap((form, index) => {
    const controls = page.controls.filter((control) => control.form === index);
    return form.hidden === undefined && !isPrivate(controls) ? buildFormAction(form, controls, site.start) : [];
  });
  return actions.slice(0, MAX_FORMS);
}

/** Forms that take a password, a card number or a file are for people. */
const isPrivate = (controls: readonly ControlFacts[]): boolean =>
  controls.some(
    ({ type, autocomplete }) => type === 'password' || type === 'file' || /^cc-|one-time-code/u.test(autocomplete),
  );

/** A form that says neither by its own words nor by its button what it does, and does not search, is no action. */
function buildFormAction(form: FormFacts, controls: readonly ControlFacts[], start: URL): readonly SiteAction[] {
  const target = normaliseOwnUrl(form.action, start);
  const submit = controls.find(({ type, tag }) => type === 'submit' || (tag === 'button' && type !== 'reset'));
  const searches = controls.some(({ type }) => type === 'search');
  const words = [splitCamelCase(form.toolName), form.label, submit?.label, ...(searches ? ['Search'] : [])];
  const name = cleanFirstText(words, MAX_NAME_CHARS);
  if (target === undefined || name === '') return [];
  return [
    {
      id: formatAsciiSlug(name, MAX_ID_CHARS) || 'form',
      name,
      description: cleanFirstText([form.toolDescription], MAX_DESCRIPTION_CHARS),
      tags: ['form', ...(searches ? ['search'] : [])],
      from: 'form',
      method: form.method === 'post' ? 'POST' : 'GET',
      target,
    },
  ];
}
