import { Empty, PageHead } from '../ui/elements.tsx';

export const NotFound = () => (
  <>
    <PageHead title="There is no such page" />
    <Empty title="Nothing is at this address.">
      <p>
        Go to the <a href="/console">overview</a>.
      </p>
    </Empty>
  </>
);

/** A page whose script failed to load. */
export const NotLoaded = (props: { readonly why: string }) => (
  <>
    <PageHead title="This page could not be loaded" />
    <Empty title={props.why}>
      <p>Laurel may have been upgraded since you opened the console.</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Load the console again
      </button>
    </Empty>
  </>
);

interface Way {
  readonly path: string;
  readonly name: string;
}

/**
 * A page that this user or installation cannot use. @param props.way leads to a page that they can use; undefined if
 * there is none
 */
export const NotHere = (props: { readonly name: string; readonly reason: string; readonly way: Way | undefined }) => (
  <>
    <PageHead title={props.name} />
    {props.way === undefined ? (
      <Empty title="This key has no access to the console.">
        <p>Every page needs the scope read, support or admin. Sign out, and sign in with a key that has one of them.</p>
      </Empty>
    ) : (
      <Empty title="This page is not shown here.">
        <p>
          {props.reason} Go to <a href={props.way.path}>{props.way.name}</a>.
        </p>
      </Empty>
    )}
  </>
);
