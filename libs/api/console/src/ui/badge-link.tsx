import type { ComponentChildren } from 'preact';

/** A link to a picture on another host, which the page itself never loads. */
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
