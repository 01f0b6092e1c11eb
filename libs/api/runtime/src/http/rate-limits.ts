import type { Clock } from '@laurel/ports';
import { problemOf, type Problem } from '@laurel/schemas';
import type { FastifyReply } from 'fastify';
import type { RateLimit } from '../api-keys.ts';
import {
  type Bucket,
  FULL_AFTER_MS,
  fullBucket,
  msUntilFull,
  msUntilToken,
  refilled,
  tokensIn,
  withdrawn,
} from '../rules/token-bucket.ts';

/**
 * Counts the requests of keys with a limit. A key is remembered while its bucket is not full, at most a minute, so
 * memory is limited by the keys used within a minute.
 */
export class RateLimits {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** Buckets, least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Counts a request, and adds the rest of the limit to its answer. @returns the refusal, or null. */
  admit(reply: FastifyReply, limit: RateLimit): Problem | null {
    const found = this.#bucketOf(limit);
    const less = withdrawn(found);
    announce(reply, limit, less ?? found);
    if (less !== null) {
      this.#keep(limit.keyId, less);
      return null;
    }
    void reply.header('retry-after', String(toSeconds(msUntilToken(found, limit.requestsPerMinute))));
    return problemOf(
      'rate_limited',
      `This key may make ${limit.requestsPerMinute} requests a minute; ask again when Retry-After has passed.`,
    );
  }

  /** Adds the rest of the limit to the answer to a request that does not count. */
  announce(reply: FastifyReply, limit: RateLimit): void {
    announce(reply, limit, this.#bucketOf(limit));
  }

  #bucketOf({ keyId, requestsPerMinute }: RateLimit): Bucket {
    const nowMs = Math.floor(this.#clock.elapsedMs());
    const bucket = this.#buckets.get(keyId);
    return bucket === undefined ? fullBucket(requestsPerMinute, nowMs) : refilled(bucket, requestsPerMinute, nowMs);
  }

  #keep(keyId: string, bucket: Bucket): void {
    this.#buckets.delete(keyId);
    this.#buckets.set(keyId, bucket);
    for (const [id, { atMs }] of this.#buckets) {
      if (bucket.atMs - atMs < FULL_AFTER_MS) break;
      this.#buckets.delete(id);
    }
  }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers: the policy, the rest, and the seconds until the bucket is full. */
function announce(reply: FastifyReply, { requestsPerMinute }: RateLimit, bucket: Bucket): void {
  const fullInS = toSeconds(msUntilFull(bucket, requestsPerMinute));
  void reply.header('ratelimit-policy', `"default";q=${requestsPerMinute};w=60`);
  void reply.header('ratelimit', `"default";r=${tokensIn(bucket)};t=${fullInS}`);
}

const toSeconds = (ms: number): number => Math.ceil(ms / 1_000);
