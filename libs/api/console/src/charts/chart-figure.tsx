import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A chart that can also be read as a table. */
export function ChartFigure(props: { readonly table: ComponentChildren; readonly children: ComponentChildren }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure class="chart">
      {asTable ? props.table : props.children}
      <figcaption>
        <button type="button" class="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As a chart' : 'As a table'}
        </button>
      </figcaption>
    </figure>
  );
}
