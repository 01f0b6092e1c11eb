import type { Schemas } from '../../api/client.ts';
import { Card, Chip, Table } from '../../ui/elements.tsx';
import { counted, whole } from '../../ui/format.ts';

type Service = Schemas['ChainServiceStatus'];

/** A shorter stall is not shown, because a batch may take a few seconds. */
const SHOWN_STALLED_S = 10;

/** The processes of a distributed topology, in the order in which they pass events on. */
export const Services = (props: { readonly services: readonly Service[]; readonly queryGateways: number }) => (
  <Card title="Services" wide>
    <Table
      caption="Services and how far they are behind"
      rows={props.services}
      keyOf={({ service }) => service}
      columns={[
        { name: 'Service', cell: ({ service }) => service },
        { name: 'Instances', numeric: true, cell: ({ members }) => whole(members) },
        {
          name: 'Behind',
          numeric: true,
          cell: ({ behind }) => (behind === null ? 'unknown' : counted(behind, 'message')),
        },
        { name: 'State', cell: (service) => <State of={service} /> },
      ]}
    />
    <p class="muted">
      {props.queryGateways === 0
        ? 'No query gateway is running.'
        : `${counted(props.queryGateways, 'query gateway')} running.`}
    </p>
  </Card>
);

function State({ of: { members, stalledSeconds, stopped } }: { readonly of: Service }) {
  if (stopped.length > 0)
    return stopped.map(({ partition, reason }) => (
      <Chip key={partition} tone="bad">
        halted in partition {partition}: {reason}
      </Chip>
    ));
  if (members === 0) return <Chip tone="bad">not running</Chip>;
  if (stalledSeconds >= SHOWN_STALLED_S)
    return <Chip tone="bad">no progress for {whole(Math.floor(stalledSeconds))} s</Chip>;
  return <Chip tone="good">running</Chip>;
}
