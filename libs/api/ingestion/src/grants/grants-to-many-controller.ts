import { Controller, Inject } from '@nestjs/common';
import {
  type GrantToManyAnswer,
  type RestoreStreaksAnswer,
  type StreakFreezesAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { giveFreezes, grantToMany, restoreStreaks } from './grant-to-many.ts';

/** Gives something to many users at once. Answers 200 with the users for whom it failed. */
@Controller()
export class GrantsToManyController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.grantToMany)
  grants(@Call() call: ApiCall): Promise<GrantToManyAnswer> {
    return grantToMany(this.#ports, call);
  }

  @Route(operations.createStreakFreezes)
  freezes(@Call() call: ApiCall): Promise<StreakFreezesAnswer> {
    return giveFreezes(this.#ports, call);
  }

  @Route(operations.restoreStreaks)
  restore(@Call() call: ApiCall): Promise<RestoreStreaksAnswer> {
    return restoreStreaks(this.#ports, call);
  }
}
