import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { List, Resource } from '../api/resource.ts';
import { ago, knownZone, localTime } from './format.ts';

/** The head of a page: title, subject and actions. */
export const PageHead = (props: {
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <header class="page-head">
    <div>
      <h1>{props.title}</h1>
      {props.about && <p class="muted">{props.about}</p>}
    </div>
    {props.children && <div class="actions">{props.children}</div>}
  </header>
);

export const Card = (props: {
  readonly title?: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) => (
  <section class={props.wide ? 'card wide' : 'card'}>
    {props.title && (
      <header class="card-head">
        <h2>{props.title}</h2>
        {props.action}
      </header>
    )}
    {props.children}
  </section>
);

/** Why something was refused, announced to screen readers. Empty without a reason. */
export const Refusal = ({ text }: { readonly text: string | null }) =>
  text !== null && (
    <p class="refusal" role="alert">
      {text}
    </p>
  );

/** One number with its label. */
export const Figure = (props: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
}) => (
  <div class="figure">
    <dt>{props.label}</dt>
    <dd>
      <strong>{props.value}</strong>
      {props.note && <span class="muted">{props.note}</span>}
    </dd>
  </div>
);

export const Chip = (props: { readonly tone?: 'good' | 'bad' | 'accent'; readonly children: ComponentChildren }) => (
  <span class={`chip ${props.tone ?? ''}`}>{props.children}</span>
);

/** Changes every ten seconds while the page is visible, so that relative times stay current. */
const turn = signal(0);
setInterval(() => {
  if (!document.hidden) turn.value++;
}, 10_000);

/** An instant as a relative time; a tooltip shows it on both clocks. */
export function When({ at, zone = 'UTC' }: { readonly at: string; readonly zone?: string }) {
  const known = knownZone(zone);
  // Reading the signal renders this component again with each change.
  void turn.value;
  return (
    <time dateTime={at} title={`${localTime(at, known)} (${known}) · ${at}`}>
      {ago(at)}
    </time>
  );
}

/** Why something could not be loaded. */
export function Failure({ resource }: { readonly resource: Pick<Resource<unknown>, 'failure' | 'reload'> }) {
  const { failure, reload } = resource;
  if (failure === null) return null;
  // Retrying does not help.
  if (failure.problem?.code === 'not_in_this_topology')
    return (
      <Empty title="Not here">
        <p>{failure.message}</p>
      </Empty>
    );
  return (
    <div class="failure" role="alert">
      <p>{failure.message}</p>
      {failure.problem?.status !== 403 && (
        <button type="button" onClick={reload}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Says that there is nothing yet, and how to change that. */
export const Empty = (props: { readonly title: ComponentChildren; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <p>
      <strong>{props.title}</strong>
    </p>
    {props.children}
  </div>
);

/** Says that nothing of a kind is configured. @param props.kind completes `The configuration has no …` */
export const NotConfigured = (props: { readonly kind: string; readonly add?: string }) => (
  <Empty title={`The configuration has no ${props.kind}.`}>
    <p>
      Add {props.add ?? 'one'} in the <a href="/console/configuration">configuration</a>.
    </p>
  </Empty>
);

export const Skeleton = ({ rows = 3 }: { readonly rows?: number }) => (
  <div class="skeleton" aria-hidden="true">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} />
    ))}
  </div>
);

/** The loaded value. Until then a skeleton, or why it could not be loaded. */
export function Loaded<T>(props: {
  readonly resource: Resource<T>;
  readonly rows?: number;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { resource } = props;
  return (
    <>
      <Failure resource={resource} />
      {resource.value === null
        ? resource.failure === null && <Skeleton rows={props.rows ?? 3} />
        : props.children(resource.value)}
    </>
  );
}

export interface Column<Row> {
  readonly name: string;
  readonly numeric?: true;
  readonly cell: (row: Row) => ComponentChildren;
}

export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}) {
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label={props.caption}>
      <table>
        <caption class="hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map(({ name, numeric }) => (
              <th key={name} scope="col" class={numeric ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map(({ name, numeric, cell }) => (
                <td key={name} class={numeric ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The button for more rows. The focus stays near it after a press, even when there are no more rows. */
export function More({ list }: { readonly list: Pick<List<unknown>, 'more' | 'loading'> }) {
  const end = useRef<HTMLParagraphElement>(null);
  const wasPressed = useRef(false);
  const hasMore = list.more !== null;
  useEffect(() => {
    // The focus is moved only if it was lost with the button: the user may have moved it meanwhile.
    if (!hasMore && document.activeElement === document.body) end.current?.focus();
  }, [hasMore]);
  const press = () => {
    wasPressed.current = true;
    list.more?.();
  };
  if (!hasMore)
    return wasPressed.current ? (
      <p class="more muted" ref={end} tabIndex={-1}>
        Nothing more to show.
      </p>
    ) : null;
  return (
    <p class="more">
      <button type="button" onClick={press} aria-disabled={list.loading}>
        {list.loading ? 'Loading …' : 'Show more'}
      </button>
    </p>
  );
}

/** A list by keyset pagination, with the button for further rows. */
export function ListTable<Row>(props: {
  readonly list: List<Row>;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ComponentChildren;
}) {
  const { list } = props;
  return (
    <Loaded resource={list} rows={8}>
      {(rows) =>
        rows.length === 0 ? (
          props.empty
        ) : (
          <>
            <Table {...props} rows={rows} />
            <More list={list} />
          </>
        )
      }
    </Loaded>
  );
}
