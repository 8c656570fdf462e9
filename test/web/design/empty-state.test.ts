import { expect, test } from 'vitest';
import { EmptyState } from '../../../src/web/design/empty-state.tsx';

const show = (props: Parameters<typeof EmptyState>[0]): string => String(EmptyState(props));

test('an empty list says what is empty, why, and has one way on', () => {
  const html = show({
    title: 'No reports yet',
    children: 'A report is here once you bought one.',
    action: { href: '/audit', text: 'Audit a site' },
  });
  expect(html).toContain('<h3>No reports yet</h3>');
  expect(html).toContain('A report is here once you bought one.');
  expect(html.match(/<a class="button" href="\/audit">Audit a site<\/a>/g)).toHaveLength(1);
});

test('it needs no way on, and its heading may be that of a section', () => {
  const html = show({ title: 'No messages', level: 2 });
  expect(html).toContain('<h2>No messages</h2>');
  expect(html).not.toContain('<a ');
});

test('names in it are text', () => {
  expect(show({ title: '<img src=x onerror=alert(1)>' })).toContain('&lt;img src=x');
});
