import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { BySession } from '@laurel/runtime';
import { BOUNDED_QUERY_PORTS, QUERY_PORTS, type QueryPorts } from './ports.ts';

/** Sessions of browsers are answered over a small pool of their own, so that applications never wait for who looks at them. */
@Injectable()
class PortsOfCaller implements PipeTransform<boolean, QueryPorts> {
  readonly #ports: QueryPorts;
  readonly #bounded: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts, @Inject(BOUNDED_QUERY_PORTS) bounded: QueryPorts) {
    this.#ports = ports;
    this.#bounded = bounded;
  }

  transform(bySession: boolean): QueryPorts {
    return bySession ? this.#bounded : this.#ports;
  }
}

/** What the caller of a read is answered from, as a controller method's argument. */
export const Ports = () => BySession(PortsOfCaller);
