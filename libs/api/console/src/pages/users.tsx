import type { ComponentChildren } from 'preact';
import { answerOf, api } from '../api/client.ts';
import { type List, useList } from '../api/resource.ts';
import { Empty, ListTable, PageHead, When } from '../ui/elements.tsx';
import { useQuery } from '../ui/query.ts';
import { UserLink } from '../ui/user-link.tsx';

interface Way {
  readonly name: string;
  readonly hint: string;
  readonly maxLength: number;
  readonly nobody: (text: ComponentChildren) => ComponentChildren;
  readonly about: string;
}

/** Ways to find users. */
const WAYS = {
  id: {
    name: 'Id',
    hint: 'Id begins with …',
    maxLength: 255,
    nobody: (text) => <>No id begins with “{text}”.</>,
    about: 'Ids are case-sensitive.',
  },
  email: {
    name: 'E-mail',
    hint: 'The whole address',
    maxLength: 320,
    nobody: (text) => <>Nobody has the address “{text}”.</>,
    about: 'Enter the whole address. Capital letters make no difference.',
  },
  name: {
    name: 'Name',
    hint: 'Name begins with …',
    maxLength: 100,
    nobody: (text) => <>No name has a word that begins with “{text}”.</>,
    about: 'The first eight words of a name are compared. Capital letters make no difference.',
  },
} as const satisfies Readonly<Record<string, Way>>;

type By = keyof typeof WAYS;

const isWay = (text: string): text is By => Object.hasOwn(WAYS, text);

/** Finds users by id and, if there is an index, by e-mail and name. */
export function Users() {
  const [asked, setBy] = useQuery('by', 'id');
  const [find, setFind] = useQuery('find');
  const by = isWay(asked) ? asked : 'id';
  const way = WAYS[by];
  const text = by === 'id' ? find : find.trim();
  const list = useList(
    async (cursor, signal) => {
      const query = { ...queryOf(by, text), ...(cursor !== undefined && { cursor }) };
      const { users, next } = await answerOf(api.GET('/admin/v1/users', { params: { query }, signal }));
      return { rows: users, next };
    },
    [by, text],
  );
  const whyNot = whyNotFound(by, list);
  return (
    <>
      <PageHead title="Users" about="All users of whom something was recorded, by id.">
        <label class="hidden" for="by">
          Find users by
        </label>
        <select id="by" value={by} onChange={(event) => setBy(event.currentTarget.value)}>
          {Object.entries(WAYS).map(([key, { name }]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
        <label class="hidden" for="find">
          {way.hint}
        </label>
        <input
          {...{ id: 'find', type: 'search', placeholder: way.hint, maxLength: way.maxLength, value: find }}
          onInput={(event) => setFind(event.currentTarget.value)}
        />
      </PageHead>
      {whyNot === null ? (
        <ListTable
          list={list}
          caption="Users"
          keyOf={({ id }) => id}
          columns={[
            { name: 'Id', cell: ({ id }) => <UserLink id={id} /> },
            { name: 'Name', cell: ({ name }) => name ?? <span class="muted">–</span> },
            { name: 'E-mail', cell: ({ email }) => email ?? <span class="muted">–</span> },
            { name: 'Time zone', cell: ({ tz }) => tz },
            { name: 'Created', cell: ({ created, tz }) => <When at={created} zone={tz ?? 'UTC'} /> },
          ]}
          empty={
            text === '' ? (
              <Empty title="No users yet">
                <p>A user appears with their first event. Post one, or import a history.</p>
              </Empty>
            ) : (
              <Empty title={way.nobody(<bdi>{text}</bdi>)}>
                <p>{way.about}</p>
              </Empty>
            )
          }
        />
      ) : (
        <Empty title={`Users cannot be found by ${way.name.toLowerCase()} here.`}>
          <p>{whyNot}</p>
        </Empty>
      )}
    </>
  );
}

function queryOf(by: By, text: string) {
  if (text === '') return { limit: 40 };
  return by === 'id' ? { limit: 40, prefix: text } : { limit: 20, [by]: text };
}

/** Why users cannot be found in this way. null if they can, or if the failure has another cause. */
function whyNotFound(by: By, { failure }: List<unknown>): string | null {
  if (by === 'id') return null;
  const refusal = failure?.problem?.errors?.find(({ path }) => path === by);
  return refusal === undefined ? null : `Finding users by ${WAYS[by].name.toLowerCase()} ${refusal.message}.`;
}
