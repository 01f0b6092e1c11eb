import { Empty, PageHead } from '../ui/elements.tsx';

export const NotFound = () => (
  <>
    <PageHead title="There is no such page" />
    <Empty title="The address leads nowhere.">
      <p>
        Go to the <a href="/console">overview</a>.
      </p>
    </Empty>
  </>
);

/** A page that is of no use to who is signed in, or in this installation. */
export const NotHere = ({ name, reason }: { readonly name: string; readonly reason: string }) => (
  <>
    <PageHead title={name} />
    <Empty title="This page is not shown here.">
      <p>
        {reason} Go to the <a href="/console">overview</a>.
      </p>
    </Empty>
  </>
);
