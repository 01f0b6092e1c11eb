import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';

/** A secret that the service shows only once. */
export const ShownOnce = (props: {
  readonly about: ComponentChildren;
  readonly secret: string;
  /** Label of the button that copies it. */
  readonly what: string;
  readonly onSeen: () => void;
}) => (
  <div class="notice" role="status">
    <p>{props.about} Copy it now: it is not shown again.</p>
    <code class="secret">{props.secret}</code>
    <div class="actions">
      <Copy text={props.secret} what={props.what} />
      <button type="button" class="quiet" onClick={props.onSeen}>
        I have it
      </button>
    </div>
  </div>
);
