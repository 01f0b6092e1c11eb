import { answerOf, api } from '../api/client.ts';
import { useList } from '../api/resource.ts';
import { Empty, ListTable, PageHead, When } from '../ui/elements.tsx';

/** Administrative events, newest first. */
export function Audit() {
  const list = useList(async (cursor, signal) => {
    const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
    const { entries, next } = await answerOf(api.GET('/admin/v1/audit', { params: { query }, signal }));
    return { rows: entries, next };
  }, []);
  return (
    <>
      <PageHead
        title="Audit"
        about="Publications, keys, grants and imports, from the log. Nothing here can be changed."
      />
      <ListTable
        list={list}
        caption="Who did what, newest first"
        keyOf={({ id }) => id}
        columns={[
          { name: 'When', cell: ({ at }) => <When at={at} /> },
          { name: 'What', cell: ({ type }) => type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ') },
          {
            name: 'Who',
            cell: ({ by }) => (by === null ? <span class="muted">not recorded</span> : <code>{by}</code>),
          },
          {
            name: 'About',
            cell: ({ userId, details }) =>
              userId === null ? (
                <Details of={details} />
              ) : (
                <a href={`/console/users/${encodeURIComponent(userId)}`}>{userId}</a>
              ),
          },
          { name: 'Reason', cell: ({ reason }) => reason ?? <span class="muted">–</span> },
        ]}
        empty={<Empty title="Nothing has been done yet." />}
      />
    </>
  );
}

const Details = ({ of }: { readonly of: Readonly<Record<string, unknown>> }) => (
  <span class="muted">
    {Object.entries(of)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ')}
  </span>
);
