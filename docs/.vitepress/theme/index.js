import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to name
import './style.css';

/** Pages of the service, which are no pages of this site. */
const SERVICE = [
  ['/about', 'About'],
  ['/contact', 'Contact'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/llms.txt', 'llms.txt'],
];

const leave = (href, text) => h('a', { class: 'service', href, target: '_self' }, text);

/** The day of the last change, and ways to the service. */
const Foot = {
  setup() {
    const { frontmatter } = useData();
    return () =>
      h('p', { class: 'foot' }, [
        'Last changed ',
        h('time', { datetime: frontmatter.value.changed }, frontmatter.value.changed),
        ...SERVICE.map(([href, text]) => leave(href, text)),
      ]);
  },
};

/** The usual theme with the fonts of the system, and ways back to the service. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => leave('/', 'Audit a site'),
      'nav-screen-content-after': () => leave('/', 'Audit a site'),
      'doc-footer-before': () => h(Foot),
    }),
};
