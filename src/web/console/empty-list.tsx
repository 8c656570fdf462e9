import type { Html } from '../design/shell.tsx';

/** In the place of what a page would show. */
export const renderEmptyList = ({ detail }: { detail: string }): Html => <p role="alert">{detail}</p>;
