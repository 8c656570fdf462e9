import type { NavItem } from '../design/shell.tsx';

/** Pages by what they are about, in the order of the menu; a page that is in no list is among the last. */
const GROUPS: readonly { title: string; paths: readonly string[] }[] = [
  {
    title: 'Money',
    paths: ['/console/', '/console/money', '/console/payments', '/console/customers', '/console/published'],
  },
  { title: 'Work', paths: ['/console/runs', '/console/dead-letters', '/console/channels'] },
  { title: 'Technical', paths: [] },
];

type MenuProps = { items: readonly NavItem[]; path: string };

/** The menu: groups beside each other, or on a telephone one line that opens, without a script. */
export const ConsoleMenu = ({ items, path }: MenuProps) => (
  <>
    <nav class="menu" aria-label="Main">
      <MenuGroups items={items} path={path} />
    </nav>
    <details class="menu">
      <summary>Menu: {items.find(({ href }) => href === path)?.text ?? 'pages'}</summary>
      <nav aria-label="Main">
        <MenuGroups items={items} path={path} />
      </nav>
    </details>
  </>
);

const MenuGroups = ({ items, path }: MenuProps) => (
  <dl>
    {listGroups(items).map(({ title, pages }) => (
      <div>
        <dt>{title}</dt>
        <dd>
          <ul>
            {pages.map(({ href, text }) => (
              <li>
                <a href={href} aria-current={href === path ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </dd>
      </div>
    ))}
  </dl>
);

function listGroups(items: readonly NavItem[]): { title: string; pages: readonly NavItem[] }[] {
  const placed = new Set(GROUPS.flatMap(({ paths }) => paths));
  return GROUPS.map(({ title, paths }, at) => ({
    title,
    pages: items.filter(({ href }) => paths.includes(href) || (at === GROUPS.length - 1 && !placed.has(href))),
  })).filter(({ pages }) => pages.length > 0);
}
