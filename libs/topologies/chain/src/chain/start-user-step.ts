import { ChainService, DueReview } from '@laurel/engine';
import {
  assertRecorded,
  assertVersions,
  followIngestionReads,
  openPlace,
  type ProcessFrame,
  moveInstructions,
} from '@laurel/processes';
import { keepInstanceLock } from './keep-instance-lock.ts';
import { logServiceEvents } from './observe-service.ts';
import type { UserStepDefinition } from './service-definition.ts';
import { userStep } from './user-step.ts';

/** Runs a step of user areas. @throws StepsDifferError if these areas were last applied in other steps */
export async function startUserStep(frame: ProcessFrame, definition: UserStepDefinition): Promise<ChainService> {
  const { environment, shutdown, stream, clock } = frame;
  const step = userStep(definition);
  let assertForm = (): Promise<void> => Promise.resolve();
  await keepInstanceLock(frame, definition, () => assertForm());
  const place = await openPlace(environment.database, step);
  shutdown.register('database', () => place.close());
  assertForm = () => assertRecorded(place.opened[0].sql, definition, moveInstructions);
  await assertForm();
  await assertVersions(place, step);
  for (const [index, { startBeside }] of definition.schemas.entries()) {
    const opened = place.opened[index];
    if (opened) for (const start of startBeside) start(frame, opened.sql);
  }
  const { partitions } = environment;
  return ChainService.start({
    group: `laurel.${step.name}`,
    input: { topic: step.input, partitions },
    stream,
    store: step.storeIn(place),
    openProjection: (partition) => step.openProjection(place, partition, partitions),
    routes: step.routes(partitions),
    services: step.services.length,
    ...(await followIngestionReads(frame, step)),
    clock,
    dueReviews: definition.schemas.flatMap(({ areas }, index) => {
      const schema = place.opened[index];
      return schema ? [new DueReview(schema.statements, areas)] : [];
    }),
    onEvent: logServiceEvents(frame),
  });
}
