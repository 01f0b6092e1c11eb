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
