import { Controller, Inject } from '@nestjs/common';
import { type GrantAnswer, operations } from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { BOOST } from './boost-grant.ts';
import { ACHIEVEMENT, EXCUSED, FREEZES, giveGrant, POINTS, REVOCATION, STREAK } from './give-grant.ts';

/** Gives or takes something by hand. Answers 201, or 202 for a replay. */
@Controller()
export class GrantsController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.grantPoints)
  points(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, POINTS, call);
  }

  @Route(operations.grantBoost)
  boost(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, BOOST, call);
  }

  @Route(operations.grantFreezes)
  freezes(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, FREEZES, call);
  }

  @Route(operations.restoreStreak)
  streak(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, STREAK, call);
  }

  @Route(operations.excuseDays)
  excused(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, EXCUSED, call);
  }

  @Route(operations.grantAchievement)
  achievement(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, ACHIEVEMENT, call);
  }

  @Route(operations.revokeAchievement)
  revocation(@Call() call: ApiCall<'id'>): Promise<GrantAnswer> {
    return giveGrant(this.#ports, REVOCATION, call);
  }
}
