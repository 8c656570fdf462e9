import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

/** The usual theme with the fonts of the system, and a way back to the service, which is no page of this site. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => h('a', { class: 'service', href: '/', target: '_self' }, 'Audit a site'),
      'nav-screen-content-after': () => h('a', { class: 'service', href: '/', target: '_self' }, 'Audit a site'),
    }),
};
