import { answerOf, api } from '../api/client.ts';
import { useList } from '../api/resource.ts';
import { Empty, ListTable, PageHead, When } from '../ui/elements.tsx';
import { useQuery } from '../ui/query.ts';

/** Who is who, by id. */
export function Users() {
  const [prefix, setPrefix] = useQuery('prefix');
  const list = useList(
    async (cursor, signal) => {
      const query = { limit: 40, ...(prefix !== '' && { prefix }), ...(cursor !== undefined && { cursor }) };
      const { users, next } = await answerOf(api.GET('/admin/v1/users', { params: { query }, signal }));
      return { rows: users, next };
    },
    [prefix],
  );
  return (
    <>
      <PageHead title="Users" about="Everybody of whom something was recorded, by id.">
        <label class="hidden" for="prefix">
          Id begins with
        </label>
        <input
          id="prefix"
          type="search"
          placeholder="Id begins with …"
          value={prefix}
          onInput={(event) => setPrefix(event.currentTarget.value)}
        />
      </PageHead>
      <ListTable
        list={list}
        caption="Users"
        keyOf={({ id }) => id}
        columns={[
          { name: 'Id', cell: ({ id }) => <a href={`/console/users/${encodeURIComponent(id)}`}>{id}</a> },
          { name: 'Name', cell: ({ name }) => name ?? <span class="muted">–</span> },
          { name: 'E-mail', cell: ({ email }) => email ?? <span class="muted">–</span> },
          { name: 'Time zone', cell: ({ tz }) => tz },
          { name: 'Created', cell: ({ created, tz }) => <When at={created} zone={tz ?? 'UTC'} /> },
        ]}
        empty={
          prefix === '' ? (
            <Empty title="No users yet">
              <p>A user is there with their first event. Post one, or import a history.</p>
            </Empty>
          ) : (
            <Empty title={`No id begins with “${prefix}”.`}>
              <p>Ids are compared character by character: capital letters count.</p>
            </Empty>
          )
        }
      />
    </>
  );
}
