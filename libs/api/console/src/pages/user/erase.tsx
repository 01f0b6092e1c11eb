import { useRef, useState } from 'preact/hooks';
import { answerOf, api, isTemporary, Refused, type Schemas } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { ActionDialog, ReasonField } from '../../ui/action-dialog.tsx';
import { Card, Loaded, Table } from '../../ui/elements.tsx';
import { whole } from '../../ui/format.ts';

type Erasure = Schemas['Erasure'];
type Boards = Erasure['boards'];

/** Erases a user: shows what will be erased, and asks for the id again and for a reason. */
export function Erase(props: {
  readonly id: string;
  readonly onErased: (certificate: Erasure) => void;
  readonly onClose: () => void;
}) {
  const { id } = props;
  const [boards, setBoards] = useState<Boards>('remove');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  /** Whether an answer was lost, which may have contained the certificate. */
  const wasLost = useRef(false);
  const path = { id };
  const preview = useResource(
    (signal) =>
      answerOf(
        api.DELETE('/admin/v1/users/{id}', { params: { path, query: { preview: 'true' as const, boards } }, signal }),
      ),
    [id, boards],
  );
  const { value } = preview;
  const erase = async () => {
    if (value === null) return;
    const query = { boards, previewId: value.previewId, reason };
    const certificate = await answerOf(api.DELETE('/admin/v1/users/{id}', { params: { path, query } })).catch(
      (error: unknown) => {
        const problem = error instanceof Refused ? error.problem : null;
        if (wasLost.current && problem?.code === 'unknown_user') throw new Refused({ ...problem, detail: ERASED });
        wasLost.current ||= isTemporary(error);
        throw error;
      },
    );
    props.onClose();
    props.onErased(certificate);
  };
  return (
    <ActionDialog
      title={
        <>
          Erase <bdi>{id}</bdi>
        </>
      }
      action="Erase for good"
      dangerous
      act={value === null || !isTyped(id, typed) ? null : erase}
      onClose={props.onClose}
    >
      <p>
        The user’s id, name, e-mail, attributes and device tokens are erased. Counts stay, under a number that leads to
        nobody. This cannot be undone.
      </p>
      <Loaded resource={preview} rows={5}>
        {({ places }) => <Places places={places} />}
      </Loaded>
      <fieldset>
        <legend>Places in leaderboard runs that are not final</legend>
        {(['remove', 'anonymous'] as const).map((one) => (
          <label key={one} class="check">
            <input type="radio" name="boards" checked={boards === one} onChange={() => setBoards(one)} />
            {one === 'remove' ? 'Remove them: users below move up' : 'Keep them, without a name'}
          </label>
        ))}
      </fieldset>
      <ReasonField value={reason} onInput={setReason}>
        It stays readable in the log, so it must not name the user.
      </ReasonField>
      <label>
        Type the id of the user to confirm: <code class="exact">{id}</code>
        <input
          {...{ required: true, autocomplete: 'off', spellcheck: false, value: typed }}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </ActionDialog>
  );
}

const ERASED =
  'The user was erased, but the answer with the certificate was lost. The audit shows when the user was erased and by whom.';

/** Whether the typed text is the id. A one-line field drops line breaks, or replaces them by spaces. */
const isTyped = (id: string, typed: string): boolean =>
  ['\n', ' ', ''].some((lineBreak) => typed === id.replaceAll(/\r\n|\r|\n/g, lineBreak));

const BECOMES: Readonly<Record<Erasure['places'][number]['becomes'], string>> = {
  deleted: 'deleted',
  unreadable: 'unreadable: the key is destroyed',
  hashed: 'attributes stay as keyed hashes',
  cleared: 'personal fields cleared',
  anonymous: 'stays under a number',
  off_the_board: 'off the board',
  counted_down: 'counts one less',
  compacted_away: 'goes when the topic is compacted',
};

const Places = ({ places }: Pick<Erasure, 'places'>) => (
  <div class="tall">
    <Table
      caption="What is kept of the user, and what becomes of it"
      rows={places}
      keyOf={({ place, becomes }) => `${place} ${becomes}`}
      columns={[
        { name: 'Place', cell: ({ place }) => <code>{place}</code> },
        { name: 'Rows', numeric: true, cell: ({ rows }) => whole(rows) },
        { name: 'Becomes', cell: ({ becomes }) => BECOMES[becomes] },
      ]}
    />
  </div>
);

/** The proof that a user was erased: the last answer that names them. */
export function ErasureCertificate({ certificate }: { readonly certificate: Erasure }) {
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(certificate, null, 2))}`;
  return (
    <Card
      title="Certificate"
      action={
        <a href={file} download={`erasure-${certificate.eventId ?? ''}.json`}>
          Download
        </a>
      }
      wide
    >
      <div role="status" class="notice">
        <p>
          <strong>
            <bdi>{certificate.userId}</bdi> was erased.
          </strong>{' '}
          This page is the last one that names the user. Save the certificate if you need it.
        </p>
      </div>
      <dl class="facts">
        <dt>Event</dt>
        <dd>
          <code>{certificate.eventId}</code>
        </dd>
        <dt>Recorded</dt>
        <dd>{certificate.at}</dd>
        <dt>Places on leaderboards</dt>
        <dd>{certificate.boards === 'remove' ? 'removed' : 'anonymous'}</dd>
      </dl>
      <Places places={certificate.places} />
      <p>
        <a href="/console/users">All users</a>
      </p>
    </Card>
  );
}
