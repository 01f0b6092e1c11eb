import type { ComponentChildren } from 'preact';

/** Leads to a picture that is hosted elsewhere; it is never loaded into a page. */
export const BadgeLink = (props: {
  readonly url: string | null;
  readonly of: string;
  readonly children?: ComponentChildren;
}) =>
  props.url !== null &&
  isWebAddress(props.url) && (
    <a href={props.url} target="_blank" rel="noreferrer noopener" aria-label={`Badge of ${props.of}`}>
      {props.children ?? 'Badge'}
    </a>
  );

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
