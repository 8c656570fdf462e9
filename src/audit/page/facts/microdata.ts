import type { Opener } from './opener.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { type Frame, type Reading, absolute, attribute, ownText } from './state.ts';

/** Attributes that hold the value of a property, by element (HTML, 5.2.4); others have their text. */
const URL_VALUES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['audio', 'src'],
  ['embed', 'src'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['source', 'src'],
  ['track', 'src'],
  ['video', 'src'],
  ['object', 'data'],
]);
const PLAIN_VALUES: ReadonlyMap<string, string> = new Map([
  ['meta', 'content'],
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
]);

/** Starts an item at `itemscope` and adds `itemprop` to the item around it. */
export const openItem: Opener = (reading, frame) => {
  const owner = reading.microdata[frame.item];
  const own = openScope(reading, frame);
  const names = attribute(frame, 'itemprop')
    .split(/\s+/)
    .filter((name) => name !== '');
  if (!owner || names.length === 0) return undefined;
  const value = own === undefined ? attributeValue(reading, frame) : '';
  const props = names
    .slice(0, Math.max(0, PAGE_LIMITS.microdataProps - owner.props.length))
    .map((name) => ({ name, value: value ?? '', ...(own === undefined ? {} : { item: own }) }));
  owner.props.push(...props);
  if (value !== undefined) return undefined;
  return () => {
    const text = ownText(reading, frame);
    for (const prop of props) prop.value = text;
  };
};

function openScope(reading: Reading, frame: Frame): number | undefined {
  if (frame.attributes['itemscope'] === undefined) return undefined;
  if (reading.microdata.length >= PAGE_LIMITS.microdataItems) {
    reading.capped.add('microdata');
    frame.item = -1;
    return undefined;
  }
  const types = attribute(frame, 'itemtype')
    .split(/\s+/)
    .filter((type) => type !== '');
  reading.microdata.push({ types, id: attribute(frame, 'itemid'), props: [], line: frame.line });
  frame.item = reading.microdata.length - 1;
  return frame.item;
}

function attributeValue(reading: Reading, frame: Frame): string | undefined {
  const url = URL_VALUES.get(frame.name);
  if (url !== undefined) return absolute(reading, attribute(frame, url));
  const plain = PLAIN_VALUES.get(frame.name) ?? 'content';
  return frame.attributes[plain] === undefined ? undefined : attribute(frame, plain).trim();
}
