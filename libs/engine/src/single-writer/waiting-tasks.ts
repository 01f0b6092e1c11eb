import type { CommandResult } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { QueueBudget, type QueueBounds } from './queue-budget.ts';
import type { Task } from './queue-owner.ts';

/** The tasks that wait to be decided, in the order of arrival, and how much all take that are not yet answered. */
export class WaitingTasks<T extends Task> {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #budget: QueueBudget;
  #tasks: T[] = [];
  #progressAtMs = 0;

  constructor(clock: Pick<Clock, 'elapsedMs'>, bounds: QueueBounds) {
    this.#clock = clock;
    this.#budget = new QueueBudget(bounds);
  }

  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  /** Tasks taken in and not yet answered. */
  get unanswered(): number {
    return this.#budget.count;
  }

  /** What those tasks take of the queue. */
  get unansweredBytes(): number {
    return this.#budget.bytes;
  }

  /** How long tasks have waited without any being answered; 0 while none waits. */
  get stalledMs(): number {
    return this.unanswered === 0 ? 0 : this.#clock.elapsedMs() - this.#progressAtMs;
  }

  /** Takes all of the tasks in, or none: false. */
  add(tasks: readonly T[]): boolean {
    const wasIdle = this.unanswered === 0;
    const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0);
    if (!this.#budget.take(tasks.length, bytes)) return false;
    if (wasIdle) this.#progressAtMs = this.#clock.elapsedMs();
    for (const task of tasks) this.#tasks.push(task);
    return true;
  }

  /** Takes the first tasks out to decide or refuse them. */
  take(atMost: number): T[] {
    return this.#tasks.splice(0, atMost);
  }

  /** Puts tasks back in the order in which they arrived. */
  putBack(tasks: readonly T[]): void {
    if (tasks.length > 0) this.#tasks = [...tasks, ...this.#tasks].sort((a, b) => a.sequence - b.sequence);
  }

  answer(task: T, outcome: CommandResult): void {
    this.#budget.release(1, task.bytes);
    this.#progressAtMs = this.#clock.elapsedMs();
    task.settle(outcome);
  }
}
